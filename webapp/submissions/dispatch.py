"""Sending queued Runs to the workers of their device, once each, whatever the broker does.

A Run that could not be sent stays queued and undispatched; ``dispatch_pending`` (every few
seconds) sends it when the broker is back. A job sent twice does no harm: an attempt belongs to the
worker that speaks first, and a Run gets one verdict.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from judge.domain import Status
from judge.messages import JobMessage
from webapp.submissions import broker
from webapp.submissions.models import Run

logger = logging.getLogger(__name__)

#: The request that made a Run gets this long to send it itself.
GRACE = timedelta(seconds=3)


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
    job = JobMessage(
        run_id=run.pk,
        attempt=run.attempt,
        problem=version.problem_id,
        problem_version=version.digest,
        device=run.device_id,
        source=run.submission.source,
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
    return True


def dispatch_pending(grace: timedelta = GRACE) -> int:
    """Sends every queued Run that was not sent, or whose job went down with the broker's data.

    Returns how many were sent; stops at the first that the broker does not take.
    """
    queued = Run.objects.filter(status=Status.QUEUED.value, queued_at__lte=timezone.now() - grace)
    waiting = queued.filter(dispatched_at=None)
    if queued.exclude(dispatched_at=None).exists():
        try:
            epoch = broker.epoch()
        except broker.BrokerAway as error:
            logger.warning("the broker is away: %s", error)
            return 0
        lost = queued.filter(~Q(broker_epoch=epoch), dispatched_at__isnull=False).update(
            dispatched_at=None, broker_epoch=""
        )
        if lost:
            logger.warning("the broker lost its data; %d queued runs are sent again", lost)
    sent = 0
    for run_id in waiting.order_by("created_at").values_list("pk", flat=True):
        if not dispatch(run_id):
            if Run.objects.filter(
                pk=run_id, status=Status.QUEUED.value, dispatched_at=None
            ).exists():
                break
            continue
        sent += 1
    return sent
