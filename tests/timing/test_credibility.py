"""Whether two clocks tell the same story. Figures are those of an H200."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.devices.cuda import TIMING
from judge.devices.interface import Bracket, TimingLimits
from judge.domain import DevicePeaks, TimeBasis
from judge.timing.credibility import (
    ClockRules,
    CredibilityReport,
    Peaks,
    assess,
    assess_batches,
    baseline_ns,
    below_floor,
    event_cost_us,
    floor_us,
    needs_batches,
    sample_ms,
    vouch,
)

GPU = TimingLimits(
    max_seconds=10.0,
    processes=3,
    residual_us=12.0,
    residual_fraction=0.004,
    batch_below_us=100.0,
    batch_calls=64,
)
K = GPU.batch_calls
EMPTY_FENCE_US, EMPTY_EVENT_US = 400.0, 3.0


def bracket(e_us: float, f_us: float, calls: int = 1) -> Bracket:
    return Bracket(calls, event_ns=round(e_us * 1e3), fence_ns=round(f_us * 1e3))


def empties(calls: int = 1) -> list[Bracket]:
    return [
        bracket(EMPTY_EVENT_US * calls, EMPTY_FENCE_US + jitter, calls)
        for jitter in (-2.0, -0.5, 0.0, 0.5, 9.0)
    ]


def singles(claimed_us: float, real_us: float, count: int = 20) -> list[Bracket]:
    """Calls that take ``real_us`` while the events claim ``claimed_us``."""
    return [
        bracket(claimed_us, EMPTY_FENCE_US + real_us - EMPTY_EVENT_US + (i % 5) / 10)
        for i in range(count)
    ]


def batches(claimed_us: float, real_us: float, count: int = 20) -> list[Bracket]:
    return [
        bracket(claimed_us * K, EMPTY_FENCE_US + real_us * K + (i % 5) / 10, K)
        for i in range(count)
    ]


@pytest.mark.parametrize("real_us", [3.2, 8.0, 103.0, 1003.0, 6130.0, 2e6])
def test_an_honest_kernel_is_credible(real_us: float) -> None:
    report = assess(singles(real_us, real_us), empties(), GPU)
    assert report.credible
    assert report.reason == ""
    assert report.e_us == pytest.approx(real_us, rel=1e-3)
    assert report.f0_us == EMPTY_FENCE_US
    assert abs(report.residual_us) < 4.0
    assert report.t_us is None


@pytest.mark.parametrize("real_us", [100.0, 1000.0, 6130.0])
@pytest.mark.parametrize("claimed", [0.0, 0.01, 0.5, 0.8])
def test_hidden_work_is_not_credible(real_us: float, claimed: float) -> None:
    report = assess(singles(real_us * claimed, real_us), empties(), GPU)
    assert not report.credible
    assert report.reason
    assert report.residual_us > report.allowed_us


def test_the_limit_is_a_constant_and_a_share_of_e() -> None:
    e_us = 5000.0
    allowed = 12.0 + 0.004 * e_us
    at = [bracket(e_us, EMPTY_FENCE_US + e_us + allowed)] * 3
    beyond = [bracket(e_us, EMPTY_FENCE_US + e_us + allowed + 0.1)] * 3
    assert assess(at, empties(), GPU).credible
    assert not assess(beyond, empties(), GPU).credible


def test_the_reason_names_both_times_and_what_to_do() -> None:
    reason = assess(singles(12.0, 1003.0), empties(), GPU).reason
    assert "1 ms more than an empty one" in reason
    assert "claim 12 µs" in reason
    assert "let solve wait" in reason


def test_a_few_late_brackets_of_an_honest_kernel_are_forgiven() -> None:
    brackets = [*singles(103.0, 103.0, 15), *singles(103.0, 5000.0, 4)]
    assert assess(brackets, empties(), GPU).credible


@pytest.mark.parametrize("claimed_us", [0.0, -5.0])
def test_no_call_takes_no_time(claimed_us: float) -> None:
    assert "no call takes no time" in assess(singles(claimed_us, 3.0), empties(), GPU).reason
    assert (
        "no call takes no time" in assess_batches(batches(claimed_us, 3.0), empties(K), GPU).reason
    )


def test_claiming_more_time_than_passed_is_a_lie_as_well() -> None:
    report = assess(singles(1003.0, 503.0), empties(), GPU)
    assert not report.credible
    assert "only 500 µs passed" in report.reason
    batch = assess_batches(batches(50.0, 20.0), empties(K), GPU)
    assert not batch.credible
    assert "only 20 µs passed" in batch.reason


def test_the_events_own_cost_is_not_held_against_the_submission() -> None:
    """An empty call has an E too, and F - F0 lacks it: for a null kernel all of E is that."""
    dear = [bracket(40.0, EMPTY_FENCE_US)] * 5
    assert assess([bracket(40.5, EMPTY_FENCE_US + 0.5)] * 5, dear, GPU).credible


@pytest.mark.parametrize("real_us", [0.5, 3.0, 8.0, 23.0, 99.0])
def test_an_honest_batch_is_credible(real_us: float) -> None:
    report = assess_batches(batches(real_us + EMPTY_EVENT_US, real_us), empties(K), GPU)
    assert report.credible
    assert report.t_us == pytest.approx(real_us, abs=0.01)


def test_a_batch_must_account_for_97_percent_of_its_time_but_for_a_constant() -> None:
    real_us = 20.0
    least = 0.97 * real_us - 0.3
    assert assess_batches(batches(least + 0.01, real_us), empties(K), GPU).credible
    report = assess_batches(batches(least - 0.01, real_us), empties(K), GPU)
    assert not report.credible
    assert "in batches of 64" in report.reason


def test_what_one_call_may_hide_a_batch_may_not() -> None:
    """10 us of a 20 us kernel drown in a single bracket's noise, not in a batch's."""
    assert assess(singles(10.0, 20.0), empties(), GPU).credible
    assert not assess_batches(batches(10.0, 20.0), empties(K), GPU).credible


@given(
    st.floats(min_value=200.0, max_value=1e5),
    st.floats(min_value=0.0, max_value=0.9),
    st.floats(min_value=0.0, max_value=1.0),
)
def test_claiming_still_less_never_becomes_credible(
    real_us: float, claimed: float, factor: float
) -> None:
    less = assess(singles(real_us * claimed * factor, real_us), empties(), GPU)
    more = assess(singles(real_us * claimed, real_us), empties(), GPU)
    assert more.credible or not less.credible


@pytest.mark.parametrize("judge_clocks", [assess, assess_batches])
def test_brackets_that_cannot_be_compared_are_refused(judge_clocks: object) -> None:
    assert callable(judge_clocks)
    one: Sequence[Bracket] = singles(3.0, 3.0)
    with pytest.raises(ValueError, match="different numbers"):
        judge_clocks(one, empties(K), GPU)
    with pytest.raises(ValueError, match="at least one sample"):
        judge_clocks(one, [], GPU)


def test_a_batch_is_no_single_call() -> None:
    with pytest.raises(ValueError, match="assess_batches"):
        assess(batches(3.0, 3.0), empties(K), GPU)


def test_f0_is_the_median_of_all_empty_brackets() -> None:
    assert baseline_ns(empties()) == EMPTY_FENCE_US * 1e3


def test_short_calls_need_batches_and_long_ones_do_not() -> None:
    assert needs_batches(99.9, GPU)
    assert not needs_batches(100.0, GPU)


#: As measured on an H200: E, T without the events' cost, and E of a call in a batch of 64, in us.
RECORDED = {
    "null kernel": (3.024, 1.785, 1.746),
    "spin 5 us": (7.968, 6.511, 6.443),
    "spin 20 us": (23.04, 21.55, 21.497),
    "spin 100 us": (103.04, 101.56, 101.345),
}
EVENTS_US = 1.28


def short_report(
    e_us: float, t_us: float, batch_e_us: float, alone_us: float | None = None
) -> CredibilityReport:
    """What a call says whose events claim ``e_us`` alone and ``batch_e_us`` in a row.

    By the judge's clock it takes ``t_us`` in a row and ``alone_us`` alone (the same if None), both
    without the events' cost.
    """
    single_empty = [bracket(EVENTS_US, 370.0)] * 10
    batch_empty = [bracket(EVENTS_US, 370.0, K)] * 10
    fence_us = 370.0 + (t_us if alone_us is None else alone_us)
    single = assess([bracket(e_us, fence_us)] * 20, single_empty, GPU)
    batch = assess_batches([bracket(batch_e_us * K, 370.0 + t_us * K, K)] * 12, batch_empty, GPU)
    return vouch(single, batch, event_cost_us(single_empty), ClockRules.of(GPU, K))


@pytest.mark.parametrize("name", RECORDED)
def test_batches_vouch_for_the_events_of_an_honest_short_call(name: str) -> None:
    e_us, t_us, batch_e_us = RECORDED[name]
    report = short_report(e_us, t_us, batch_e_us)
    assert report.credible
    assert report.basis is TimeBasis.E
    assert report.e_us == pytest.approx(e_us, abs=1e-3)
    assert report.t_us == pytest.approx(e_us, abs=0.26)


@pytest.mark.parametrize(
    ("name", "factor"),
    [("spin 5 us", 0.5), ("spin 20 us", 0.5), ("spin 20 us", 0.9), ("spin 100 us", 0.9)],
)
def test_events_that_under_report_are_not_credible(name: str, factor: float) -> None:
    e_us, t_us, batch_e_us = RECORDED[name]
    assert not short_report(factor * e_us, t_us, factor * batch_e_us).credible


@given(st.sampled_from(sorted(RECORDED)), st.floats(min_value=0.0, max_value=1.0))
def test_lying_about_single_calls_alone_gains_3_percent_and_1_us_at_most(
    name: str, factor: float
) -> None:
    e_us, t_us, batch_e_us = RECORDED[name]
    report = short_report(factor * e_us, t_us, batch_e_us)
    if report.credible:
        assert report.t_us is not None
        reported = report.e_us if report.basis is TimeBasis.E else report.t_us
        assert reported >= 0.97 * (t_us + EVENTS_US) - 1.0 - 1e-3


#: T of a null kernel in each of 20 processes on an H200, in us: its launch takes the host longer.
NULL_T_US = (
    *(2.715, 2.723, 2.74, 2.797, 2.939, 3.116, 3.178, 3.197, 3.439, 3.439),
    *(3.446, 3.616, 3.737, 3.747, 3.95, 4.021, 4.102, 4.255, 4.418, 4.816),
)


def test_a_null_kernel_is_reported_by_its_events_however_slowly_it_is_launched() -> None:
    bases = [
        short_report(3.04, t_us - EVENTS_US, t_us - EVENTS_US - 0.3, alone_us=1.8).basis
        for t_us in NULL_T_US
    ]
    assert bases.count(TimeBasis.E) >= 17


def test_a_call_that_takes_longer_in_a_row_is_reported_by_the_judge_s_clock() -> None:
    """Launches hide in the device's switch of contexts before a single call, not in a batch."""
    report = short_report(45.0, 60.0, 60.0, alone_us=45.0 - EVENTS_US)
    assert not report.reason
    assert report.basis is TimeBasis.T
    assert report.t_us == pytest.approx(60.0 + EVENTS_US)


