"""Rows for the results inside events. ``wire`` is the event as JSON: NaN and Inf are strings."""

from __future__ import annotations

import math
from typing import Any

from judge.domain import LISTING_BYTES
from judge.events import CaseJudged, Compiled, WorkloadTimed
from webapp.submissions.models import (
    CaseResult,
    Compilation,
    DeviceCode,
    Run,
    WorkloadTiming,
)
from webapp.text import cut

#: Workers cut to less; this holds for one that does not.
_MAX_OUTPUT_CHARACTERS = 128 * 1024
_MAX_MESSAGE_CHARACTERS = 8 * 1024
#: PTX and SASS.
_MAX_LISTINGS = 2


class NotANumber(ValueError):
    """A figure that is NaN or infinite. SQLite would refuse it late, PostgreSQL not at all."""


def store_compilation(run: Run, event: Compiled, wire: dict[str, Any]) -> None:
    Compilation.objects.update_or_create(
        run=run,
        defaults={
            "ok": event.ok,
            "seconds": _finite(event.seconds),
            "cached": event.cached,
            "output": cut(event.output, _MAX_OUTPUT_CHARACTERS),
            "output_dropped_bytes": max(event.output_dropped_bytes, 0),
            "diagnostics": wire["diagnostics"],
            "resources": wire["resources"],
        },
    )
    for listing in event.listings[:_MAX_LISTINGS]:
        DeviceCode.objects.update_or_create(
            run=run,
            kind=listing.kind[:8],
            defaults={
                "text": cut(listing.text, LISTING_BYTES),
                "dropped_bytes": max(listing.dropped_bytes, 0),
            },
        )


def store_case(run: Run, event: CaseJudged, wire: dict[str, Any]) -> None:
    result = event.result
    CaseResult.objects.update_or_create(
        run=run,
        index=event.index,
        defaults={
            "case": cut(result.case, 100),
            "verdict": result.verdict.value,
            "sizes": wire["result"]["sizes"],
            "distribution": result.distribution[:64],
            "hidden": result.hidden,
            "max_abs_error": _number(result.max_abs_error),
            "max_rel_error": _number(result.max_rel_error),
            "mismatch": wire["result"]["mismatch"],
            "message": cut(result.message, _MAX_MESSAGE_CHARACTERS),
        },
    )


def store_timing(run: Run, event: WorkloadTimed, wire: dict[str, Any]) -> None:
    timing = event.timing
    WorkloadTiming.objects.update_or_create(
        run=run,
        index=event.index,
        defaults={
            "workload": timing.workload[:128],
            "sizes": wire["timing"]["sizes"],
            "basis": timing.basis.value,
            "samples_ms": wire["timing"]["samples_ms"],
            "sample_count": timing.sample_count,
            "median_ms": _finite(timing.median_ms),
            "ci_low_ms": _finite(timing.ci_low_ms),
            "ci_high_ms": _finite(timing.ci_high_ms),
            "spread_pct": _finite(timing.spread_pct),
            "e_us": _finite(timing.e_us),
            "t_us": None if timing.t_us is None else _finite(timing.t_us),
            "f_residual_us": _finite(timing.f_residual_us),
            "flops": _finite(timing.flops),
            "bytes": _finite(timing.bytes),
        },
    )


def _number(value: float | None) -> float | None:
    """NaN has no place in a column of errors: the mismatch says what was NaN."""
    return None if value is None or math.isnan(value) else value


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise NotANumber(f"a figure is {value}")
    return value
