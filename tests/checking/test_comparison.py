"""Which elements are wrong, which is the first, how large the errors are."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import judge.checking.comparison as comparison
from judge.checking import OracleFault, OutputCheck, check_output, inputs_unchanged

NAN, INF = math.nan, math.inf
FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
INTEGERS = (
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.uint8,
    torch.uint32,
    torch.uint64,
)


def reference(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def check(
    out: list[float], ref: list[float], bound: float = 0.0, dtype: torch.dtype = torch.float32
) -> OutputCheck:
    return check_output(
        "C",
        torch.tensor(out, dtype=torch.float64).to(dtype),
        reference(*ref),
        torch.full((len(ref),), bound, dtype=torch.float64),
    )


@pytest.mark.parametrize("dtype", FLOATS)
def test_an_output_on_its_bound_is_right_and_just_beyond_it_wrong(dtype: torch.dtype) -> None:
    assert check([1.5], [1.0], bound=0.5, dtype=dtype).ok
    assert not check([1.5], [1.0], bound=0.4999, dtype=dtype).ok


@pytest.mark.parametrize("ref", [0.0, -0.0, 1.0, -1e30, INF, -INF])
@pytest.mark.parametrize("bound", [0.0, 1e30])
def test_nan_is_never_accepted_where_the_reference_is_not_nan(ref: float, bound: float) -> None:
    assert not check([NAN], [ref], bound).ok


def test_nan_is_accepted_where_the_reference_is_nan_and_nothing_else_is() -> None:
    assert check([NAN, 1.0], [NAN, 1.0]).ok
    for other in (0.0, 1.0, INF, -INF):
        assert not check([other], [NAN], bound=1e300).ok


def test_an_infinity_must_have_the_sign_of_the_references() -> None:
    assert check([INF, -INF], [INF, -INF]).ok
    assert not check([INF], [-INF], bound=1e300).ok
    assert not check([3e38], [INF], bound=1e300).ok
    assert not check([INF], [3e38], bound=1e300).ok


def test_a_reference_that_overflows_the_output_type_is_matched_by_its_infinity() -> None:
    assert check([INF], [70000.0], dtype=torch.float16).ok
    assert not check([-INF], [70000.0], dtype=torch.float16).ok
    assert not check([INF], [60000.0], bound=1e4, dtype=torch.float16).ok


def test_an_infinite_relative_bound_excuses_nothing_where_the_reference_is_infinite() -> None:
    ref = reference(INF)
    out = torch.tensor([1.0])
    assert not check_output("C", out, ref, ref.abs() * 1e-5).ok


@pytest.mark.parametrize("bound", [NAN, INF, -1.0])
def test_an_unusable_bound_is_the_packages_fault_and_accepts_nothing(bound: float) -> None:
    with pytest.raises(OracleFault, match="error bound of output 'C'"):
        check([1.0], [1.0], bound)


def test_the_two_zeros_are_equal_within_a_bound_but_not_bit_for_bit() -> None:
    assert check([-0.0], [0.0], bound=0.0).ok
    exact = check_output("C", torch.tensor([-0.0]), torch.tensor([0.0]), None)
    assert not exact.ok
    assert exact.mismatch is not None
    assert math.copysign(1.0, exact.mismatch.got) == -1.0


def test_exact_comparison_takes_any_nan_for_a_nan_and_rounds_the_reference() -> None:
    out = torch.tensor([NAN, 0.1])
    assert check_output("C", out, reference(NAN, 0.1), None).ok
    assert not check_output("C", torch.tensor([0.0, 0.1]), reference(NAN, 0.1), None).ok


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_are_compared_exactly_to_their_last_bit(dtype: torch.dtype) -> None:
    largest = torch.iinfo(dtype).max
    ref = torch.tensor([0, 1, largest], dtype=dtype)
    assert check_output("C", ref.clone(), ref, None).ok
    out = torch.tensor([0, 1, largest - 1], dtype=dtype)
    found = check_output("C", out, ref, None)
    assert found.mismatch is not None
    assert found.mismatch.index == (2,)


def test_an_integer_output_cannot_have_a_fractional_reference() -> None:
    with pytest.raises(OracleFault, match="cannot hold"):
        check_output("C", torch.tensor([1], dtype=torch.int32), reference(1.5), None)
    assert check_output("C", torch.tensor([1], dtype=torch.int32), reference(1.0), None).ok


def test_shapes_must_agree() -> None:
    with pytest.raises(OracleFault, match="shape"):
        check_output("C", torch.zeros(3), torch.zeros(4), None)


def test_an_empty_output_is_right() -> None:
    empty = torch.zeros(0, 5)
    assert check_output("C", empty, empty.double(), empty.double()) == OutputCheck(
        True, None, None, None
    )


def test_a_scalar_output_has_an_empty_index() -> None:
    found = check_output("s", torch.tensor(1.0), torch.tensor(2.0), None)
    assert found.mismatch is not None
    assert found.mismatch.index == ()


def test_the_first_mismatch_is_the_first_in_row_major_order_and_all_are_counted() -> None:
    ref = torch.arange(60, dtype=torch.float64).reshape(3, 4, 5)
    out = ref.float()
    out[2, 0, 0] = -1.0
    out[1, 3, 4] = -2.0
    out[1, 3, 2] = NAN
    found = check_output("C", out, ref, torch.full_like(ref, 0.25)).mismatch
    assert found is not None
    assert found.index == (1, 3, 2)
    assert math.isnan(found.got)
    assert (found.expected, found.bound) == (37.0, 0.25)
    assert (found.wrong_elements, found.total_elements) == (3, 60)


def test_a_transposed_view_is_compared_by_its_own_indices() -> None:
    ref = torch.arange(6, dtype=torch.float64).reshape(2, 3)
    out = ref.clone().t().contiguous().t()
    assert not out.is_contiguous()
    assert check_output("C", out, ref, torch.zeros_like(ref)).ok
    out[1, 0] = 9.0
    found = check_output("C", out, ref, torch.zeros_like(ref)).mismatch
    assert found is not None
    assert found.index == (1, 0)


def test_errors_leave_out_what_is_not_finite() -> None:
    found = check([1.5, NAN, INF, 4.0], [1.0, NAN, INF, 4.0], bound=1.0)
    assert found.ok
    assert found.max_abs_error == 0.5
    assert found.max_rel_error == 0.5
    assert check([NAN], [1.0], bound=1.0).max_abs_error is None


def test_relative_errors_near_a_zero_of_the_reference_stay_readable() -> None:
    found = check([0.001, 1000.0], [0.0, 1000.0], bound=1.0)
    assert found.max_rel_error == pytest.approx(0.001 / (1000.0 * comparison.RELATIVE_FLOOR))
    assert check([0.0], [0.0]).max_rel_error is None


def test_pieces_join_without_seams(monkeypatch: pytest.MonkeyPatch) -> None:
    ref = torch.linspace(-1, 1, 1000, dtype=torch.float64).reshape(10, 100)
    out = ref.float()
    out[3, 20] = 7.0
    out[9, 99] = INF
    bound = torch.full_like(ref, 1e-6)
    whole = check_output("C", out, ref, bound)
    wrong = comparison.wrong_elements("C", out, ref, bound)
    for size in (1, 7, 320, 321, 999, 1000):
        monkeypatch.setattr(comparison, "_PIECE", size)
        assert check_output("C", out, ref, bound) == whole
        assert torch.equal(comparison.wrong_elements("C", out, ref, bound), wrong)
    assert wrong.nonzero().tolist() == [[3, 20], [9, 99]]


def test_comparing_changes_neither_side() -> None:
    ref = torch.tensor([-1.0, NAN, 0.0, -5.0], dtype=torch.float64)
    out, bound = ref.clone(), ref.abs().nan_to_num()
    originals = [t.clone() for t in (out, ref, bound)]
    check_output("C", out, ref, bound)
    for tensor, original in zip((out, ref, bound), originals, strict=True):
        assert inputs_unchanged(original, tensor) is None


values = st.floats(width=32, allow_nan=True, allow_infinity=True)


def plain_rule(out: float, ref: float, bound: float) -> bool:
    """The rule of the docstring for one element, in Python's own numbers."""
    if math.isnan(ref):
        return math.isnan(out)
    if math.isinf(ref):
        return out == ref
    if not math.isfinite(out):
        return False
    return abs(out - ref) <= bound


