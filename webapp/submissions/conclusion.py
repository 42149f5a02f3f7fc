"""The ends of an attempt: a final verdict, or back to the queue for another one."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction

from judge.domain import Status, Verdict
from judge.messages import MAX_ATTEMPTS
from webapp.submissions.announcements import announce
from webapp.submissions.dispatch import dispatch
from webapp.submissions.models import (
    CaseResult,
    Compilation,
    DeviceCode,
    Run,
    StoredEvent,
    WorkloadTiming,
    new_key,
)
from webapp.submissions.signals import run_finished
from webapp.submissions.transitions import move

#: Events that only tell how far a Run is; once it is done they say nothing.
_PROGRESS_EVENTS = ("heartbeat", "samples")


def conclude(
    run: Run, verdict: Verdict, message: str, now: datetime, *, detail: str = "", **values: Any
) -> bool:
    """Gives ``run`` its one final verdict; False when it already has one. Needs a transaction."""
    was_waiting = run.status == Status.QUEUED
    done = move(
        run,
        Status.DONE,
        verdict=verdict.value,
        message=message,
        detail=detail,
        finished_at=now,
        lease_expires_at=None,
        progress=None,
        **values,
    )
    if done:
        StoredEvent.objects.filter(run=run, type__in=_PROGRESS_EVENTS).delete()
        run_finished.send(sender=Run, run=run)
        announce(run, left_queue=was_waiting)
    return done


def requeue(run: Run, now: datetime) -> bool:
    """Sends ``run`` back to the queue as its next attempt; False when it may have no more.

    What the lost attempt found is dropped: the next one draws other inputs. Its events stay.
    """
    if run.attempt >= MAX_ATTEMPTS:
        return False
    fresh: dict[str, Any] = {
        "attempt": run.attempt + 1,
        "attempt_key": new_key(),
        "worker": "",
        "lease_expires_at": None,
        "queued_at": now,
        "dispatched_at": None,
        "broker_epoch": "",
        "started_at": None,
        "stage_total": 0,
        "progress": None,
    }
    if run.status == Status.QUEUED:  # its first word was that it failed: no move to make
        same = Run.objects.filter(pk=run.pk, attempt=run.attempt, status=Status.QUEUED.value)
        if not same.update(**fresh):
            return False
    elif not move(run, Status.QUEUED, **fresh):
        return False
    for results in (Compilation, DeviceCode, CaseResult, WorkloadTiming):
        results.objects.filter(run=run).delete()
    announce(run)
    transaction.on_commit(partial(dispatch, run.pk))
    return True
