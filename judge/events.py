"""What the judge says while it judges one Run, in order; plain values, no transport.

``pipeline.judge`` yields these; the worker wraps them in an envelope (``judge.messages``), the
command line prints them. The last event of a Run is always ``Finished``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from judge.domain import (
    CaseResult,
    Diagnostic,
    Environment,
    KernelResources,
    Listing,
    Score,
    Status,
    Timing,
    Verdict,
)


@dataclass(frozen=True)
class StageEntered:
    """The Run moved on to ``status``; ``total`` counts what is to come (cases, workloads)."""

    status: Status
    total: int = 0
    type: Literal["stage"] = "stage"


@dataclass(frozen=True)
class Compiled:
    """The compiler is done. ``output`` is its text, cut to what is kept; lines are the user's."""

    ok: bool
    seconds: float
    cached: bool
    output: str
    output_dropped_bytes: int
    diagnostics: tuple[Diagnostic, ...]
    resources: tuple[KernelResources, ...]
    listings: tuple[Listing, ...] = ()
    type: Literal["compiled"] = "compiled"


@dataclass(frozen=True)
class CaseJudged:
    """One TestCase with one seed was judged; ``index`` counts from 0 to ``total`` - 1."""

    index: int
    total: int
    result: CaseResult
    type: Literal["case"] = "case"


@dataclass(frozen=True)
class SamplesTaken:
    """Progress within one Workload: samples so far in runner process ``process`` (from 0)."""

    workload: str
    process: int
    processes: int
    samples: int
    median_ms: float
    type: Literal["samples"] = "samples"


@dataclass(frozen=True)
class WorkloadTimed:
    """One Workload is finished."""

    index: int
    total: int
    timing: Timing
    type: Literal["timing"] = "timing"


@dataclass(frozen=True)
class Heartbeat:
    """The worker is alive and still at this Run; renews the Run's lease."""

    type: Literal["heartbeat"] = "heartbeat"


@dataclass(frozen=True)
class Finished:
    """The Run's verdict. ``message`` says in words what happened, where, and what to do.

    ``detail`` is for the people who run the board (a judge error's traceback); users never see it.
    """

    verdict: Verdict
    message: str
    score: Score | None = None
    environment: Environment | None = None
    detail: str = ""
    type: Literal["finished"] = "finished"


Event = StageEntered | Compiled | CaseJudged | SamplesTaken | WorkloadTimed | Heartbeat | Finished