def test_the_limit_grows_with_the_copies_in_the_bracket() -> None:
    large = replace(GPU, residual_f0_fraction=0.01)
    empty = [bracket(1.28, 900.0)] * 10
    late = [bracket(1468.0, 900.0 + 1468.0 + 26.0)] * 20
    assert not assess(late, empty, GPU).credible
    assert assess(late, empty, large).credible


#: F0, E and residual of single calls as three H200s left them, in us: those nearest to their limit.
#: A reduction's and a narrow product's F0 were not recorded; they are those of buffers no larger.
HONEST = {
    "a reduction of a gigabyte": (936.0, 1186.4, 19.32),
    "another reduction of a gigabyte": (936.0, 616.3, 5.55),
    "a narrow product": (440.0, 171.5, 10.56),
    "a reduction of 64 MB": (404.0, 87.0, 7.48),
    "a transpose": (656.0, 305.9, 7.92),
    "spin 1000 us": (372.4, 1003.0, 6.33),
    "copy 256 MB": (650.3, 128.7, 1.49),
    "naive SGEMM 2048": (379.0, 2490.5, 9.25),
    "tiled SGEMM 2048": (379.0, 1917.9, 9.62),
    "naive SGEMM 4096": (445.5, 23476.7, 54.76),
}


def left(f0_us: float, e_us: float, residual_us: float) -> CredibilityReport:
    """What a GPU's rules say of single calls that left this residual."""
    called = [bracket(e_us, f0_us + e_us + residual_us)] * 20
    return assess(called, [bracket(EVENTS_US, f0_us)] * 20, TIMING)


