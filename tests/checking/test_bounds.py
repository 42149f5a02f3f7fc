"""How far an element may be off."""

from __future__ import annotations

import pytest
import torch

from judge.checking import OracleFault, bounds, check_output
from judge.domain import DType, Tolerance, ToleranceRule

ELEMENTWISE = Tolerance(ToleranceRule.ELEMENTWISE, rtol=1e-3, atol=1e-6)
REDUCTION = Tolerance(ToleranceRule.REDUCTION, length="K", constant=4.0, precision=DType.FLOAT32)
EXACT = Tolerance(ToleranceRule.EXACT)


def test_an_elementwise_bound_is_atol_plus_rtol_times_the_reference() -> None:
    ref = torch.tensor([0.0, -2.0, 4.0], dtype=torch.float64)
    bound = bounds(ELEMENTWISE, ref, None, {}, DType.FLOAT32)
    assert bound is not None
    assert bound.tolist() == pytest.approx([1e-6, 1e-6 + 2e-3, 1e-6 + 4e-3])
    assert ref.tolist() == [0.0, -2.0, 4.0]


@pytest.mark.parametrize("dtype", [DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16])
def test_a_reduction_bound_grows_with_the_root_of_its_length(dtype: DType) -> None:
    ref = torch.tensor([[3.0, -1.0]], dtype=torch.float64)
    magnitude = torch.tensor([[5.0, 7.0]])
    bound = bounds(REDUCTION, ref, magnitude, {"K": 100}, dtype)
    assert bound is not None
    expected = [
        4.0 * 10.0 * 2.0**-24 * m + dtype.unit_roundoff * r for m, r in ((5.0, 3.0), (7.0, 1.0))
    ]
    assert bound[0].tolist() == pytest.approx(expected)


def test_one_magnitude_can_serve_the_whole_output() -> None:
    ref = torch.zeros((2, 3), dtype=torch.float64)
    bound = bounds(REDUCTION, ref, torch.tensor(1.0), {"K": 1}, DType.FLOAT32)
    assert bound is not None
    assert set(bound.flatten().tolist()) == {4.0 * 2.0**-24}


@pytest.mark.parametrize("dtype", list(DType))
def test_the_exact_rule_has_no_bound(dtype: DType) -> None:
    assert bounds(EXACT, torch.zeros(1), None, {}, dtype) is None


@pytest.mark.parametrize("dtype", [d for d in DType if not d.is_floating])
def test_integers_are_exact_under_every_rule(dtype: DType) -> None:
    assert bounds(ELEMENTWISE, torch.zeros(1), None, {}, dtype) is None
    assert bounds(REDUCTION, torch.zeros(1), None, {"K": 1}, dtype) is None


def test_a_reduction_without_a_magnitude_is_the_packages_fault() -> None:
    with pytest.raises(OracleFault, match="magnitude"):
        bounds(REDUCTION, torch.zeros(1), None, {"K": 1}, DType.FLOAT32)
    with pytest.raises(OracleFault, match="shape"):
        bounds(REDUCTION, torch.zeros(2, 3), torch.zeros(4), {"K": 1}, DType.FLOAT32)


def test_a_reduction_of_no_length_is_the_packages_fault() -> None:
    with pytest.raises(OracleFault, match="must be positive"):
        bounds(REDUCTION, torch.zeros(1), torch.zeros(1), {"K": 0}, DType.FLOAT32)


def test_an_honest_fp32_product_passes_and_one_of_half_precision_fails() -> None:
    generator = torch.Generator().manual_seed(1)
    a = torch.randn((64, 512), generator=generator)
    b = torch.randn((512, 48), generator=generator)
    ref = a.double() @ b.double()
    magnitude = a.double().abs() @ b.double().abs()
    bound = bounds(REDUCTION, ref, magnitude, {"K": 512}, DType.FLOAT32)
    assert check_output("C", a @ b, ref, bound).ok
    halves = a.half().float() @ b.half().float()
    assert not check_output("C", halves, ref, bound).ok
