"""When a Workload has been sampled enough in one process.

An object fed one sample at a time that says whether to go on, and why it stopped. It knows no
device; time comes from the clock it is given. Rule and figures:
docs/decisions/stop-rule-and-median-of-medians.md.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from judge.timing.statistics import median_interval

#: Replicates of the interval that decides about stopping; the reported one uses more.
_RESAMPLES = 1000

#: Single calls of a Workload that batches vouch for, at least: so short, they cost little, and on
#: an H200 a copy's medians of 15 a process lay 4.1 % apart, of 45 a process 0.6 %.
_VOUCHED_SAMPLES = 135

#: After a look at the interval, the sample grows by this much before the next one.
_GROWTH = 1.05


class StopReason(StrEnum):
    """Why sampling stopped."""

    PRECISE = "precise"
    OUT_OF_TIME = "out of time"


@dataclass(frozen=True)
class StopCriteria:
    """What is enough.

    Stop when the 95 % interval of the median is within ± ``relative_half_width`` of it, with at
    least ``min_samples`` (``min_samples_slow`` when the median call takes over ``slow_call_ms``).
    Past ``max_seconds`` stop anyway, but not before ``min_samples_ever``: two samples have no
    middle. ``max_seconds`` is for this rule, hence one process: split a Workload's budget first.
    """

    max_seconds: float
    relative_half_width: float = 0.005
    min_samples: int = 20
    min_samples_slow: int = 12
    slow_call_ms: float = 10.0
    min_samples_ever: int = 3


def shared_out(budget_seconds: float, processes: int, vouched: bool) -> StopCriteria:
    """The rule for one of a Workload's ``processes``; ``vouched``: for short calls, one by one."""
    whole = StopCriteria(max_seconds=budget_seconds)
    least = _VOUCHED_SAMPLES if vouched else whole.min_samples
    return replace(
        whole,
        max_seconds=whole.max_seconds / processes,
        min_samples=math.ceil(least / processes),
        min_samples_slow=math.ceil(whole.min_samples_slow / processes),
    )


@dataclass(frozen=True)
class Decision:
    """What the rule says after a sample; ``text`` is for logs and for the Run's page.

    ``relative_half_width`` is the interval's at the last look; None before the first.
    """

    stop: bool
    reason: StopReason | None
    samples: int
    relative_half_width: float | None
    text: str


class StopRule:
    """One process's sampling of one Workload; the time limit counts from construction."""

    def __init__(
        self,
        criteria: StopCriteria,
        generator: np.random.Generator,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._criteria = criteria
        self._generator = generator
        self._clock = clock
        self._began = clock()
        self._samples: list[float] = []
        self._next_look = min(criteria.min_samples, criteria.min_samples_slow)
        self._half_width: float | None = None

    @property
    def samples(self) -> tuple[float, ...]:
        """Everything fed so far, in order."""
        return tuple(self._samples)

    def feed(self, sample_ms: float) -> Decision:
        """Add one sample and decide. ValueError for NaN or an infinity."""
        if not math.isfinite(sample_ms):
            raise ValueError(f"{sample_ms!r} ms is not a sample: no clock reads that")
        self._samples.append(sample_ms)
        count = len(self._samples)
        if count >= self._next_look and self._precise():
            return self._decision(StopReason.PRECISE)
        out_of_time = self._clock() - self._began >= self._criteria.max_seconds
        if out_of_time and count >= self._criteria.min_samples_ever:
            return self._decision(StopReason.OUT_OF_TIME)
        return self._decision(None)

    def _precise(self) -> bool:
        count = len(self._samples)
        slow = float(np.median(self._samples)) > self._criteria.slow_call_ms
        needed = self._criteria.min_samples_slow if slow else self._criteria.min_samples
        if count < needed:
            self._next_look = count + 1
            return False
        estimate = median_interval(self._samples, self._generator, resamples=_RESAMPLES)
        self._half_width = estimate.relative_half_width
        self._next_look = max(count + 1, math.ceil(count * _GROWTH))
        return self._half_width <= self._criteria.relative_half_width

    def _decision(self, reason: StopReason | None) -> Decision:
        count, width = len(self._samples), self._half_width
        within = "" if width is None else f", median within ±{100 * width:.2f} %"
        if reason is StopReason.PRECISE:
            text = f"stopped after {count} samples{within}"
        elif reason is StopReason.OUT_OF_TIME:
            limit = self._criteria.max_seconds
            text = f"stopped at the limit of {limit:g} s after {count} samples{within}"
        else:
            text = f"{count} samples so far{within}"
        return Decision(reason is not None, reason, count, width, text)
