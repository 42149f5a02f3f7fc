"""Runs whose worker fell silent: judged again by another, or JE when that happened too often."""

from __future__ import annotations

import logging
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from judge.domain import Status, Verdict
from webapp.submissions.conclusion import conclude, requeue
from webapp.submissions.models import Run

logger = logging.getLogger(__name__)


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