@given(
    st.lists(
        st.tuples(values, values, st.floats(min_value=0.0, max_value=1e38)), min_size=1, max_size=40
    )
)
def test_comparison_agrees_with_the_rule_element_by_element(
    elements: list[tuple[float, float, float]],
) -> None:
    out, ref, bound = (
        torch.tensor([e[i] for e in elements], dtype=torch.float64) for i in range(3)
    )
    right = [plain_rule(*element) for element in elements]
    found = check_output("C", out.float(), ref, bound)
    assert found.ok == all(right)
    if found.mismatch is not None:
        assert found.mismatch.index == (right.index(False),)
        assert found.mismatch.wrong_elements == right.count(False)


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1))
def test_whatever_a_right_output_holds_poison_in_its_place_fails(content: list[float]) -> None:
    ref = torch.tensor(content, dtype=torch.float64)
    poison = (ref + ref.abs() + 1.0).float()
    assert check_output("C", ref.float(), ref, ref.abs() * 1e-6).ok
    assert not check_output("C", poison, ref, ref.abs() * 1e-6).ok


def test_an_unchanged_input_is_unchanged_even_with_nan_in_it() -> None:
    before = torch.tensor([[1.0, NAN], [-0.0, INF]])
    assert inputs_unchanged(before, before.clone()) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.view(torch.int32).__setitem__((1, 1), 0x7FC00001),  # another NaN
        lambda t: t.__setitem__((1, 1), 0.0),
        lambda t: t.view(torch.int32).__setitem__((1, 1), -0x80000000),  # -0.0
    ],
)
@pytest.mark.parametrize("original", [0.0, NAN])
def test_a_change_of_bits_is_found(change: Callable[[torch.Tensor], None], original: float) -> None:
    before = torch.tensor([[1.0, 2.0], [3.0, original], [5.0, 6.0]])
    after = before.clone()
    change(after)
    same = torch.equal(before.view(torch.int32), after.view(torch.int32))
    assert inputs_unchanged(before, after) == (None if same else (1, 1))


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS])
def test_changes_are_found_in_every_type_and_the_first_is_named(dtype: torch.dtype) -> None:
    before = torch.zeros((4, 5), dtype=dtype)
    after = before.clone()
    after[2, 3] = 1
    after[3, 0] = 1
    assert inputs_unchanged(before, after) == (2, 3)


def test_different_buffers_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="not the same buffer"):
        inputs_unchanged(torch.zeros(3), torch.zeros(4))
