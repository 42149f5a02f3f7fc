"""Oracle of vector-add, in float64."""

import torch


def reference(A: torch.Tensor, B: torch.Tensor) -> torch.Tensor:
    return A.double() + B.double()
