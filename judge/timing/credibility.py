"""Whether the runner's clock and the judge's clock tell the same story, and which one to report.

E, the event clock, is precise but in the submission's hands. F, the judge's own clock, spans
everything a cheat could hide work in, and carries the bracket's fixed cost F0, measured with an
empty ``solve`` of the same footprint. docs/measurement.md tells what each covers.

Pure arithmetic on brackets; knows no device, and gives no verdict: the pipeline turns a report
that is not credible into TNC.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.devices.interface import Bracket, TimingLimits
from judge.domain import DevicePeaks, TimeBasis
from judge.timing.statistics import median


@dataclass(frozen=True)
class ClockRules:
    """How far the clocks of one device may differ.

    One call: median(F - F0 - E) <= ``residual_us`` + ``residual_fraction`` * E +
    ``f0_fraction`` * F0.
    A batch of K calls, with T = (F_K - F0_K) / K: E / K >= ``batch_fraction`` * T -
    ``batch_slack_us``. Batches vouch for a single call's E when E >= ``batch_fraction`` * T -
    ``vouch_slack_us``: a call shorter than its own launch takes longer in a row than alone.

    A GPU's constants come from honest kernels and injected cheats on an H200 (docs/measurement.md,
    "What was injected"). Other devices calibrate ``TimingLimits``; see ``of``.
    """

    residual_us: float
    residual_fraction: float
    batch_fraction: float = 0.97
    batch_slack_us: float = 0.3
    f0_fraction: float = 0.0
    vouch_slack_us: float = 1.0

    @classmethod
    def of(cls, limits: TimingLimits, calls: int) -> ClockRules:
        """The rules of a device with ``limits`` for brackets of K = ``calls``.

        A batch has one bracket's disturbance to share among its calls, so its slack is
        ``batch_residual_us`` / K (``residual_us`` / K on a device that names none), and its
        fraction is the device's; neither is stricter than a GPU's for a full batch. Large buffers
        make batches of few calls.
        """
        slack_us = max(limits.residual_us, limits.batch_residual_us) / calls
        return cls(
            residual_us=limits.residual_us,
            residual_fraction=limits.residual_fraction,
            batch_fraction=1.0 - max(0.03, limits.residual_fraction),
            batch_slack_us=max(0.3, slack_us),
            f0_fraction=limits.residual_f0_fraction,
            vouch_slack_us=max(1.0, slack_us),
        )


@dataclass(frozen=True)
class CredibilityReport:
    """What the clocks said; times in us, medians over the brackets, E a call's.

    ``residual_us`` is median(F - F0 - E) of a whole bracket and ``allowed_us`` its limit; ``t_us``
    is set for batches only. ``reason`` is a sentence for the submission's owner, empty when
    credible. ``basis`` is the clock to report.
    """

    credible: bool
    reason: str
    e_us: float
    f0_us: float
    residual_us: float
    allowed_us: float
    t_us: float | None = None
    basis: TimeBasis = TimeBasis.E


@dataclass(frozen=True)
class Peaks:
    """Measured ceilings of a device; None where unknown.

    ``cache_bytes`` need not reach memory while the clock runs: what fits in the last-level cache.
    """

    memory_bytes_per_s: float | None = None
    flops_per_s: float | None = None
    cache_bytes: int = 0

    @classmethod
    def of(cls, measured: DevicePeaks | None) -> Peaks:
        """The ceilings that no kernel passes, whatever precision it computes in."""
        if measured is None:
            return cls()
        return cls(
            measured.copy_bytes_per_s,
            max(measured.flops_per_s.values(), default=None),
            measured.cache_bytes,
        )


#: A time this close under the floor still passes: peaks are measured too, and not exceeded by 5 %.
FLOOR_MARGIN = 0.95


def baseline_ns(empty: Sequence[Bracket]) -> float:
    """F0: the median fence time of brackets around an empty ``solve``, before and after pooled."""
    return median([bracket.fence_ns for bracket in empty])


def event_cost_us(empty: Sequence[Bracket]) -> float:
    """E of an empty ``solve``: what a pair of events reads with nothing between, by single calls.

    F0 takes it away from F, and E holds it, as the times of other tools do.
    """
    return median([bracket.event_ns / bracket.calls / 1e3 for bracket in empty])


def needs_batches(e_us: float, limits: TimingLimits) -> bool:
    """Whether a call is too short for the judge's clock to tell much about a single one."""
    return e_us < limits.batch_below_us


