"""A device's measured peaks, where a worker has reported any.

A worker that measures its GPU puts them into the environment of its reports under ``peaks``:
``copy_bytes_per_s``, ``flops_per_s`` by precision (``fp32``, ``fp16``, ``bf16``, …) and
``cache_bytes`` (``judge.domain.DevicePeaks``). Peaks are never taken from a data sheet, so an
unmeasured device has none: pages then say so instead of drawing a ceiling.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judge.domain import DType
from webapp.ops.models import Device

_PRECISIONS: Mapping[DType, str] = {
    DType.FLOAT32: "fp32",
    DType.FLOAT16: "fp16",
    DType.BFLOAT16: "bf16",
    DType.FLOAT64: "fp64",
}


@dataclass(frozen=True)
class Peaks:
    """Measured ceilings; rates of arithmetic are None where they were not measured.

    ``flops_per_s`` is of the precision named, ``fastest_flops_per_s`` of whichever is fastest: what
    no kernel passes, however it splits its numbers over tensor cores. ``cache_bytes`` need not
    reach memory while the clock runs.
    """

    bytes_per_s: float
    flops_per_s: float | None
    precision: str
    fastest_flops_per_s: float | None = None
    cache_bytes: float = 0.0

    def floor_ms(self, flops: float, bytes_moved: float) -> float:
        """The time that nothing can be faster than, by the rule that the judge doubts times by."""
        uncached = max(0.0, bytes_moved - self.cache_bytes)
        return self._ms(uncached, flops, self.fastest_flops_per_s)

    def ideal_ms(self, flops: float, bytes_moved: float) -> float:
        """The roofline's time: memory or arithmetic of this precision, whichever takes longer."""
        return self._ms(bytes_moved, flops, self.flops_per_s)

    def _ms(self, bytes_moved: float, flops: float, rate: float | None) -> float:
        seconds = bytes_moved / self.bytes_per_s
        return 1e3 * (max(seconds, flops / rate) if rate else seconds)


def peaks_of(device: Device, precision: DType) -> Peaks | None:
    """What the worker heard of last says the device can do; None where nobody measured. 1 query."""
    if device.is_emulated:
        return None
    environment = (
        device.workers.order_by("-last_seen_at").values_list("environment", flat=True).first()
    )
    return read_peaks((environment or {}).get("peaks"), precision)


def read_peaks(reported: Any, precision: DType) -> Peaks | None:
    """Peaks from their reported form; None for anything that is not positive and finite."""
    if not isinstance(reported, Mapping):
        return None
    bytes_per_s = _positive(reported.get("copy_bytes_per_s"))
    if bytes_per_s is None:
        return None
    name = _PRECISIONS.get(precision, precision.value)
    flops = reported.get("flops_per_s")
    rates = {
        key: rate
        for key, value in (flops.items() if isinstance(flops, Mapping) else ())
        if (rate := _positive(value)) is not None
    }
    return Peaks(
        bytes_per_s=bytes_per_s,
        flops_per_s=rates.get(name),
        precision=name,
        fastest_flops_per_s=max(rates.values(), default=None),
        cache_bytes=_positive(reported.get("cache_bytes")) or 0.0,
    )


def _positive(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and value > 0 else None
