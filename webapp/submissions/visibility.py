"""Who may see what of a Run.

Source, compiler output, messages and cases belong to the owner and to staff. An accepted Run is
public as far as a board shows it: verdict, times, environment. References are public in full,
since they ship with the site's problems. Of a hidden case only staff see more than its verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser

from judge.domain import Verdict
from webapp.accounts.models import User
from webapp.submissions.models import CaseResult, CompetitorKind, Run, Submission

Viewer = User | AnonymousUser


def may_see_source(viewer: Viewer, submission: Submission) -> bool:
    """Source, compiler output, messages and cases."""
    is_owner = viewer.is_authenticated and submission.owner_id == viewer.pk
    return is_owner or viewer.is_staff or submission.kind == CompetitorKind.REFERENCE


def find_run(viewer: Viewer, run_id: UUID) -> Run | None:
    """The Run if ``viewer`` may know of it at all."""
    run = (
        Run.objects.select_related("submission__version", "submission__owner", "device")
        .filter(pk=run_id)
        .first()
    )
    if run is None:
        return None
    if may_see_source(viewer, run.submission) or run.verdict == Verdict.AC:
        return run
    return None


def find_submission(viewer: Viewer, submission_id: UUID) -> Submission | None:
    """The Submission if ``viewer`` may read its source."""
    found = Submission.objects.select_related("version", "owner").filter(pk=submission_id).first()
    if found is None or not may_see_source(viewer, found):
        return None
    return found


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
