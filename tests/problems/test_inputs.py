"""Inputs follow from the seed, keep what their distribution promises, and fit the type."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from judge.domain import DType
from judge.problems.distributions import Distribution
from judge.problems.inputs import draw, make_inputs, poison
from judge.problems.oracle import OracleError
from judge.problems.package import load_package
from judge.problems.tensors import TORCH_DTYPES

FLOATING = [dtype for dtype in DType if dtype.is_floating]
INTEGER = [dtype for dtype in DType if not dtype.is_floating]


def seeded(seed: int = 1) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def drawn(distribution: Distribution, dtype: DType, *shape: int) -> torch.Tensor:
    return draw(dtype, shape or (64, 501), distribution, seeded()).double()


@pytest.mark.parametrize("distribution", Distribution)
@pytest.mark.parametrize("dtype", DType)
def test_every_distribution_fills_every_type_with_finite_values(
    distribution: Distribution, dtype: DType
) -> None:
    for shape in ((1,), (3, 1), (2, 3, 5)):
        tensor = draw(dtype, shape, distribution, seeded())
        assert tensor.shape == shape
        assert tensor.dtype is TORCH_DTYPES[dtype]
        assert tensor.is_contiguous()
        assert bool(torch.isfinite(tensor.double()).all())


@pytest.mark.parametrize("distribution", Distribution)
def test_the_seed_decides(distribution: Distribution) -> None:
    first = draw(DType.FLOAT32, (33, 7), distribution, seeded(5))
    assert torch.equal(first, draw(DType.FLOAT32, (33, 7), distribution, seeded(5)))
    assert not torch.equal(first, draw(DType.FLOAT32, (33, 7), distribution, seeded(6)))


def test_normal_and_uniform_values_are_centred() -> None:
    for distribution, deviation in ((Distribution.NORMAL, 1.0), (Distribution.UNIFORM, 3**-0.5)):
        values = drawn(distribution, DType.FLOAT32)
        assert abs(float(values.mean())) < 0.03
        assert float(values.std()) == pytest.approx(deviation, rel=0.03)
    assert float(drawn(Distribution.UNIFORM, DType.FLOAT32).abs().max()) <= 1.0


@pytest.mark.parametrize("dtype", FLOATING)
def test_offset_values_lie_eight_deviations_from_zero(dtype: DType) -> None:
    values = drawn(Distribution.OFFSET, dtype)
    assert float(values.mean() / values.std()) == pytest.approx(8.0, rel=0.05)


def test_heavy_tails_are_ruled_by_few_elements() -> None:
    values = drawn(Distribution.HEAVY_TAILED, DType.FLOAT32).flatten()
    # The quartile of Student's t with 2 degrees of freedom is sqrt(2/3).
    assert float(values.quantile(0.75)) == pytest.approx((2 / 3) ** 0.5, rel=0.05)
    assert 30.0 < float(values.abs().max()) <= 1024.0


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize("length", [2, 257, 1024])
def test_cancelling_rows_sum_to_nearly_nothing(dtype: DType, length: int) -> None:
    values = drawn(Distribution.CANCELLING, dtype, 50, length)
    # bfloat16 cannot hold the noise: its pairs cancel to a rounding error of the elements.
    left = values.sum(dim=1).abs().sum() / values.abs().sum()
    assert float(left) < 0.005
    if length > 2:
        assert not torch.equal(values[:, 0], -values[:, length // 2])


def test_products_with_a_cancelling_buffer_cancel_too() -> None:
    a = draw(DType.FLOAT32, (20, 512), Distribution.CANCELLING, seeded(1)).double()
    b = draw(
        DType.FLOAT32, (512, 20), Distribution.CANCELLING, seeded(2), is_first_floating=False
    ).double()
    assert float((a @ b).abs().mean() / (a.abs() @ b.abs()).mean()) < 1e-3


@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.parametrize("distribution", [Distribution.LARGE, Distribution.OFFSET])
def test_sums_of_products_stay_in_the_range_of_the_type(
    dtype: DType, distribution: Distribution
) -> None:
    a = draw(dtype, (8, 4096), distribution, seeded(1)).double()
    b = draw(dtype, (4096, 8), distribution, seeded(2)).double()
    assert float((a @ b).abs().max()) < torch.finfo(TORCH_DTYPES[dtype]).max


@pytest.mark.parametrize("dtype", FLOATING)
def test_products_of_small_values_are_mostly_normal_numbers(dtype: DType) -> None:
    values = drawn(Distribution.SMALL, dtype).flatten()
    products = (values[:-1] * values[1:]).abs()
    tiny = torch.finfo(TORCH_DTYPES[dtype]).tiny
    assert float((products > tiny).double().mean()) > 0.8
    assert float(values.abs().max()) < 0.5


@pytest.mark.parametrize("dtype", DType)
def test_small_integers_are_exact_in_every_type(dtype: DType) -> None:
    values = drawn(Distribution.INTEGERS, dtype)
    low = 0 if dtype.c_type.startswith("unsigned") or dtype is DType.UINT64 else -4
    assert set(values.flatten().tolist()) == set(map(float, range(low, 5)))


@pytest.mark.parametrize("dtype", DType)
def test_poison_is_finite_spread_and_never_near_zero(dtype: DType) -> None:
    values = poison((50, 40), dtype, seeded()).double()
    assert bool(torch.isfinite(values).all())
    assert len(set(values.flatten().tolist())) > min(200, 2 ** (8 * dtype.itemsize) - 60)
    if dtype.is_floating:
        assert float(values.abs().min()) >= 1.0
        assert float(values.abs().max()) <= 1024.0
        assert 800 < int((values > 0).sum()) < 1200


@pytest.mark.parametrize("dtype", INTEGER)
def test_integer_poison_covers_the_whole_type(dtype: DType) -> None:
    values = poison((4000,), dtype, seeded()).double()
    span = 2.0 ** (8 * dtype.itemsize)
    assert float(values.max() - values.min()) > 0.98 * span


def test_poison_differs_from_call_to_call() -> None:
    generator = seeded()
    first = poison((100,), DType.FLOAT32, generator)
    assert not bool((first == poison((100,), DType.FLOAT32, generator)).any())


OWN_INPUTS = """

