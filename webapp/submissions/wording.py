"""What verdicts and clocks mean, in words for the page of a Run."""

from __future__ import annotations

from collections.abc import Mapping

from judge.domain import TimeBasis, Verdict
from webapp.submissions.models import WorkloadTiming

#: What each verdict says about the submission, and what to do next.
MEANINGS: Mapping[Verdict, str] = {
    Verdict.AC: "Every output was right, in the tests and in every timed call.",
    Verdict.WA: "It ran, but an output was outside its bound. The first such case is shown below.",
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


def clocks(timing: WorkloadTiming) -> list[str]:
    """Sentences about what the two clocks saw in one Workload."""
    return [_reported(timing), _independent(timing)]


def _reported(timing: WorkloadTiming) -> str:
    if timing.basis == TimeBasis.T and timing.t_us is not None:
        return (
            f"A call is short, so calls were timed in batches: T = {_us(timing.t_us)} a call by "
            f"the judge's own clock, which is the time reported. The runner's event clock said "
            f"E = {_us(timing.e_us)}."
        )
    return (
        f"The time reported is E = {_us(timing.e_us)}, by the event clock around solve in the "
        "runner."
    )


def _independent(timing: WorkloadTiming) -> str:
    residual = timing.f_residual_us
    if residual <= 0:
        return (
            f"F, the judge's own clock around everything, saw no more than that ({_us(residual)} "
            "after an empty call's F₀ and E are taken off): nothing was hidden outside."
        )
    share = f", {100 * residual / timing.e_us:.2g} % of E" if timing.e_us > 0 else ""
    return (
        f"F, the judge's own clock around everything, saw {_us(residual)} beyond E and an empty "
        f"call's F₀{share}: no more work than that can have been hidden outside."
    )


def _us(value: float) -> str:
    """Microseconds with at most four significant digits."""
    text = f"{value:.4g}" if abs(value) < 10_000 else f"{value:,.0f}"
    return f"{text.replace('-', '−')} µs"
