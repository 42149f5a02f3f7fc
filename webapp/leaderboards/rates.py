"""Rates from times: GFLOP/s, GB/s and percent of peak of a Score.

A Score is a geometric mean over Workloads, so its rates are geometric means too: the geometric
mean of ``flops_i / t_i`` is that of ``flops_i`` over the Score. One division a row, no samples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from judge.domain import DeviceKind, Problem
from judge.problems.expressions import evaluate
from webapp.ops.peaks import Peaks


@dataclass(frozen=True)
class Work:
    """What one call of a problem has to do on a kind of device, geometric means over Workloads.

    None where a problem names no flops or bytes. By ``peaks``, nothing is faster than ``floor_ms``
    (None where all fits in the cache), and ``ideal_ms`` is what percents of peak are of.
    """

    flops: float | None
    bytes: float | None
    peaks: Peaks | None
    floor_ms: float | None
    ideal_ms: float | None

    def gflop_per_s(self, time_ms: float) -> float | None:
        return self.flops / time_ms / 1e6 if self.flops else None

    def gbyte_per_s(self, time_ms: float) -> float | None:
        return self.bytes / time_ms / 1e6 if self.bytes else None

    def percent_of_peak(self, time_ms: float) -> float | None:
        """100 is as fast as memory and the problem's precision go by the measured peaks."""
        return 100.0 * self.ideal_ms / time_ms if self.ideal_ms else None

    @property
    def intensity(self) -> float | None:
        """FLOP/B."""
        return self.flops / self.bytes if self.flops and self.bytes else None


def work_of(problem: Problem, kind: DeviceKind, peaks: Peaks | None) -> Work:
    """The work of ``problem``'s Workloads on devices of ``kind``."""
    workloads = problem.workloads_for(kind)
    flops = [float(evaluate(problem.flops, workload.sizes)) for workload in workloads]
    moved = [float(evaluate(problem.bytes, workload.sizes)) for workload in workloads]
    pairs = list(zip(flops, moved, strict=True))
    floors = [peaks.floor_ms(f, b) for f, b in pairs] if peaks else []
    ideals = [peaks.ideal_ms(f, b) for f, b in pairs] if peaks else []
    return Work(_mean(flops), _mean(moved), peaks, _mean(floors), _mean(ideals))


def _mean(values: Sequence[float]) -> float | None:
    """The geometric mean, or None where there is none to speak of."""
    if not values or min(values) <= 0.0:
        return None
    return math.exp(math.fsum(map(math.log, values)) / len(values))