def make_inputs(case, generator):
    ramp = torch.arange(case.sizes["M"] * case.sizes["N"], device=generator.device)
    return {"x": ramp.reshape(case.sizes["M"], case.sizes["N"])%s}
"""


def test_the_authors_own_inputs_come_first(row_sum: Path) -> None:
    source = (row_sum / "reference.py").read_text()
    (row_sum / "reference.py").write_text(source + OWN_INPUTS % ".float()")
    package = load_package(row_sum)
    (x,) = make_inputs(package, package.problem.tests[1], seeded()).values()
    assert x.dtype is torch.float32
    assert x[1, 1] == 258.0


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        (".float().t()", "x has shape (257, 31), expected (31, 257)"),
        ("", "x is torch.int64, expected a floating type"),
        (', "y": ramp', '"y" is not an input buffer; they are x'),
        (".no_such_method()", "make_inputs failed: AttributeError"),
    ],
)
def test_wrong_inputs_of_the_author_are_the_authors_error(
    row_sum: Path, expression: str, words: str
) -> None:
    source = (row_sum / "reference.py").read_text()
    own = OWN_INPUTS % expression
    if '"y"' in expression:
        own = own.replace('case.sizes["N"]),', 'case.sizes["N"]).float(),')
    (row_sum / "reference.py").write_text(source + own)
    package = load_package(row_sum)
    with pytest.raises(OracleError) as caught:
        make_inputs(package, package.problem.tests[1], seeded())
    assert words in str(caught.value)
    assert caught.value.file == row_sum / "reference.py"