def sample_ms(
    bracket: Bracket,
    f0_ns: float,
    basis: TimeBasis,
    limits: TimingLimits,
    events_us: float = 0.0,
) -> float:
    """The time of one call that ``bracket`` stands for, in ms.

    On T it is (F_K - F0_K) / K + ``events_us``, never under the batch's slack: the clocks cannot
    tell shorter times apart, and a difference of two noisy clocks may come out at or below zero.
    """
    if basis is TimeBasis.E:
        return bracket.event_ns / bracket.calls / 1e6
    slack_us = ClockRules.of(limits, bracket.calls).batch_slack_us
    return max(_t_us(bracket, f0_ns) + events_us, slack_us) / 1e3


def assess(
    brackets: Sequence[Bracket], empty: Sequence[Bracket], limits: TimingLimits
) -> CredibilityReport:
    """Compare the clocks over brackets of one call each.

    ``empty`` are brackets of the same shape around an empty ``solve`` in a trusted runner, taken
    before and after. ValueError when a list is empty or the brackets' calls differ.
    """
    _same_calls([*brackets, *empty])
    if brackets[0].calls != 1:
        raise ValueError("brackets of several calls are a batch: use assess_batches")
    rules = ClockRules.of(limits, 1)
    f0_ns = baseline_ns(empty)
    e_us = median([b.event_ns / 1e3 for b in brackets])
    residual_us = median([(b.fence_ns - f0_ns - b.event_ns) / 1e3 for b in brackets])
    allowed_us = (
        rules.residual_us
        + rules.residual_fraction * max(e_us, 0.0)
        + rules.f0_fraction * f0_ns / 1e3
    )
    # An empty bracket has an E of its own (the events' cost), which F0 took away from F.
    empty_e_us = median([b.event_ns / 1e3 for b in empty])
    seen_us = e_us + residual_us
    reason = ""
    if not e_us > 0.0:
        reason = _no_time(e_us)
    elif not residual_us <= allowed_us:
        reason = _hidden_work(seen_us, e_us, allowed_us, "a call")
    elif not residual_us + empty_e_us >= -allowed_us:
        reason = _overstated(seen_us, e_us, allowed_us, "a call")
    return CredibilityReport(not reason, reason, e_us, f0_ns / 1e3, residual_us, allowed_us)


def assess_batches(
    brackets: Sequence[Bracket], empty: Sequence[Bracket], limits: TimingLimits
) -> CredibilityReport:
    """Compare the clocks over brackets of K calls each, K the same in all.

    Bounds what a short call can hide: in a batch it can hide it once, not K times. Arguments and
    errors as in ``assess``.
    """
    _same_calls([*brackets, *empty])
    calls = brackets[0].calls
    rules = ClockRules.of(limits, calls)
    f0_ns = baseline_ns(empty)
    e_us = median([b.event_ns / calls / 1e3 for b in brackets])
    t_us = median([_t_us(b, f0_ns) for b in brackets])
    lacking_us = median(
        [rules.batch_fraction * _t_us(b, f0_ns) - b.event_ns / calls / 1e3 for b in brackets]
    )
    empty_e_us = median([b.event_ns / calls / 1e3 for b in empty])
    beyond_us = median(
        [
            rules.batch_fraction * (b.event_ns / calls / 1e3 - empty_e_us) - _t_us(b, f0_ns)
            for b in brackets
        ]
    )
    allowed_us = rules.batch_slack_us + (1.0 - rules.batch_fraction) * max(t_us, 0.0)
    who = f"a call (in batches of {calls})"
    reason = ""
    if not e_us > 0.0:
        reason = _no_time(e_us)
    elif not lacking_us <= rules.batch_slack_us:
        reason = _hidden_work(t_us, e_us, allowed_us, who)
    elif not beyond_us <= rules.batch_slack_us:
        reason = _overstated(t_us, e_us, allowed_us, who)
    residual_us = median([(b.fence_ns - f0_ns - b.event_ns) / 1e3 for b in brackets])
    return CredibilityReport(
        not reason,
        reason,
        e_us,
        f0_ns / 1e3,
        residual_us,
        allowed_us * calls,
        t_us,
        TimeBasis.T,
    )


