"""The REST API, version 1. Each call reads, or hands over to a service; none holds a rule."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from ninja import NinjaAPI, Query, Status
from ninja.parser import Parser

from webapp.accounts.models import Scope
from webapp.api import errors
from webapp.api.auth import AnyToken, TokenRequired, TokenWelcome, token_of, viewer_of
from webapp.api.schemas import (
    BoardOut,
    DeviceList,
    ErrorOut,
    MeOut,
    ProblemList,
    ProblemOut,
    RunFilter,
    RunList,
    RunOut,
    SubmissionAccepted,
    SubmissionIn,
    SubmissionOut,
)
from webapp.leaderboards.boards import read_board
from webapp.ops.models import Device
from webapp.problems.models import Problem, ProblemVersion
from webapp.problems.public import public_definition
from webapp.submissions import visibility
from webapp.submissions.limits import allowance
from webapp.submissions.models import Run
from webapp.submissions.progress import progress_of
from webapp.submissions.services import submit
from webapp.text import STAND_IN, clean


class _Utf8JsonParser(Parser):
    """JSON as ninja reads it, with a word about where a body stops being UTF-8."""

    def parse_body(self, request: HttpRequest) -> Any:
        body = request.body
        try:
            body.decode()
        except UnicodeDecodeError as error:
            raise errors.ApiError(
                422,
                "not_utf8",
                f"The request's body is not UTF-8: byte 0x{body[error.start]:02x} at offset "
                f"{error.start}. Save the source as UTF-8 and send it again.",
                "source",
            ) from error
        parsed = super().parse_body(request)
        for name, value in parsed.items() if isinstance(parsed, dict) else ():
            if isinstance(value, str) and clean(value) != value.replace("\x00", STAND_IN):
                raise errors.ApiError(
                    422,
                    "not_utf8",
                    f"The text of {name!r} holds half a surrogate pair, which no UTF-8 can hold.",
                    name,
                )
        return parsed


api = NinjaAPI(
    title="Warpboard",
    version="1",
    description="Problems, submissions, runs and boards of this site.",
    urls_namespace="api",
    docs_url=None,  # its page loads scripts from elsewhere
    parser=_Utf8JsonParser(),
)
errors.install(api)

_FAILURES: dict[Any, Any] = {frozenset({401, 403, 404, 413, 422, 429}): ErrorOut}


@api.get(
    "me",
    response={200: MeOut, **_FAILURES},
    auth=AnyToken(),
    summary="Whom this token speaks for, and its scopes",
)
def read_me(request: HttpRequest) -> Any:
    token = token_of(request)
    return {
        "username": token.user.get_username(),
        "token": token.name,
        "scopes": token.scopes,
        "expires_at": token.expires_at,
    }


@api.get("problems", response=ProblemList, auth=None, summary="All problems")
def list_problems(request: HttpRequest) -> Any:
    problems = Problem.objects.exclude(current=None).select_related("current")
    return {"problems": [_problem(p.current) for p in problems if p.current]}


@api.get(
    "problems/{slug:slug}", response={200: ProblemOut, **_FAILURES}, auth=None, summary="A problem"
)
def read_problem(request: HttpRequest, slug: str) -> Any:
    version = _current(slug)
    return {
        **_problem(version),
        "statement": version.statement,
        "starter": version.starter,
        "signature": version.signature,
        "definition": public_definition(version),
    }


@api.get(
    "problems/{slug:slug}/versions/{slug:digest}/archive",
    auth=TokenRequired(Scope.WORKER),
    summary="A problem's package (zip), for workers",
)
def read_archive(request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    version = ProblemVersion.objects.filter(problem=slug, digest=digest).first()
    if version is None:
        raise errors.not_found("version of the problem")
    return HttpResponse(bytes(version.archive), content_type="application/zip")


@api.get("devices", response=DeviceList, auth=None, summary="Devices and their live workers")
def list_devices(request: HttpRequest) -> Any:
    return {
        "devices": [
            {
                "name": device.name,
                "kind": device.kind,
                "emulated": device.is_emulated,
                "time_label": device.time_label,
                "workers": device.live_workers,
            }
            for device in Device.objects.all()
        ]
    }


@api.post(
    "submissions",
    response={201: SubmissionAccepted, **_FAILURES},
    auth=TokenRequired(Scope.SUBMIT),
    summary="Submit a source; the answer names the run to follow",
)
def create_submission(request: HttpRequest, response: HttpResponse, body: SubmissionIn) -> Any:
    token = token_of(request)
    if body.reference and not token.has_scope(Scope.REFERENCE):
        raise errors.ApiError(
            403, "wrong_scope", "This token lacks the scope “reference”.", "reference"
        )
    run = submit(token.user, body.problem, body.device, body.source.encode(), body.reference)
    for name, value in allowance(token.user, body.problem, timezone.now()).headers.items():
        response[name] = value
    return Status(201, {"id": run.submission_id, "run": _run(request, run)})


@api.get(
    "submissions/{submission_id}",
    response={200: SubmissionOut, **_FAILURES},
    auth=TokenWelcome(),
    summary="A submission with its source; yours, or a reference",
)
def read_submission(request: HttpRequest, submission_id: UUID) -> Any:
    submission = visibility.find_submission(viewer_of(request), submission_id)
    if submission is None:
        raise errors.not_found("submission")
    return {
        "id": submission.pk,
        "problem": submission.version.problem_id,
        "problem_version": submission.version.digest,
        "name": submission.competitor_name,
        "kind": submission.kind,
        "source": submission.source,
        "created_at": submission.created_at,
        "runs": list(submission.runs.values_list("pk", flat=True)),
    }


@api.get(
    "runs",
    response={200: RunList, **_FAILURES},
    auth=TokenRequired(Scope.SUBMIT),
    summary="Your runs, newest first",
)
def list_runs(request: HttpRequest, query: Query[RunFilter]) -> Any:
    runs = Run.objects.filter(submission__owner=token_of(request).user)
    if query.problem is not None:
        runs = runs.filter(submission__version__problem=query.problem)
    if query.device is not None:
        runs = runs.filter(device=query.device)
    if query.status is not None:
        runs = runs.filter(status=query.status.value)
    count = runs.count()
    page = runs.select_related("submission__version", "submission__owner", "device")
    end = query.offset + query.limit
    return {
        "runs": [_run_summary(request, run) for run in page[query.offset : end]],
        "count": count,
        "next_offset": end if end < count else None,
    }


@api.get(
    "runs/{run_id}",
    response={200: RunOut, **_FAILURES},
    auth=TokenWelcome(),
    summary="A run: yours in full, others' as far as boards show them",
)
def read_run(request: HttpRequest, run_id: UUID) -> Any:
    run = visibility.find_run(viewer_of(request), run_id)
    if run is None:
        raise errors.not_found("run")
    return _run(request, run)


@api.get(
    "boards/{slug:slug}/{slug:device}",
    response={200: BoardOut, **_FAILURES},
    auth=None,
    summary="A board: each competitor's best valid run, ranked",
)
def read_board_of(request: HttpRequest, slug: str, device: str, version: str | None = None) -> Any:
    if version is None:
        found = _current(slug)
    else:
        named = ProblemVersion.objects.filter(problem=slug, digest=version).first()
        if named is None:
            raise errors.not_found("version of the problem")
        found = named
    board_device = Device.objects.filter(pk=device).first()
    if board_device is None:
        raise errors.not_found("device")
    board = read_board(found, board_device)
    return {
        "problem": slug,
        "problem_version": found.digest,
        "device": board_device.name,
        "emulated": board_device.is_emulated,
        "time_label": board_device.time_label,
        "naive": board.naive,
        "entries": [
            {
                "run": row.run_id,
                "name": row.name,
                "kind": row.kind.value,
                "verdict": row.verdict.value,
                "median_ms": row.median_ms,
                "ci_low_ms": row.ci_low_ms,
                "ci_high_ms": row.ci_high_ms,
                "rank": row.rank,
                "percentile": row.percentile,
                "speedup": row.speedup,
            }
            for row in board.rows
        ],
    }


def _current(slug: str) -> ProblemVersion:
    problem = Problem.objects.select_related("current").filter(pk=slug).first()
    if problem is None or problem.current is None:
        raise errors.not_found("problem")
    return problem.current


def _problem(version: ProblemVersion) -> dict[str, Any]:
    return {
        "slug": version.problem_id,
        "title": version.title,
        "difficulty": version.difficulty,
        "tags": version.tags,
        "version": version.digest,
    }


def _run_summary(request: HttpRequest, run: Run) -> dict[str, Any]:
    submission = run.submission
    return {
        "id": run.pk,
        "submission": submission.pk,
        "problem": submission.version.problem_id,
        "problem_version": submission.version.digest,
        "device": run.device.name,
        "emulated": run.device.is_emulated,
        "time_label": run.device.time_label,
        "name": submission.competitor_name,
        "kind": submission.kind,
        "status": run.status,
        "verdict": run.verdict,
        "score_ms": run.score_ms,
        "attempt": run.attempt,
        "dispatched": run.dispatched_at is not None,
        "created_at": run.created_at,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "url": request.build_absolute_uri(reverse("run", args=[run.pk])),
    }


def _run(request: HttpRequest, run: Run) -> dict[str, Any]:
    viewer = viewer_of(request)
    is_private = not visibility.may_see_source(viewer, run.submission)
    compilation = getattr(run, "compilation", None)
    return {
        **_run_summary(request, run),
        "message": "" if is_private else run.message,
        "detail": run.detail if viewer.is_staff else "",
        "progress_text": progress_of(run),
        "stage_total": run.stage_total,
        "progress": run.progress,
        "score": run.score,
        "compilation": None if is_private else compilation,
        "cases": [] if is_private else visibility.cases_of(run, viewer),
        "workloads": list(run.timings.all()),
        "environment": run.environment,
    }
