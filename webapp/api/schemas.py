"""What the API takes and answers; OpenAPI is made from it. Times in ms unless named otherwise."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from ninja import Schema
from pydantic import ConfigDict, Field

from judge.domain import Status, Verdict
from webapp.problems.models import ProblemVersion
from webapp.submissions.models import CompetitorKind

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
    is_staff: bool
    submits_references: bool
    submissions_an_hour: int | None = Field(description="To one problem; null: not limited")
    max_unfinished_runs: int | None = Field(description="null: not limited")
    unfinished_runs: int


class TokenOut(Schema):
    id: UUID
    name: str
    prefix: str = Field(description="How its text begins; the text itself is never shown again")
    scopes: list[str]
    state: str = Field(description="works, expired or revoked")
    is_this: bool = Field(description="Whether it is the token of this call")
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None


class TokenList(Schema):
    tokens: list[TokenOut]


class ProblemSummary(Schema):
    slug: str
    title: str
    difficulty: str
    tags: list[str]
    version: str = Field(description="SHA-256 of the package")


class ProblemList(Schema):
    problems: list[ProblemSummary]


class ProblemFilter(Schema):
    tag: str | None = Field(None, max_length=64)
    difficulty: str | None = Field(None, max_length=32)
    q: str = Field("", max_length=100, description="A part of the title or the slug")

    def leaves(self, version: ProblemVersion) -> bool:
        """Whether ``version`` is among what is asked for."""
        needle = self.q.strip().casefold()
        return (
            self.difficulty in (None, version.difficulty)
            and (self.tag is None or self.tag in version.tags)
            and (needle in version.title.casefold() or needle in version.problem_id)
        )


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
    waiting: int = Field(description="Runs in its queue")
    judging: int = Field(description="Runs that workers are at")


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


class DeviceCodeOut(Schema):
    kind: str
    text: str
    dropped_bytes: int = Field(description="Bytes past the end of what is kept")


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
    verdict: Verdict | None = None
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
    published_at: datetime | None = Field(description="When its source was opened to everybody")
    runs: list[UUID]


class EntryOut(Schema):
    run: UUID
    name: str
    kind: str
    verdict: str
    median_ms: float | None = Field(description="Score: geometric mean of the workloads' medians")
    ci_low_ms: float | None
    ci_high_ms: float | None
    spread_pct: float | None = Field(description="Half the 95 % interval, in percent of the time")
    rank: int | None
    tied: int
    percentile: float | None
    gflop_per_s: float | None
    gbyte_per_s: float | None
    percent_of_peak: float | None = Field(description="Of the device's measured peak")
    speedup: float | None = Field(description="Over the naive reference")
    baseline_speedup: float | None = Field(description="Over the fastest library call")
    finished_at: datetime | None


class BoardFilter(Schema):
    version: str | None = Field(None, pattern=_SLUG, description="SHA-256; default: the current")
    kind: CompetitorKind | None = None
    name: str = Field("", max_length=64, description="A part of the competitor's name")
    limit: int = Field(10_000, ge=1, le=10_000)
    offset: int = Field(0, ge=0, le=1_000_000)


class BoardOut(Schema):
    problem: str
    problem_version: str
    device: str
    emulated: bool
    time_label: str
    naive: str | None
    baseline: str | None
    floor_ms: float | None = Field(description="Nothing on this device can be faster")
    entries: list[EntryOut]
    count: int = Field(description="How many the filters leave in all")
    next_offset: int | None


class PersonName(Schema):
    username: str = Field(max_length=150, pattern=r"^[\w.@+-]+$")


class PlaceOut(Schema):
    problem: str
    device: str
    emulated: bool
    time_label: str
    problem_version: str
    is_current: bool
    rank: int | None
    of: int = Field(description="Ranked entries of the board")
    percentile: float | None
    median_ms: float | None
    run: UUID


class ShareOut(Schema):
    name: str
    solved: int
    of: int


class PersonOut(Schema):
    """Of others only accepted runs are listed."""

    username: str
    places: list[PlaceOut] = Field(description="At most 50")
    boards: int = Field(description="Boards they are on in all")
    runs: list[RunSummary] = Field(description="The latest 20")
    solved: int
    problems: int
    difficulties: list[ShareOut]
    tags: list[ShareOut]
