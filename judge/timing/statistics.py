"""Medians of timing samples and how sure of them one can be.

Knows lists of numbers only; units pass through unchanged. Randomness comes from the caller's
generator, so the same samples and the same seed give the same interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

CONFIDENCE = 0.95

#: Bootstrap replicates: the ends of a 95 % interval then rest on 50 replicates each.
RESAMPLES = 2000

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A median and its 95 % bootstrap interval, which always contains it."""

    median: float
    low: float
    high: float

    @property
    def relative_half_width(self) -> float:
        """Half the interval's width over the median; infinite for a median of zero."""
        if self.median == 0.0:
            return float("inf") if self.high > self.low else 0.0
        return (self.high - self.low) / 2 / abs(self.median)


@dataclass(frozen=True)
class Combined:
    """Several processes' samples of one Workload, as one estimate.

    ``median`` is the median of the processes' medians; ``spread_pct`` is
    100 * (largest - smallest process median) / ``median``, 0 for a single process.
    """

    median: float
    low: float
    high: float
    process_medians: tuple[float, ...]
    spread_pct: float


def median(samples: Sequence[float]) -> float:
    """The middle sample, or the mean of the two in the middle. ValueError if there is none."""
    return float(np.median(_checked(samples)))


def median_interval(
    samples: Sequence[float], generator: np.random.Generator, *, resamples: int = RESAMPLES
) -> Estimate:
    """The median with its percentile bootstrap interval (Efron and Tibshirani, 1993, ch. 13)."""
    ordered = np.sort(_checked(samples))
    replicates = _bootstrap_medians(ordered, generator, (resamples,))
    return _estimate(float(np.median(ordered)), replicates)


def combine(
    processes: Sequence[Sequence[float]],
    generator: np.random.Generator,
    *,
    resamples: int = RESAMPLES,
) -> Combined:
    """The median of the processes' medians, with a two-level bootstrap interval.

    Each replicate draws as many processes as there are, with replacement, then from each of them
    as many samples as it has, with replacement (Davison and Hinkley, 1997, section 3.8): processes
    differ by more than their samples (memory placement, clocks), and the interval must show it.
    With one process it is ``median_interval``. ValueError when a process has no samples.
    """
    if not processes:
        raise ValueError("no process has samples: there is nothing to combine")
    ordered = [np.sort(_checked(samples)) for samples in processes]
    medians = np.array([np.median(samples) for samples in ordered])
    centre = float(np.median(medians))
    # Every drawn process needs a resampling of its own, also when one is drawn twice.
    count = len(ordered)
    drawn = generator.integers(count, size=(resamples, count))
    replicates = np.empty((resamples, count))
    for process, samples in enumerate(ordered):
        chosen = drawn == process
        replicates[chosen] = _bootstrap_medians(samples, generator, (int(chosen.sum()),))
    estimate = _estimate(centre, np.median(replicates, axis=1))
    spread = float(medians.max() - medians.min())
    return Combined(
        median=estimate.median,
        low=estimate.low,
        high=estimate.high,
        process_medians=tuple(float(m) for m in medians),
        spread_pct=100.0 * spread / abs(centre) if spread else 0.0,
    )


def _bootstrap_medians(
    ordered: _Floats, generator: np.random.Generator, shape: tuple[int, ...]
) -> _Floats:
    """Medians of resamplings of ``ordered`` (ascending), without drawing the resamplings.

    A resampling is n uniform draws on the sample's positions, so its k-th smallest element is
    ``ordered[floor(n * U)]`` with U the k-th order statistic of n uniforms: Beta(k, n + 1 - k); and
    the next order statistic above a U lies at U + (1 - U) * Beta(1, n - k) (David and Nagaraja,
    2003, section 2.5). Exact in distribution, and the cost does not grow with n.
    """
    n = len(ordered)
    half = (n + 1) // 2
    lower = generator.beta(half, n + 1 - half, size=shape)
    # n * U can round up to n; the last position is then meant.
    last = n - 1
    at_lower = ordered[np.minimum((n * lower).astype(np.int64), last)]
    if n % 2:
        return at_lower
    upper = lower + (1.0 - lower) * generator.beta(1, n - half, size=shape)
    at_upper = ordered[np.minimum((n * upper).astype(np.int64), last)]
    middle: _Floats = (at_lower + at_upper) / 2
    return middle


def _estimate(centre: float, replicates: _Floats) -> Estimate:
    tail = (1.0 - CONFIDENCE) / 2
    low, high = np.quantile(replicates, (tail, 1.0 - tail))
    # A percentile interval of a median can miss it by the width of a gap in the sample.
    return Estimate(centre, min(float(low), centre), max(float(high), centre))


def _checked(samples: Sequence[float]) -> _Floats:
    values = np.asarray(samples, dtype=np.float64)
    if values.ndim != 1 or values.size == 0:
        raise ValueError("a median needs at least one sample")
    if not np.isfinite(values).all():
        raise ValueError("samples hold a NaN or an infinity: no clock reads that")
    return values
