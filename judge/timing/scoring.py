"""One Score out of a Run's Timings. Knows the domain's nouns and logarithms, nothing else."""

from __future__ import annotations

import math
from collections.abc import Sequence

from judge.domain import Score, Timing


def score(timings: Sequence[Timing]) -> Score:
    """The geometric mean over Workloads of the median time, with a 95 % interval (ms).

    With m_i, l_i, h_i a Workload's median and its interval's ends, over n Workloads:

        value = exp(mean(ln m_i))
        low   = value * exp(-sqrt(sum(ln(m_i / l_i)**2)) / n)
        high  = value * exp(+sqrt(sum(ln(h_i / m_i)**2)) / n)

    that is, independent errors of the ln m_i added in quadrature, each side by itself (first-order
    propagation; JCGM 100:2008, section 5.1.2). One Workload keeps its own interval. ValueError
    when there is no Timing, or one whose times are not positive and in order.
    """
    if not timings:
        raise ValueError("a score needs at least one timed workload")
    log_median = below = above = 0.0
    for timing in timings:
        # Written so that NaN fails: every comparison with it is false.
        if not (0.0 < timing.ci_low_ms <= timing.median_ms <= timing.ci_high_ms < math.inf):
            raise ValueError(
                f"workload {timing.workload}: {timing.median_ms!r} ms in "
                f"[{timing.ci_low_ms!r}, {timing.ci_high_ms!r}] is not a time with its interval"
            )
        log_median += math.log(timing.median_ms)
        below += math.log(timing.median_ms / timing.ci_low_ms) ** 2
        above += math.log(timing.ci_high_ms / timing.median_ms) ** 2
    count = len(timings)
    if count == 1:
        only = timings[0]
        return Score(only.median_ms, only.ci_low_ms, only.ci_high_ms)
    value = math.exp(log_median / count)
    return Score(
        value_ms=value,
        ci_low_ms=value * math.exp(-math.sqrt(below) / count),
        ci_high_ms=value * math.exp(math.sqrt(above) / count),
    )
