"""What a learner is told about a wrong output."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from judge.checking import check_output, explain
from judge.checking.explanation import describe
from judge.domain import Mismatch

ROWS, COLUMNS = 37, 53


def random(*shape: int, seed: int = 7) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


REF = random(ROWS, COLUMNS).double()
POISON = random(ROWS, COLUMNS, seed=8)


def told(out: torch.Tensor, ref: torch.Tensor = REF, poison: torch.Tensor | None = None) -> str:
    bound = ref.abs() * 1e-5 + 1e-6
    mismatch = check_output("C", out, ref, bound).mismatch
    assert mismatch is not None
    return explain(mismatch, out, ref, bound, poison)


def test_the_sentence_names_place_values_bound_and_count() -> None:
    mismatch = Mismatch("C", (3, 17), 1.25, 0.0, 1e-5, 4096, 65536)
    assert describe(mismatch, torch.float32) == (
        "C[3, 17] is 0.0, expected 1.25 (allowed ±1e-05); 4096 of 65536 elements are wrong."
    )


@pytest.mark.parametrize(
    ("mismatch", "dtype", "sentence"),
    [
        (
            Mismatch("n", (), 3.0, 2.0, 0.0, 1, 1),
            torch.int32,
            "n is 2, expected 3 (must be exact); it is the only element.",
        ),
        (
            Mismatch("y", (0,), 0.0, -0.0, 0.0, 1, 9),
            torch.float32,
            "y[0] is -0.0, expected 0.0 (must be exact); 1 of 9 elements is wrong.",
        ),
        (
            Mismatch("y", (2,), 1.0, math.nan, 1e-6, 9, 9),
            torch.float32,
            "y[2] is nan, expected 1.0 (allowed ±1e-06); all 9 elements are wrong.",
        ),
        (
            Mismatch("y", (2,), 1.0, 1.0000001, 0.0, 2, 9),
            torch.float32,
            "y[2] is 1.0000001, expected 1.0 (must be exact); 2 of 9 elements are wrong.",
        ),
    ],
)
def test_numbers_are_written_as_their_type_has_them(
    mismatch: Mismatch, dtype: torch.dtype, sentence: str
) -> None:
    assert describe(mismatch, dtype) == sentence


def test_an_untouched_output_is_recognised() -> None:
    assert "Nothing was written to C" in told(POISON.clone(), poison=POISON)


def test_untouched_last_rows_and_columns_are_recognised() -> None:
    out = REF.float()
    out[32:] = POISON[32:]
    assert "all in the last 5 rows and were never written" in told(out, poison=POISON)
    out[:, 48:] = POISON[:, 48:]
    text = told(out, poison=POISON)
    assert "all in the last 5 rows and the last 5 columns and were never written" in text


def test_untouched_elements_here_and_there_are_recognised() -> None:
    out = REF.float()
    out[::3] = POISON[::3]
    assert "They were never written" in told(out, poison=POISON)


def test_nan_is_recognised_and_counted() -> None:
    assert "Every element is NaN" in told(torch.full_like(POISON, math.nan))
    out = REF.float()
    out[3, 4] = math.nan
    assert "One of them is NaN" in told(out)
    out[5, :2] = math.nan
    assert "3 of them are NaN" in told(out)


def test_zeros_are_recognised() -> None:
    assert "All of C is zero" in told(torch.zeros_like(POISON))


def test_a_transpose_is_recognised_square_or_not() -> None:
    assert "transpose of the right answer" in told(REF.float().t().reshape(ROWS, COLUMNS))
    square = random(16, 16).double()
    assert "transpose of the right answer" in told(square.float().t(), square)


def test_wrong_last_rows_or_columns_are_recognised() -> None:
    out = REF.float()
    out[-1] += 1.0
    assert "all in the last row:" in told(out)
    out = REF.float()
    out[:, -5:] += 1.0
    assert "all in the last 5 columns:" in told(out)


def test_wrong_last_elements_of_a_vector_are_recognised() -> None:
    ref = random(1000).double()
    out = ref.float()
    out[992:] += 1.0
    assert "all in the last 8 elements:" in told(out, ref)


def test_a_right_start_alone_is_recognised() -> None:
    ref = random(1000).double()
    out = random(1000, seed=9)
    out[:256] = ref[:256].float()
    assert "Only the first 256 elements are right" in told(out, ref)
    out[1:256] += 1.0
    assert "Only the first element is right" in told(out, ref)


def test_one_factor_everywhere_is_recognised() -> None:
    assert "0.5 times what is expected" in told(REF.float() * 0.5)
    assert "-1 times what is expected" in told(-REF.float())


def test_low_precision_is_recognised() -> None:
    assert "All of them are close" in told(REF.half().float())
    assert "All of them are close" in told(REF.bfloat16().float())


def test_plain_noise_gets_no_hint() -> None:
    text = told(random(ROWS, COLUMNS, seed=10), poison=POISON)
    assert text.endswith("elements are wrong.")


@pytest.mark.parametrize("value", [0.0, 1.0, math.nan, math.inf])
def test_a_scalar_output_is_explained(value: float) -> None:
    assert told(torch.tensor(value), torch.tensor(2.0, dtype=torch.float64)).startswith("C is ")


def test_outputs_of_many_axes_name_the_axis() -> None:
    ref = random(6, 7, 8).double()
    out = ref.float()
    out[:, 5:] += 1.0
    assert "the last 2 along axis 1" in told(out, ref)


@given(
    st.lists(st.integers(min_value=1, max_value=6), max_size=3),
    st.sampled_from([torch.float16, torch.float32, torch.int32, torch.uint8]),
    st.integers(min_value=0, max_value=2**31),
    st.booleans(),
)
def test_any_wrong_output_gets_a_sentence(
    shape: list[int], dtype: torch.dtype, seed: int, poisoned: bool
) -> None:
    generator = torch.Generator().manual_seed(seed)
    ref = torch.randint(0, 3, shape, generator=generator).to(dtype)
    out = torch.randint(0, 3, shape, generator=generator).to(dtype)
    before = torch.randint(0, 3, shape, generator=generator).to(dtype) if poisoned else None
    mismatch = check_output("C", out, ref, None).mismatch
    if mismatch is not None:
        text = explain(mismatch, out, ref, None, before)
        assert text.startswith("C")
        assert "expected" in text