@pytest.mark.parametrize("name", HONEST)
def test_no_honest_kernel_that_was_recorded_is_doubted(name: str) -> None:
    report = left(*HONEST[name])
    assert report.credible, report.reason


@pytest.mark.parametrize("residual_us", [9.51, 11.47])
def test_a_tenth_of_100_us_hidden_as_recorded_is_doubted(residual_us: float) -> None:
    assert not left(366.1, 93.3, residual_us).credible


def test_a_sample_on_e_is_the_events_time_of_one_call() -> None:
    assert sample_ms(bracket(1500.0, 9999.0), 0.0, TimeBasis.E, GPU) == 1.5
    assert sample_ms(bracket(1500.0, 9999.0, 2), 0.0, TimeBasis.E, GPU) == 0.75


def test_a_sample_on_t_is_the_judges_time_of_one_call_and_ignores_the_claim() -> None:
    honest = bracket(64 * 8.0, 400.0 + 64 * 8.0, 64)
    lying = bracket(64 * 0.01, 400.0 + 64 * 8.0, 64)
    for sample in (honest, lying):
        assert sample_ms(sample, 400e3, TimeBasis.T, GPU) == pytest.approx(8e-3)


def test_no_time_on_t_is_shorter_than_the_clocks_can_tell() -> None:
    early = bracket(64 * 0.01, 399.0, 64)
    assert sample_ms(early, 400e3, TimeBasis.T, GPU) == pytest.approx(0.3e-3)


