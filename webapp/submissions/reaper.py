"""Runs whose worker fell silent: judged again by another, or JE when that happened too often."""

from __future__ import annotations

import logging
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from judge.domain import Status, Verdict
from judge.messages import LEASE_SECONDS
from webapp.submissions.conclusion import conclude, requeue
from webapp.submissions.models import Run

logger = logging.getLogger(__name__)


class Watch:
    """Decides at each look whether silence is the workers' fault, or this site's.

    While the site or the broker was away nobody heard the workers; their events are still on the
    way. So the first look after a gap grants every lease its full time again.
    """

    def __init__(self, longest_gap_seconds: float) -> None:
        self._longest_gap = longest_gap_seconds
        self._last_look: float | None = None

    def look(self, monotonic_seconds: float) -> int:
        """Requeues what is lost; returns how many Runs were."""
        last, self._last_look = self._last_look, monotonic_seconds
        if last is None or monotonic_seconds - last > self._longest_gap:
            renew_leases()
            return 0
        return requeue_lost()


def renew_leases() -> int:
    """Gives every Run that is being judged a full lease from now."""
    lease = timezone.now() + timedelta(seconds=LEASE_SECONDS)
    judged = Run.objects.exclude(status=Status.DONE.value).exclude(lease_expires_at=None)
    return judged.filter(lease_expires_at__lt=lease).update(lease_expires_at=lease)


def requeue_lost() -> int:
    """Deals with every Run whose lease ran out; returns how many there were."""
    overdue = Run.objects.filter(lease_expires_at__lt=timezone.now()).exclude(
        status=Status.DONE.value
    )
    return sum(_requeue_one(run_id) for run_id in overdue.values_list("pk", flat=True))


@transaction.atomic
def _requeue_one(run_id: UUID) -> bool:
    now = timezone.now()
    run = (
        Run.objects.select_for_update()
        .filter(pk=run_id, lease_expires_at__lt=now)
        .exclude(status=Status.DONE.value)
        .first()
    )
    if run is None:  # its worker spoke up meanwhile
        return False
    logger.warning(
        "run %s lost its worker %s in attempt %d", run.pk, ascii(run.worker), run.attempt
    )
    if requeue(run, now):
        return True
    return conclude(
        run,
        Verdict.JE,
        f"The judge lost its worker {run.attempt} times while it judged this. That is a fault of "
        "this site, unless the submission takes the whole machine down. Its admins can see it.",
        now,
        detail=f"The lease ran out in attempt {run.attempt}; last worker: {run.worker}.",
    )
