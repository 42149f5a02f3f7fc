"""What verdicts and clocks mean, in words for the page of a Run."""

from __future__ import annotations

from collections.abc import Mapping

from judge.domain import TimeBasis, Verdict
from webapp.submissions.models import WorkloadTiming

#: What each verdict says about the submission, and what to do next.
MEANINGS: Mapping[Verdict, str] = {
    Verdict.AC: "Every output was right, in the tests and in every timed call.",
    Verdict.WA: "It ran, but not every output was right. The first failing case is shown below.",
    Verdict.CE: "The compiler did not take it, so nothing was run. Its messages name the lines.",
    Verdict.RTE: "It crashed, misused memory, or CUDA reported an error.",
    Verdict.TLE: "A call took longer than the problem allows.",
    Verdict.MLE: "It asked for more memory than the problem allows.",
    Verdict.OLE: "It printed more than a run may. Take the printing out.",
    Verdict.TNC: "The outputs were right, but the two clocks disagree about the time, so it does "
    "not count.",
    Verdict.UNS: "It uses something that this device cannot do. It may well be right elsewhere.",
    Verdict.AB: "The judging was stopped before it ended. It does not count.",
    Verdict.JE: "The judge failed, which is not your fault. The site's admins can see it.",
}

#: The same where it differs for a library call, which the judge makes itself.
BASELINE_MEANINGS: Mapping[Verdict, str] = {
    **MEANINGS,
    Verdict.AC: "Every output of the library call was right. It is shown, and has no rank.",
    Verdict.JE: "The judge failed, or the library call was wrong. The site's admins can see it.",
}


def clocks(timing: WorkloadTiming, is_baseline: bool = False) -> list[str]:
    """Sentences about what the two clocks saw in one Workload."""
    if is_baseline:
        return [
            f"The time reported is E = {_us(timing.e_us)} by the event clock around the library "
            "call, on fresh inputs and with flushed caches as for a submission.",
            "The judge made the call itself, so there is nobody to vouch for: F was not read.",
        ]
    return [_reported(timing), _independent(timing)]


def _reported(timing: WorkloadTiming) -> str:
    event = f"E = {_us(timing.e_us)} by the event clock around solve in the runner"
    if timing.t_us is None:
        return f"The time reported is {event}."
    batches = f"T = {_us(timing.t_us)} a call by the judge's own clock over batches of calls"
    if timing.basis == TimeBasis.T:
        return f"A call is short: the time reported is {batches}. The runner said {event}."
    return f"A call is short: the time reported is {event}, borne out by {batches}."


def _independent(timing: WorkloadTiming) -> str:
    residual = timing.f_residual_us
    span = "a whole batch" if timing.t_us is not None else "the call"
    clock = f"F, the judge's own clock around {span} and all that belongs to it,"
    if residual <= 0:
        return (
            f"{clock} saw no more than that ({_us(residual)} once E and an empty call's F₀ are "
            "taken off): nothing was hidden outside."
        )
    share = ""
    if timing.t_us is None and timing.e_us > 0:
        percent = 100 * residual / timing.e_us
        share = f", {percent:.2g} % of E" if percent < 100 else f", {percent:.0f} % of E"
    return (
        f"{clock} saw {_us(residual)} beyond E and an empty call's F₀{share}: no more work than "
        "that can have been hidden outside."
    )


def _us(value: float) -> str:
    """Microseconds with at most four significant digits."""
    text = f"{value:.4g}" if abs(value) < 10_000 else f"{value:,.0f}"
    return f"{text.replace('-', '−')} µs"
