"""Oracle of reduction: the sum in double precision."""

from __future__ import annotations

import torch
from torch import Tensor


def reference(input: Tensor) -> Tensor:  # noqa: A002 - the parameter's own name
    """The sum of ``input``, float64 [1]."""
    return input.sum(dtype=torch.float64).reshape(1)


def magnitude(input: Tensor) -> Tensor:  # noqa: A002 - the parameter's own name
    """|sum x| + ||x||_2, float64 [1]: how large the partial sums of a sum in random order get.

    The customary sum |x| would be too kind here: for 2^28 numbers of both signs it is 10,000
    times the sum itself, and a kernel that writes zero would pass.
    """
    wide = input.double()
    return (wide.sum().abs() + torch.linalg.vector_norm(wide)).reshape(1)


def baseline(input: Tensor) -> Tensor:  # noqa: A002 - the parameter's own name
    """torch's own sum, float32 [1]."""
    return input.sum().reshape(1)
