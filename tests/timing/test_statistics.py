"""Medians and their intervals."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.timing.statistics import Combined, Estimate, combine, median, median_interval

samples = st.lists(st.floats(min_value=1e-6, max_value=1e6), min_size=1, max_size=60)


def seeded(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def naive_medians(values: list[float], resamples: int) -> np.ndarray:
    drawn = seeded(1).choice(values, size=(resamples, len(values)))
    return np.asarray(np.median(drawn, axis=1))


def test_a_median_is_the_middle_or_the_mean_of_the_two_in_the_middle() -> None:
    assert median([3.0, 1.0, 2.0]) == 2.0
    assert median([4.0, 1.0, 2.0, 3.0]) == 2.5
    assert median([5.0]) == 5.0


@pytest.mark.parametrize("bad", [[], [math.nan], [1.0, math.inf], [1.0, -math.inf, 2.0]])
def test_what_no_clock_reads_has_no_median(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="sample"):
        median(bad)
    with pytest.raises(ValueError, match="sample"):
        median_interval(bad, seeded())
    with pytest.raises(ValueError, match="sample"):
        combine([[1.0], bad], seeded())


@given(samples)
def test_an_interval_contains_its_median_and_stays_within_the_sample(values: list[float]) -> None:
    estimate = median_interval(values, seeded(), resamples=200)
    assert min(values) <= estimate.low <= estimate.median <= estimate.high <= max(values)


@given(samples, st.integers(min_value=-20, max_value=20))
def test_an_interval_scales_with_the_unit(values: list[float], exponent: int) -> None:
    scale = 2.0**exponent
    one = median_interval(values, seeded(), resamples=200)
    other = median_interval([v * scale for v in values], seeded(), resamples=200)
    assert other == Estimate(one.median * scale, one.low * scale, one.high * scale)


@given(samples, st.randoms(use_true_random=False))
def test_the_order_of_samples_does_not_matter(values: list[float], shuffler: random.Random) -> None:
    shuffled = list(values)
    shuffler.shuffle(shuffled)
    assert median_interval(values, seeded(), resamples=200) == median_interval(
        shuffled, seeded(), resamples=200
    )


def test_the_same_seed_gives_the_same_interval() -> None:
    values = list(seeded(3).lognormal(size=25))
    assert median_interval(values, seeded(7)) == median_interval(values, seeded(7))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 12, 21, 64])
def test_medians_drawn_by_order_statistics_are_those_of_resampling(count: int) -> None:
    """The shortcut's interval cuts the tails of whole resamples where it says that it does."""
    values = list(seeded(5).lognormal(sigma=0.5, size=count))
    reference = naive_medians(values, 40_000)
    estimate = median_interval(values, seeded(2), resamples=40_000)
    # The medians of resamples take few values, each with a share of its own: the tail without
    # the interval's end must be under 2.5 %, the tail with it over.
    noise, rounding = 0.006, 1e-9
    assert (reference < estimate.low - rounding).mean() - noise <= 0.025
    assert (reference <= estimate.low + rounding).mean() + noise >= 0.025
    assert (reference > estimate.high + rounding).mean() - noise <= 0.025
    assert (reference >= estimate.high - rounding).mean() + noise >= 0.025


def test_an_interval_covers_the_true_median_about_as_often_as_it_says() -> None:
    generator = seeded(11)
    covered = 0
    for _ in range(400):
        estimate = median_interval(list(generator.lognormal(size=25)), generator, resamples=500)
        covered += estimate.low <= 1.0 <= estimate.high
    assert 0.90 <= covered / 400 <= 0.99


def test_the_relative_half_width_is_that_of_the_interval() -> None:
    assert Estimate(2.0, 1.9, 2.1).relative_half_width == pytest.approx(0.05)
    assert Estimate(0.0, 0.0, 0.0).relative_half_width == 0.0
    assert Estimate(0.0, -1.0, 1.0).relative_half_width == math.inf


def test_processes_combine_to_the_median_of_their_medians() -> None:
    combined = combine([[1.0, 1.0, 9.0], [2.0], [4.0, 4.0, 4.0, 4.0]], seeded())
    assert combined.process_medians == (1.0, 2.0, 4.0)
    assert combined.median == 2.0
    assert combined.spread_pct == pytest.approx(150.0)


def test_a_process_with_many_samples_weighs_no_more_than_one_with_few() -> None:
    assert combine([[5.0] * 1000, [1.0], [2.0]], seeded()).median == 2.0


def test_one_process_alone_is_its_own_median_without_spread() -> None:
    values = list(seeded(4).lognormal(size=31))
    combined = combine([values], seeded(6))
    alone = median_interval(values, seeded(6))
    assert (combined.median, combined.spread_pct) == (alone.median, 0.0)
    assert combined.low == pytest.approx(alone.low, rel=0.05)
    assert combined.high == pytest.approx(alone.high, rel=0.05)


def test_the_interval_shows_that_processes_differ() -> None:
    """Each process is sure of itself; together they are not."""
    combined = combine([[1.0] * 50, [1.02] * 50, [1.04] * 50], seeded())
    assert (combined.low, combined.median, combined.high) == (1.0, 1.02, 1.04)


def test_nothing_cannot_be_combined() -> None:
    with pytest.raises(ValueError, match="no process"):
        combine([], seeded())


@settings(max_examples=50)
@given(st.lists(samples, min_size=1, max_size=5))
def test_a_combined_interval_contains_its_median_and_stays_within_the_samples(
    processes: list[list[float]],
) -> None:
    combined = combine(processes, seeded(), resamples=200)
    everything = [value for process in processes for value in process]
    assert min(everything) <= combined.low <= combined.median
    assert combined.median <= combined.high <= max(everything)
    assert combined.spread_pct >= 0.0
    assert isinstance(combined, Combined)
