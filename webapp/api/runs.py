"""Calls about Runs: one's own listed, any that may be seen in detail, and aborting."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from ninja import Query, Router

from webapp.accounts.models import Scope
from webapp.api import errors
from webapp.api.auth import TokenRequired, TokenWelcome, token_of, viewer_of
from webapp.api.schemas import DeviceCodeOut, RunFilter, RunList, RunOut
from webapp.submissions import abort, visibility
from webapp.submissions.models import Run
from webapp.submissions.progress import progress_of

router = Router(tags=["runs"])


@router.get(
    "runs",
    response={200: RunList, **errors.FAILURES},
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
    if query.verdict is not None:
        runs = runs.filter(verdict=query.verdict.value)
    count = runs.count()
    page = runs.select_related("submission__version", "submission__owner", "device").defer(
        "submission__source",
        *(f"submission__version__{name}" for name in _HEAVY),
    )
    end = query.offset + query.limit
    return {
        "runs": [run_summary(request, run) for run in page[query.offset : end]],
        "count": count,
        "next_offset": end if end < count else None,
    }


#: Of a problem's version what no answer about a Run holds.
_HEAVY = ("archive", "definition", "statement", "starter", "signature")


@router.get(
    "runs/{run_id}",
    response={200: RunOut, **errors.FAILURES},
    auth=TokenWelcome(),
    summary="A run: yours in full, others' as far as boards show them",
)
def read_run(request: HttpRequest, run_id: UUID) -> Any:
    return run_answer(request, _find(request, run_id))


@router.get(
    "runs/{run_id}/code/{kind}",
    response={200: DeviceCodeOut, **errors.FAILURES},
    auth=TokenWelcome(),
    summary="The device code of a run (ptx or sass), for those who may read its source",
)
def read_code(request: HttpRequest, run_id: UUID, kind: str) -> Any:
    run = _find(request, run_id)
    code = run.device_code.filter(kind=kind).first()
    if code is None or not visibility.may_see_source(viewer_of(request), run.submission):
        raise errors.not_found("device code")
    return code


@router.post(
    "runs/{run_id}/abort",
    response={200: RunOut, **errors.FAILURES},
    auth=TokenRequired(Scope.SUBMIT),
    summary="End a run of yours with the verdict AB",
)
def abort_run(request: HttpRequest, run_id: UUID) -> Any:
    return run_answer(request, abort.abort(viewer_of(request), _find(request, run_id)))


def _find(request: HttpRequest, run_id: UUID) -> Run:
    run = visibility.find_run(viewer_of(request), run_id)
    if run is None:
        raise errors.not_found("run")
    return run


def run_summary(request: HttpRequest, run: Run) -> dict[str, Any]:
    submission = run.submission
    return {
        "id": run.pk,
        "submission": submission.pk,
        "problem": submission.version.problem_id,
        "problem_version": submission.version.digest,
        "device": run.device.name,
        "emulated": run.device.is_emulated,
        "time_label": run.device.time_label,
        "name": run.competitor_name,
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


def run_answer(request: HttpRequest, run: Run) -> dict[str, Any]:
    viewer = viewer_of(request)
    is_private = not visibility.may_see_source(viewer, run.submission)
    compilation = getattr(run, "compilation", None)
    return {
        **run_summary(request, run),
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
