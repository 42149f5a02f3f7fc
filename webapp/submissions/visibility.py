"""Who may see and do what with a Run.

Source, compiler output, messages and cases go together. They belong to the owner and to staff,
and to others only where one of these opens them: references and library calls ship with the site's
problems, an author may publish a submission, and a problem may open accepted sources to whoever
solved it.
An accepted Run is public as far as a board shows it: verdict, times, environment. Of a hidden case
only staff see more than its verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from judge.domain import Verdict
from webapp.accounts.models import User
from webapp.submissions.models import CaseResult, CompetitorKind, Run, Submission

Viewer = User | AnonymousUser

#: What ships with the problems has no author to ask.
_OPEN_KINDS = (CompetitorKind.REFERENCE, CompetitorKind.BASELINE)

#: What a page about a Run never needs, and what is large.
_HEAVY = ("submission__version__archive", "submission__version__statement")


def may_see_source(viewer: Viewer, submission: Submission) -> bool:
    """Source, compiler output, messages and cases."""
    return (
        is_owner(viewer, submission)
        or viewer.is_staff
        or is_open(submission)
        or (_opens_when_solved(submission) and _has_solved(viewer, submission))
    )


def audience(submission: Submission) -> str:
    """A sentence that says who may read the source."""
    if submission.is_baseline:
        return (
            "Everybody may read this: it is the library call that the problem's package names. The "
            "judge made it in its own process, with no sandbox between."
        )
    if submission.kind == CompetitorKind.REFERENCE:
        return "Everybody may read this source: it is a step of the problem's ladder."
    if submission.published_at is not None:
        return "Everybody may read this source: its author published it."
    if _opens_when_solved(submission):
        return (
            "Its author, the site's admins, and whoever has solved this problem may read this "
            "source."
        )
    return "Only its author and the site's admins may read this source."


def is_open(submission: Submission) -> bool:
    """Whether everybody may read the source."""
    return submission.kind in _OPEN_KINDS or submission.published_at is not None


def is_owner(viewer: Viewer, submission: Submission) -> bool:
    return viewer.is_authenticated and submission.owner_id == viewer.pk


def may_publish(viewer: Viewer, submission: Submission) -> bool:
    """Open a source to everybody, or close it again: the author alone."""
    return is_owner(viewer, submission) and submission.kind == CompetitorKind.USER


def may_abort(viewer: Viewer, run: Run) -> bool:
    """End a Run that is not done: its owner, and staff."""
    return not run.is_done and (is_owner(viewer, run.submission) or viewer.is_staff)


def find_run(viewer: Viewer, run_id: UUID) -> Run | None:
    """The Run if ``viewer`` may know of it at all."""
    run = _runs().filter(pk=run_id).first()
    if run is None:
        return None
    if run.verdict == Verdict.AC or may_see_source(viewer, run.submission):
        return run
    return None


def find_submission(viewer: Viewer, submission_id: UUID) -> Submission | None:
    """The Submission if ``viewer`` may read its source."""
    found = (
        Submission.objects.select_related("version__problem", "owner")
        .filter(pk=submission_id)
        .first()
    )
    if found is None or not may_see_source(viewer, found):
        return None
    return found


def previous_best(run: Run) -> Run | None:
    """The fastest accepted Run that the owner of ``run`` had on its board before it."""
    submission = run.submission
    if submission.kind != CompetitorKind.USER:
        return None
    return (
        _runs()
        .filter(
            submission__owner=submission.owner_id,
            submission__version=submission.version_id,
            submission__kind=submission.kind,
            device=run.device_id,
            verdict=Verdict.AC.value,
            score_ms__isnull=False,
            created_at__lt=run.created_at,
        )
        .exclude(submission=submission.pk)
        .order_by("score_ms", "created_at")
        .first()
    )


def _runs() -> QuerySet[Run]:
    return Run.objects.select_related(
        "submission__version__problem", "submission__owner", "device"
    ).defer(*_HEAVY)


def _opens_when_solved(submission: Submission) -> bool:
    return (
        submission.version.problem.opens_sources
        and submission.runs.filter(verdict=Verdict.AC.value).exists()
    )


def _has_solved(viewer: Viewer, submission: Submission) -> bool:
    """Whether ``viewer`` has an accepted Run of the problem, whatever its version and device."""
    return (
        viewer.is_authenticated
        and Run.objects.filter(
            submission__owner=viewer.pk,
            submission__kind=CompetitorKind.USER.value,
            submission__version__problem=submission.version.problem_id,
            verdict=Verdict.AC.value,
        ).exists()
    )


@dataclass(frozen=True)
class CaseView:
    """A case as one viewer may see it; a hidden one has no sizes, errors or message."""

    index: int
    name: str
    verdict: Verdict
    hidden: bool
    sizes: Mapping[str, int]
    distribution: str
    max_abs_error: float | None
    max_rel_error: float | None
    mismatch: Mapping[str, Any] | None
    message: str


def cases_of(run: Run, viewer: Viewer) -> list[CaseView]:
    """The cases of ``run`` in order; call only where ``may_see_source``."""
    views = []
    hidden = 0
    for case in run.cases.all():
        hidden += case.hidden
        views.append(_full(case) if viewer.is_staff or not case.hidden else _masked(case, hidden))
    return views


def _full(case: CaseResult) -> CaseView:
    return CaseView(
        index=case.index,
        name=case.case,
        verdict=Verdict(case.verdict),
        hidden=case.hidden,
        sizes=case.sizes,
        distribution=case.distribution,
        max_abs_error=case.max_abs_error,
        max_rel_error=case.max_rel_error,
        mismatch=case.mismatch,
        message=case.message,
    )


def _masked(case: CaseResult, ordinal: int) -> CaseView:
    return CaseView(
        index=case.index,
        name=f"hidden case {ordinal}",
        verdict=Verdict(case.verdict),
        hidden=True,
        sizes={},
        distribution="",
        max_abs_error=None,
        max_rel_error=None,
        mismatch=None,
        message="",
    )
