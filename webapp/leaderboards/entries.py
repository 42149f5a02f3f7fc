"""Keeping Entries: after each verdict, the competitor's best valid Run is looked up afresh."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from judge.domain import Status, Verdict
from webapp.leaderboards.models import Entry
from webapp.problems.models import ProblemVersion
from webapp.submissions.models import CompetitorKind, Run


def _competitor(run: Run) -> str:
    """What ``run`` competes as, within its kind."""
    submission = run.submission
    if submission.is_baseline:
        return run.competitor_name
    return submission.reference or str(submission.owner_id)


def _key(run: Run) -> dict[str, Any]:
    """Which Entry ``run`` is for."""
    submission = run.submission
    key = {"version": submission.version, "device": run.device, "kind": submission.kind}
    if submission.is_baseline:  # one a board, whatever its version
        return key
    return key | {"competitor": _competitor(run)}


def refresh_entry(run: Run) -> None:
    """Makes the Entry of ``run``'s competitor its best valid Run; needs a transaction.

    Looks at all Runs rather than comparing with the Entry, so that repeating it is harmless and a
    Run that stops being valid gives way to the next best.
    """
    submission = run.submission
    # Two Runs of one competitor that finish together would each overlook the other.
    ProblemVersion.objects.select_for_update().get(pk=submission.version_id)
    key = _key(run)
    best = _valid_runs(run).order_by("score_ms", "finished_at", "pk").first()
    score = best.score if best else None
    if best is None or score is None:
        Entry.objects.filter(**key).delete()
        return
    Entry.objects.update_or_create(
        **key,
        defaults={
            "owner": submission.owner if submission.kind == CompetitorKind.USER else None,
            "competitor": _competitor(best),
            "run": best,
            "score_ms": score.value_ms,
            "ci_low_ms": score.ci_low_ms,
            "ci_high_ms": score.ci_high_ms,
        },
    )


def _valid_runs(run: Run) -> QuerySet[Run]:
    submission = run.submission
    runs = Run.objects.filter(
        submission__version=submission.version_id,
        submission__kind=submission.kind,
        device=run.device_id,
        status=Status.DONE.value,
        verdict=Verdict.AC.value,
        score_ms__isnull=False,
    )
    if submission.kind == CompetitorKind.USER:
        return runs.filter(submission__owner=submission.owner_id)
    return runs.filter(submission__reference=submission.reference)
