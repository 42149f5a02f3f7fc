"""Scales put values where they belong, and their ticks are what a reader expects."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.charts.scales import LinearScale, LogScale, linear_ticks, log_domain, short

TIMES = st.floats(1e-6, 1e6)


def test_a_logarithmic_scale_gives_equal_ratios_equal_room() -> None:
    scale = LogScale(0.1, 1000.0, 0.0, 400.0)
    assert [round(scale(v), 6) for v in (0.1, 1.0, 10.0, 100.0, 1000.0)] == [0, 100, 200, 300, 400]


@pytest.mark.parametrize("ends", [(0.0, 1.0), (2.0, 1.0), (1.0, math.inf), (-1.0, 1.0)])
def test_there_is_no_logarithmic_scale_from_nothing_to_infinity(ends: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="no logarithmic scale"):
        LogScale(*ends, 0.0, 1.0)


@pytest.mark.parametrize(
    ("low", "high", "most", "ticks"),
    [
        (0.09, 110.0, 5, [0.1, 1.0, 10.0, 100.0]),
        (0.9, 110.0, 8, [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]),
        (2.0, 2.5, 6, [2.0, 2.1, 2.2, 2.3, 2.4, 2.5]),
        (1e-9, 1e9, 7, [1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9]),
    ],
)
def test_ticks_are_round(low: float, high: float, most: int, ticks: list[float]) -> None:
    assert LogScale(low, high, 0.0, 1.0).ticks(most) == ticks


@given(st.lists(TIMES, min_size=1), st.integers(3, 20))
def test_ticks_lie_in_the_range_in_order_and_are_never_too_many(
    times: list[float], most: int
) -> None:
    low, high = log_domain(times)
    assert low < min(times)
    assert max(times) < high
    ticks = LogScale(low, high, 0.0, 1.0).ticks(most)
    assert len(ticks) <= most + 1
    assert all(low * (1 - 1e-9) <= tick <= high * (1 + 1e-9) for tick in ticks)
    assert all(a < b for a, b in itertools.pairwise(ticks))


def test_linear_ticks_are_multiples_of_1_2_or_5() -> None:
    assert linear_ticks(0.0, 63.0, 5) == [0.0, 20.0, 40.0, 60.0]
    assert linear_ticks(0.0, 1.0, 3) == [0.0, 0.5, 1.0]
    assert linear_ticks(7.0, 7.0, 3) == [7.0]
    assert LinearScale(0.0, 10.0, 100.0, 0.0)(2.5) == 75.0


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (0, "0"),
        (0.05, "0.05"),
        (12.345, "12.3"),
        (1200.0, "1200"),
        (2e6, "2e6"),
        (3.21e-7, "3.21e-7"),
        (100.0, "100"),
    ],
)
def test_numbers_are_printed_short(value: float, printed: str) -> None:
    assert short(value) == printed
