"""The changing parts of a Run's page, each rendered for one viewer.

The page, its polled fragment and its live stream all show these same parts. A part knows its
digest, so that a watcher is sent only what it does not have.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString

from judge.domain import DeviceKind, Status, Verdict
from webapp.charts.samples import samples
from webapp.charts.svg import Svg, responsive
from webapp.submissions import visibility
from webapp.submissions.device_code import kinds_of
from webapp.submissions.listing import MAX_LISTED_LINES
from webapp.submissions.models import Compilation, Run, WorkloadTiming
from webapp.submissions.occupancy import BLOCK_SIZES, Occupancy, multiprocessor, occupancy
from webapp.submissions.progress import progress_of
from webapp.submissions.stages import stages_of
from webapp.submissions.visibility import CaseView, Viewer
from webapp.submissions.wording import BASELINE_MEANINGS, MEANINGS, clocks

#: In the order of the page.
NAMES = (
    "state",
    "stages",
    "outcome",
    "score",
    "compiler",
    "cases",
    "workloads",
    "environment",
)

_DIGEST_CHARACTERS = 10


@dataclass(frozen=True)
class Part:
    """One part as HTML; empty where there is nothing to show yet."""

    name: str
    html: SafeString

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.html.encode()).hexdigest()[:_DIGEST_CHARACTERS]


def render_parts(run: Run, viewer: Viewer) -> list[Part]:
    """Every part of ``run`` as ``viewer`` may see it, in the order of the page."""
    context = _context(run, viewer)
    return [
        # Stripping makes a plain string of what the template engine has escaped.
        Part(name, SafeString(render_to_string(f"submissions/run/_{name}.html", context).strip()))
        for name in NAMES
    ]


def _context(run: Run, viewer: Viewer) -> dict[str, Any]:
    is_private = not visibility.may_see_source(viewer, run.submission)
    cases = [] if is_private else visibility.cases_of(run, viewer)
    timings = list(run.timings.all())
    is_baseline = run.submission.is_baseline
    meanings = BASELINE_MEANINGS if is_baseline else MEANINGS
    compilation: Compilation | None = None if is_private else getattr(run, "compilation", None)
    return {
        "run": run,
        "version": run.submission.version,
        "viewer": viewer,
        "is_private": is_private,
        "is_owner": visibility.is_owner(viewer, run.submission),
        "progress": progress_of(run),
        "meaning": meanings[Verdict(run.verdict)] if run.verdict else "",
        "stages": stages_of(run, timezone.now()),
        "compilation": compilation,
        "code_kinds": kinds_of(run) if compilation else [],
        "kernels": _kernels(run, compilation) if compilation else None,
        "last_listed_line": MAX_LISTED_LINES,
        "cases": cases,
        "cases_to_come": _to_come(run, Status.CHECKING, len(cases)) if not is_private else [],
        "failed": _first_failed(cases),
        "workloads": [_Workload.of(timing, is_baseline) for timing in timings],
        "running": run.progress if run.status == Status.TIMING else None,
        "workloads_to_come": _to_come(
            run, Status.TIMING, len(timings) + (1 if run.progress else 0)
        ),
        "environment": _environment(run.environment) if run.environment else [],
        "remarks": (run.environment or {}).get("remarks", []),
    }


def _to_come(run: Run, stage: Status, here: int) -> list[int]:
    """Ordinals of the rows that ``stage`` will still fill: they keep their place until then."""
    if run.status != stage:
        return []
    return list(range(here + 1, min(run.stage_total, 200) + 1))


def _first_failed(cases: Sequence[CaseView]) -> dict[str, Any] | None:
    """The first failing case with the figures its mismatch leads to."""
    case = next((case for case in cases if case.verdict is not Verdict.AC), None)
    if case is None:
        return None
    found: dict[str, Any] = {"case": case}
    if case.mismatch:
        expected, got = float(case.mismatch["expected"]), float(case.mismatch["got"])
        bound = float(case.mismatch["bound"])
        error = abs(got - expected)
        wrong, total = case.mismatch["wrong_elements"], case.mismatch["total_elements"]
        found |= {
            "error": error if math.isfinite(error) else None,
            "times_bound": error / bound if bound > 0 and math.isfinite(error) else None,
            "wrong_percent": 100 * wrong / total if total else None,
        }
    return found


@dataclass(frozen=True)
class _Kernel:
    """What one kernel takes, and how full it can make a multiprocessor."""

    name: str
    registers: int
    shared_bytes: int
    spill_store_bytes: int
    spill_load_bytes: int
    occupancies: tuple[Occupancy, ...]


def _kernels(run: Run, compilation: Compilation) -> dict[str, Any] | None:
    if not compilation.resources:
        return None
    flags = (run.environment or {}).get("flags", ())
    known = multiprocessor(flags)
    kernels = [
        _Kernel(
            name=str(kernel["kernel"]),
            registers=kernel["registers"],
            shared_bytes=kernel["shared_bytes"],
            spill_store_bytes=kernel["spill_store_bytes"],
            spill_load_bytes=kernel["spill_load_bytes"],
            occupancies=tuple(
                occupancy(known[1], kernel["registers"], kernel["shared_bytes"], threads)
                for threads in BLOCK_SIZES
            )
            if known
            else (),
        )
        for kernel in compilation.resources
    ]
    return {
        "rows": kernels,
        "architecture": known[0] if known else "",
        "block_sizes": BLOCK_SIZES if known else (),
    }


@dataclass(frozen=True)
class _Process:
    """The samples of one runner process in a few figures, ms."""

    ordinal: int
    count: int
    median: float
    least: float
    most: float


@dataclass(frozen=True)
class _Workload:
    """A timed Workload with its picture; the picture is None where no samples were kept."""

    timing: WorkloadTiming
    processes: list[_Process]
    chart: Svg | None
    clocks: list[str]

    @classmethod
    def of(cls, timing: WorkloadTiming, is_baseline: bool) -> _Workload:
        taken = [_finite(process) for process in timing.samples_ms]
        taken = [process for process in taken if process]
        return cls(
            timing=timing,
            processes=[_figures(place, process) for place, process in enumerate(taken, 1)],
            chart=responsive(f"samples-{timing.index}", _drawing(timing, taken)) if taken else None,
            clocks=clocks(timing, is_baseline),
        )


def _drawing(
    timing: WorkloadTiming, processes: Sequence[Sequence[float]]
) -> Callable[[str, int], Svg]:
    def draw(ident: str, width: int) -> Svg:
        return samples(
            ident,
            width,
            processes,
            title=f"Samples of workload {timing.workload}",
            median=timing.median_ms,
            interval=(timing.ci_low_ms, timing.ci_high_ms),
        )

    return draw


def _finite(process: Sequence[Any]) -> list[float]:
    """The samples that can be drawn: a worker may have sent words, or nothing a clock shows."""
    values = [float(value) for value in process]
    return [value for value in values if math.isfinite(value) and value > 0]


def _figures(ordinal: int, process: Sequence[float]) -> _Process:
    ordered = sorted(process)
    half = len(ordered) // 2
    median = ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
    return _Process(ordinal, len(ordered), median, ordered[0], ordered[-1])


_LABELS: Mapping[str, str] = {
    "hardware": "Hardware",
    "hardware_id": "Hardware's id (hashed)",
    "driver": "Driver",
    "cuda": "CUDA",
    "compiler": "Compiler",
    "flags": "Flags",
    "clocks": "Clocks",
    "threads": "CPU threads of the kernel",
    "sandbox": "Sandbox",
    "image_digest": "Image",
    "torch": "torch (oracle)",
    "operating_system": "Operating system",
    "warpboard": "Warpboard",
}


def _environment(environment: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Labels and values of what the Run was measured on; what is empty is left out."""
    rows = []
    for name, label in _LABELS.items():
        value = environment.get(name)
        if name == "threads" and environment.get("device_kind") != DeviceKind.EMULATED:
            continue
        if value:
            rows.append((label, _printed(value)))
    return rows


def _printed(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {amount:g}" for name, amount in value.items())
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value)
