"""Aborting a Run: the verdict AB at once, here; its worker is told to stop afterwards.

The verdict does not wait for the worker. One that is already given stays, whoever was first.
"""

from __future__ import annotations

import logging
from functools import partial
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from judge.domain import Verdict
from webapp.submissions import broker, visibility
from webapp.submissions.conclusion import conclude
from webapp.submissions.models import Run
from webapp.submissions.services import Refusal

logger = logging.getLogger(__name__)


def abort(viewer: visibility.Viewer, run: Run) -> Run:
    """Ends ``run`` with the verdict AB; the Run as it is now.

    Raises Refusal: ``not_permitted``, or ``already_done`` when it had its verdict first.
    """
    with transaction.atomic():
        fresh = Run.objects.select_for_update().get(pk=run.pk)
        if fresh.is_done:
            raise Refusal(
                "already_done",
                f"This run is done already: {fresh.verdict} {fresh.verdict_phrase}.",
                None,
            )
        if not visibility.may_abort(viewer, fresh):
            raise Refusal("not_permitted", "Only its owner may abort a run.", None)
        conclude(fresh, Verdict.AB, _words(viewer, fresh), timezone.now())
        transaction.on_commit(partial(tell_worker, fresh.pk))
    run.refresh_from_db()
    return run


def tell_worker(run_id: UUID) -> None:
    """Asks the worker that has the Run, or will get it, to leave it; never raises.

    A broker that is away is no matter: whatever the worker still says moves nothing, and each
    word of it is another occasion to tell it (``events``).
    """
    try:
        broker.flag_aborted(run_id)
    except broker.BrokerAway as error:
        logger.warning("no worker could be told that run %s was aborted: %s", run_id, error)


def _words(viewer: visibility.Viewer, run: Run) -> str:
    who = "its owner" if visibility.is_owner(viewer, run.submission) else "an admin"
    where = "it waited in the queue" if run.worker == "" else f"it was {run.status}"
    return f"Aborted by {who} while {where}. Submit again to have it judged."
