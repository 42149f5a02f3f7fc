"""When enough samples have been taken."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pytest

from judge.timing.stopping import (
    Decision,
    StopCriteria,
    StopReason,
    StopRule,
    shared_out,
)


class Clock:
    """Seconds that pass only when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def run(
    samples: Iterable[float], criteria: StopCriteria | None = None, seconds_each: float = 0.0
) -> Decision:
    """Feed until the rule stops or the samples end; the last decision."""
    clock = Clock()
    rule = StopRule(criteria or StopCriteria(max_seconds=10.0), np.random.default_rng(0), clock)
    decision = None
    for sample in samples:
        clock.now += seconds_each
        decision = rule.feed(sample)
        if decision.stop:
            break
    assert decision is not None
    assert len(rule.samples) == decision.samples
    return decision


def noisy(relative: float, count: int = 5000, median_ms: float = 1.0) -> Iterable[float]:
    generator = np.random.default_rng(1)
    return (median_ms * float(f) for f in generator.normal(1.0, relative, size=count))


def test_a_steady_kernel_stops_at_the_least_number_of_samples() -> None:
    decision = run([1.0] * 100)
    assert (decision.reason, decision.samples) == (StopReason.PRECISE, 20)
    assert decision.relative_half_width == 0.0
    assert decision.text == "stopped after 20 samples, median within ±0.00 %"


def test_a_slow_call_needs_fewer_samples() -> None:
    assert run([10.1] * 100).samples == 12
    assert run([10.0] * 100).samples == 20


def test_a_noisy_kernel_is_sampled_until_its_median_is_known() -> None:
    little, much = run(noisy(0.01)), run(noisy(0.03))
    assert little.reason is much.reason is StopReason.PRECISE
    assert 20 <= little.samples < much.samples
    for decision in (little, much):
        assert decision.relative_half_width is not None
        assert decision.relative_half_width <= 0.005


def test_time_runs_out_on_a_kernel_that_never_settles() -> None:
    decision = run(noisy(0.5), seconds_each=0.1)
    assert decision.reason is StopReason.OUT_OF_TIME
    assert decision.samples in (100, 101)
    assert "limit of 10 s" in decision.text


def test_even_out_of_time_three_samples_are_taken() -> None:
    decision = run([6000.0, 5000.0, 7000.0, 6000.0], seconds_each=6.0)
    assert (decision.reason, decision.samples) == (StopReason.OUT_OF_TIME, 3)
    assert decision.relative_half_width is None


def test_a_going_rule_says_that_it_goes_on() -> None:
    decision = run([1.0, 1.1])
    assert (decision.stop, decision.reason, decision.samples) == (False, None, 2)
    assert decision.text == "2 samples so far"


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_no_clock_reads_is_no_sample(bad: float) -> None:
    with pytest.raises(ValueError, match="not a sample"):
        run([1.0, bad])


def test_samples_at_or_below_zero_never_count_as_precise() -> None:
    """A difference of two clocks may come out so; the rule must not divide by it."""
    decision = run([0.0, -1.0, 1.0] * 20, seconds_each=0.5)
    assert decision.reason is StopReason.OUT_OF_TIME


def test_the_same_samples_and_seed_stop_at_the_same_place() -> None:
    assert run(noisy(0.02)) == run(noisy(0.02))


def test_the_first_outliers_do_not_stop_it_early() -> None:
    decision = run([50.0, *[1.0, 1.2] * 9, *[1.0] * 500])
    assert decision.samples > 20


def test_a_workload_s_rule_is_shared_out_among_its_processes() -> None:
    each = shared_out(9.0, 3, vouched=False)
    assert (each.max_seconds, each.min_samples, each.min_samples_slow) == (3.0, 7, 4)


def test_single_calls_that_batches_vouch_for_are_taken_more_often_unless_they_turn_out_slow() -> (
    None
):
    each = shared_out(9.0, 3, vouched=True)
    assert run([0.003] * 100, each).samples == 45
    assert run([20.0] * 100, each).samples == 4
