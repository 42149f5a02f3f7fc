"""One number out of many workloads."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.domain import Score, TimeBasis, Timing
from judge.ranking import check_score
from judge.timing.scoring import score


def timing(median_ms: float, low_ms: float, high_ms: float) -> Timing:
    return Timing(
        workload="w",
        sizes={},
        basis=TimeBasis.E,
        samples_ms=((median_ms,),),
        median_ms=median_ms,
        ci_low_ms=low_ms,
        ci_high_ms=high_ms,
        spread_pct=0.0,
        e_us=median_ms * 1e3,
        t_us=None,
        f_residual_us=0.0,
        flops=0.0,
        bytes=0.0,
    )


timings = st.builds(
    lambda median_ms, below, above: timing(
        median_ms, median_ms * (1 - below), median_ms * (1 + above)
    ),
    st.floats(min_value=1e-4, max_value=1e4),
    st.floats(min_value=0.0, max_value=0.5),
    st.floats(min_value=0.0, max_value=0.5),
)


def test_one_workload_keeps_its_own_interval() -> None:
    assert score([timing(2.0, 1.9, 2.2)]) == Score(2.0, 1.9, 2.2)


def test_the_score_is_the_geometric_mean() -> None:
    assert score([timing(1.0, 1.0, 1.0), timing(4.0, 4.0, 4.0)]).value_ms == pytest.approx(2.0)


def test_equal_errors_of_several_workloads_shrink_by_the_root_of_their_number() -> None:
    factor = 1.02
    found = score([timing(m, m / factor, m * factor) for m in (1.0, 3.0, 9.0, 27.0)])
    assert math.log(found.ci_high_ms / found.value_ms) == pytest.approx(math.log(factor) / 2)
    assert math.log(found.value_ms / found.ci_low_ms) == pytest.approx(math.log(factor) / 2)


@given(st.lists(timings, min_size=1, max_size=8))
def test_every_score_can_be_ranked(values: list[Timing]) -> None:
    check_score(score(values))


@given(st.lists(timings, min_size=1, max_size=8), st.integers(min_value=0, max_value=7))
def test_a_faster_workload_makes_a_faster_score(values: list[Timing], which: int) -> None:
    index = which % len(values)
    slow = values[index]
    faster = timing(slow.median_ms / 2, slow.ci_low_ms / 2, slow.ci_high_ms / 2)
    improved = [*values[:index], faster, *values[index + 1 :]]
    assert score(improved).value_ms < score(values).value_ms


@pytest.mark.parametrize("bad", [0.0, -0.0, -1.0, math.nan, math.inf])
def test_what_is_no_time_has_no_score(bad: float) -> None:
    good = timing(1.0, 1.0, 1.0)
    for culprit in (timing(bad, bad, bad), timing(1.0, bad, 1.0), timing(1.0, 2.0, bad)):
        with pytest.raises(ValueError, match="workload w"):
            score([good, culprit])


def test_nothing_timed_has_no_score() -> None:
    with pytest.raises(ValueError, match="at least one"):
        score([])