def test_a_batch_of_few_calls_shares_a_bracket_s_disturbance_among_them() -> None:
    assert ClockRules.of(GPU, 3).batch_slack_us == pytest.approx(4.0)
    # A reduction of 2^24 floats on an H200, three calls a batch: 26.2 us on T, 24.7 us on E.
    honest = [bracket(3 * 24.7, 400.0 + 3 * 26.2, calls=3)] * 5
    assert assess_batches(honest, empties(3), GPU).credible


def test_a_noisier_device_has_looser_rules_and_none_has_stricter_ones_than_a_gpu() -> None:
    gpu = ClockRules.of(GPU, 64)
    assert (gpu.batch_fraction, gpu.batch_slack_us) == (0.97, 0.3)
    noisy = ClockRules.of(
        TimingLimits(
            max_seconds=3.0,
            processes=3,
            residual_us=400.0,
            residual_fraction=0.1,
            batch_below_us=100.0,
            batch_calls=16,
        ),
        16,
    )
    assert (noisy.batch_fraction, noisy.batch_slack_us) == (0.9, 25.0)


H200 = Peaks(memory_bytes_per_s=4.25e12, flops_per_s=50e12, cache_bytes=50_000_000)


def test_the_floor_is_the_slower_of_memory_and_arithmetic() -> None:
    assert floor_us(0.0, 537e6, H200) == pytest.approx(487e6 / 4.25e12 * 1e6)
    assert floor_us(2 * 4096**3, 3 * 4 * 4096**2, H200) == pytest.approx(2749, rel=1e-3)


def test_the_fastest_precision_sets_the_floor_and_nothing_measured_sets_none() -> None:
    measured = DevicePeaks(4.25e12, {"fp32": 50e12, "bf16": 790e12}, 50_000_000)
    assert Peaks.of(measured) == Peaks(4.25e12, 790e12, 50_000_000)
    assert Peaks.of(None) == Peaks()


def test_what_fits_in_the_cache_need_not_reach_memory() -> None:
    assert floor_us(0.0, 40e6, H200) == 0.0


def test_without_known_peaks_nothing_is_too_fast() -> None:
    assert floor_us(1e12, 1e12, Peaks()) == 0.0
    assert below_floor(0.001, 1e12, 1e12, Peaks()) is None


def test_a_time_under_the_floor_is_named_and_a_measured_peak_has_a_margin() -> None:
    floor = floor_us(0.0, 537e6, H200)
    assert below_floor(floor, 0.0, 537e6, H200) is None
    assert below_floor(0.96 * floor, 0.0, 537e6, H200) is None
    sentence = below_floor(0.9 * floor, 0.0, 537e6, H200)
    assert sentence is not None
    assert "needs at least 115 µs" in sentence
    assert below_floor(float("nan"), 0.0, 537e6, H200) is not None
