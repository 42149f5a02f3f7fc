"""Oracle of matmul: the product in double precision."""

from __future__ import annotations

from torch import Tensor


def reference(A: Tensor, B: Tensor) -> Tensor:
    """C = A B, float64 [M, K]."""
    return A.double() @ B.double()


def magnitude(A: Tensor, B: Tensor) -> Tensor:
    """|A| |B|, float64 [M, K]: the sum of the terms' magnitudes, which rounding errors scale with
    (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.5)."""
    return A.double().abs() @ B.double().abs()


def baseline(A: Tensor, B: Tensor) -> Tensor:
    """torch's own product, float32 [M, K]."""
    return A @ B