def vouch(
    single: CredibilityReport, batch: CredibilityReport, events_us: float, rules: ClockRules
) -> CredibilityReport:
    """One report on a short call from its single brackets and from its batches.

    Each must be credible by itself. With T = (F_K - F0_K) / K + ``events_us`` (E of an empty call,
    which F0 took away), E is reported where E >= ``batch_fraction`` * T - ``vouch_slack_us``: the
    judge's clock vouches for it and it is the more precise. Else the call takes longer in a
    row than alone: its work on the host (launches, allocations) hides in a single bracket, or
    something else does; then T is reported, which is the judge's own.
    """
    if not single.credible:
        return single
    if not batch.credible or batch.t_us is None:
        return batch
    t_us = batch.t_us + events_us
    agree = single.e_us >= rules.batch_fraction * t_us - rules.vouch_slack_us
    return replace(single, t_us=t_us, basis=TimeBasis.E if agree else TimeBasis.T)


def floor_us(flops: float, bytes_moved: float, peaks: Peaks) -> float:
    """The shortest time in us that ``peaks`` allow for this work; 0 when none is known."""
    floor_s = 0.0
    if peaks.memory_bytes_per_s:
        floor_s = max(0.0, bytes_moved - peaks.cache_bytes) / peaks.memory_bytes_per_s
    if peaks.flops_per_s:
        floor_s = max(floor_s, flops / peaks.flops_per_s)
    return floor_s * 1e6


def below_floor(time_us: float, flops: float, bytes_moved: float, peaks: Peaks) -> str | None:
    """A sentence that says why ``time_us`` is faster than the hardware can be; None if it is not.

    ``flops`` and ``bytes_moved`` are what the problem cannot do without, ``flops_per_s`` the peak
    of the fastest precision the problem admits.
    """
    floor = floor_us(flops, bytes_moved, peaks)
    if time_us >= FLOOR_MARGIN * floor:
        return None
    return (
        f"A call took {_us(time_us)}, but this device needs at least {_us(floor)} for "
        f"{flops:.3g} operations and {bytes_moved:.3g} bytes: some of the work was not done in it."
    )


def _t_us(bracket: Bracket, f0_ns: float) -> float:
    return (bracket.fence_ns - f0_ns) / bracket.calls / 1e3


def _same_calls(brackets: Sequence[Bracket]) -> None:
    if len({bracket.calls for bracket in brackets}) > 1:
        raise ValueError("brackets with different numbers of calls cannot be compared")


def _no_time(e_us: float) -> str:
    return (
        f"The timing events claim {_us(e_us)} for a call: no call takes no time. "
        "Something interfered with the events around solve."
    )


def _hidden_work(seen_us: float, e_us: float, allowed_us: float, who: str) -> str:
    return (
        f"The two clocks disagree: by the judge's clock {who} took {_us(seen_us)} more than an "
        f"empty one, the events around solve claim {_us(e_us)}; {_us(allowed_us)} of difference is "
        "allowed. Work that goes on outside the call does this (another stream, a graph, a host "
        "thread): let solve wait for all that it starts."
    )


def _overstated(seen_us: float, e_us: float, allowed_us: float, who: str) -> str:
    return (
        f"The two clocks disagree: the events around solve claim {_us(e_us)} for {who}, but by the "
        f"judge's clock only {_us(seen_us)} passed; {_us(allowed_us)} of difference is allowed. "
        "Something interfered with the events."
    )


def _us(value_us: float) -> str:
    """A time for people: three significant digits, in us or ms."""
    if abs(value_us) >= 1000.0:
        return f"{value_us / 1000.0:.4g} ms"
    return f"{value_us:.3g} µs"
