"""A device's measured peaks, where a worker has reported any.

A worker that measures its GPU puts them into the environment of its reports under ``peaks``:
``copy_bytes_per_s``, ``flops_per_s`` by precision (``fp32``, ``fp16``, ``bf16``, …) and optionally
``cache_bytes``. Peaks are never taken from a data sheet, so an unmeasured device has none: pages
then say so instead of drawing a ceiling.
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
    """Measured ceilings for one precision; ``flops_per_s`` is None where that was not measured.

    ``cache_bytes`` need not reach memory while the clock runs.
    """

    bytes_per_s: float
    flops_per_s: float | None
    precision: str
    cache_bytes: float = 0.0

    def floor_ms(self, flops: float, bytes_moved: float) -> float:
        """The shortest time that so much work can take, by the slower of the two ceilings."""
        floor_s = max(0.0, bytes_moved - self.cache_bytes) / self.bytes_per_s
        if self.flops_per_s:
            floor_s = max(floor_s, flops / self.flops_per_s)
        return floor_s * 1e3


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
    return Peaks(
        bytes_per_s=bytes_per_s,
        flops_per_s=_positive(flops.get(name)) if isinstance(flops, Mapping) else None,
        precision=name,
        cache_bytes=_positive(reported.get("cache_bytes")) or 0.0,
    )


def _positive(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and value > 0 else None
