"""What the API takes and answers; OpenAPI is made from it. Times in ms unless named otherwise."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from ninja import Schema
from pydantic import ConfigDict, Field

from judge.domain import Status

_SLUG = r"^[A-Za-z0-9_-]{1,64}$"


class ErrorBody(Schema):
    code: str
    message: str
    field: str | None


class ErrorOut(Schema):
    error: ErrorBody


class MeOut(Schema):
    """Whom a token speaks for, and what it may do."""

    username: str
    token: str = Field(description="The token's name")
    scopes: list[str]
    expires_at: datetime | None


class ProblemSummary(Schema):
    slug: str
    title: str
    difficulty: str
    tags: list[str]
    version: str = Field(description="SHA-256 of the package")


class ProblemList(Schema):
    problems: list[ProblemSummary]


class ProblemOut(ProblemSummary):
    statement: str = Field(description="Markdown")
    starter: str
    signature: str
    definition: dict[str, Any] = Field(
        description="problem.toml: parameters, tolerance, limits, workloads, public test cases"
    )


class DeviceOut(Schema):
    name: str
    kind: str
    emulated: bool
    time_label: str = Field(description="What to print beside a time of this device, if anything")
    workers: int = Field(description="Workers taking jobs now")


class DeviceList(Schema):
    devices: list[DeviceOut]


class SubmissionIn(Schema):
    model_config = ConfigDict(extra="forbid")

    problem: str = Field(max_length=64)
    device: str = Field(max_length=64)
    source: str = Field(description="One .cu file, at most 256 KiB of UTF-8")
    reference: str | None = Field(
        None, max_length=64, description="The ladder's step this is; needs the scope 'reference'"
    )


class ScoreOut(Schema):
    value_ms: float
    ci_low_ms: float
    ci_high_ms: float


class CompilationOut(Schema):
    ok: bool
    seconds: float
    cached: bool
    output: str
    output_dropped_bytes: int
    diagnostics: list[dict[str, Any]]
    resources: list[dict[str, Any]]


class CaseOut(Schema):
    index: int
    name: str
    verdict: str
    hidden: bool
    sizes: dict[str, int]
    distribution: str
    max_abs_error: float | None
    max_rel_error: float | None
    mismatch: dict[str, Any] | None
    message: str


class WorkloadOut(Schema):
    workload: str
    sizes: dict[str, int]
    basis: str
    median_ms: float
    ci_low_ms: float
    ci_high_ms: float
    spread_pct: float
    sample_count: int
    e_us: float
    t_us: float | None
    f_residual_us: float
    flops: float
    bytes: float


class RunSummary(Schema):
    id: UUID
    submission: UUID
    problem: str
    problem_version: str
    device: str
    emulated: bool
    time_label: str
    name: str = Field(description="The competitor's name on the board")
    kind: str
    status: str
    verdict: str | None
    score_ms: float | None
    attempt: int
    dispatched: bool = Field(description="False: saved, and sent when the queue is back")
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    url: str


class RunOut(RunSummary):
    """Of others' runs ``message``, ``detail``, ``compilation`` and ``cases`` are empty."""

    message: str
    detail: str
    progress_text: str = Field(description="Where the run is, in one sentence")
    stage_total: int = Field(description="Cases or workloads of the stage under way")
    progress: dict[str, Any] | None = Field(description="The latest word on samples")
    score: ScoreOut | None
    compilation: CompilationOut | None
    cases: list[CaseOut]
    workloads: list[WorkloadOut]
    environment: dict[str, Any] | None


class RunList(Schema):
    runs: list[RunSummary]
    count: int = Field(description="How many there are in all")
    next_offset: int | None


class RunFilter(Schema):
    problem: str | None = Field(None, pattern=_SLUG)
    device: str | None = Field(None, pattern=_SLUG)
    status: Status | None = None
    limit: int = Field(50, ge=1, le=100)
    offset: int = Field(0, ge=0, le=1_000_000)


class SubmissionAccepted(Schema):
    id: UUID
    run: RunOut


class SubmissionOut(Schema):
    id: UUID
    problem: str
    problem_version: str
    name: str
    kind: str
    source: str
    created_at: datetime
    runs: list[UUID]


class EntryOut(Schema):
    run: UUID
    name: str
    kind: str
    verdict: str
    median_ms: float | None = Field(description="Score: geometric mean of the workloads' medians")
    ci_low_ms: float | None
    ci_high_ms: float | None
    rank: int | None
    percentile: float | None
    speedup: float | None = Field(description="Over the naive reference")


class BoardOut(Schema):
    problem: str
    problem_version: str
    device: str
    emulated: bool
    time_label: str
    naive: str | None
    entries: list[EntryOut]
