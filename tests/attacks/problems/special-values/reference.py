"""Oracle of special-values: inputs at the edges of float32, negated."""

import torch

_SUBNORMAL_SCALE = 2.0**-140


def make_inputs(case, generator):
    """A fifth each: normal, subnormal, zeros of either sign, infinities of either sign, NaN."""
    size, device = (case.sizes["N"],), generator.device
    values = torch.randn(size, generator=generator, device=device)
    kind = torch.randint(0, 5, size, generator=generator, device=device)
    values = torch.where(kind == 1, values.double() * _SUBNORMAL_SCALE, values.double()).float()
    values = torch.where(kind == 2, values * 0.0, values)
    values = torch.where(kind == 3, values * torch.inf, values)
    return {"X": torch.where(kind == 4, torch.nan, values)}


def reference(X: torch.Tensor) -> torch.Tensor:
    return -X
