"""Oracle of mnist-matmul: the product in double precision."""

from __future__ import annotations

from torch import Tensor


def reference(X: Tensor, W: Tensor) -> Tensor:
    """Y = X W, float64 [M, N]."""
    return X.double() @ W.double()


def magnitude(X: Tensor, W: Tensor) -> Tensor:
    """|X| |W|, float64 [M, N]: the sum of the terms' magnitudes, which rounding errors scale with
    (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.5)."""
    return X.double().abs() @ W.double().abs()


def baseline(X: Tensor, W: Tensor) -> Tensor:
    """torch's own product, float32 [M, N]."""
    return X @ W
