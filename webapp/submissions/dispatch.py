"""Sending queued Runs to the workers of their device, once each, whatever the broker does.

A Run that could not be sent stays queued and undispatched; ``dispatch_pending`` (every few
seconds) sends it when the broker is back. A job sent twice does no harm: an attempt belongs to the
worker that speaks first, and a Run gets one verdict.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from judge.domain import Status
from judge.messages import LEASE_SECONDS, JobMessage
from webapp.submissions import broker
from webapp.submissions.announcements import announce
from webapp.submissions.models import Run

logger = logging.getLogger(__name__)

#: The request that made a Run gets this long to send it itself.
GRACE = timedelta(seconds=3)

#: A worker that took a job says so at once. One that has not after this long never will.
SILENCE = timedelta(seconds=LEASE_SECONDS)


def dispatch(run_id: UUID) -> bool:
    """Sends the Run's job if it waits to be sent; False when not, or when the broker is away.

    Takes at most about two seconds. Never raises for a broker that is away.
    """
    run = (
        Run.objects.select_related("submission__version")
        .filter(pk=run_id, status=Status.QUEUED.value, dispatched_at=None)
        .first()
    )
    if run is None:
        return False
    version = run.submission.version
    is_baseline = run.submission.is_baseline
    job = JobMessage(
        run_id=run.pk,
        attempt=run.attempt,
        key=run.attempt_key,
        problem=version.problem_id,
        problem_version=version.digest,
        device=run.device_id,
        source="" if is_baseline else run.submission.source,
        baseline=is_baseline,
    )
    try:
        epoch = broker.epoch()
        broker.send_job(job, run.device_id)
    except broker.BrokerAway as error:
        logger.warning("run %s stays undispatched, the broker is away: %s", run.pk, error)
        return False
    Run.objects.filter(
        pk=run.pk, attempt=run.attempt, status=Status.QUEUED.value, dispatched_at=None
    ).update(dispatched_at=timezone.now(), broker_epoch=epoch)
    announce(run)
    return True


def dispatch_pending(grace: timedelta = GRACE) -> int:
    """Sends every queued Run that was not sent, or whose job was lost on its way to a worker.

    Returns how many were sent; stops at the first that the broker does not take.
    """
    queued = Run.objects.filter(status=Status.QUEUED.value, queued_at__lte=timezone.now() - grace)
    try:
        _take_back_lost(queued.filter(dispatched_at__isnull=False))
    except broker.BrokerAway as error:
        logger.warning("the broker is away: %s", error)
        return 0
    sent = 0
    waiting = queued.filter(dispatched_at=None).order_by("created_at")
    for run_id in waiting.values_list("pk", flat=True):
        if not dispatch(run_id):
            if Run.objects.filter(
                pk=run_id, status=Status.QUEUED.value, dispatched_at=None
            ).exists():
                break
            continue
        sent += 1
    return sent


def _take_back_lost(dispatched: QuerySet[Run]) -> None:
    """Marks as unsent the Runs whose job went down with the broker's data or with a worker.

    A worker may die between taking a job and its first word, when no lease covers the Run yet: a
    job long sent that is neither spoken for nor on its queue is gone. Raises BrokerAway.
    """
    if not dispatched.exists():
        return
    lost = dispatched.exclude(broker_epoch=broker.epoch()).update(
        dispatched_at=None, broker_epoch=""
    )
    if lost:
        logger.warning("the broker lost its data; %d queued runs are sent again", lost)
    silent = dispatched.filter(dispatched_at__lte=timezone.now() - SILENCE)
    for device in silent.values_list("device", flat=True).distinct():
        if broker.waiting_jobs(device) == 0:
            taken = silent.filter(device=device).update(dispatched_at=None, broker_epoch="")
            logger.warning("%d runs were taken and never spoken for; they are sent again", taken)
