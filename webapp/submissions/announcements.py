"""Telling whoever watches a Run that it changed: thin messages over Redis, sent on commit.

A message carries no content, since what a watcher may see depends on who it is: each reads the
Run afresh (``live``). A message that is lost costs a few seconds, until a watcher looks by itself.
"""

from __future__ import annotations

import logging
from functools import partial
from uuid import UUID

import redis
from django.conf import settings
from django.db import transaction

from judge import control
from webapp.submissions.models import Run

logger = logging.getLogger(__name__)


def run_channel(run_id: UUID) -> str:
    """Where changes of one Run are announced."""
    return f"warpboard:live:run:{run_id}"


def queue_channel(device: str) -> str:
    """Where it is announced that a Run left the queue of ``device``: others moved up."""
    return f"warpboard:live:queue:{device}"


def announce(run: Run, *, left_queue: bool = False) -> None:
    """Announces, once the transaction commits, that ``run`` changed."""
    channels = [run_channel(run.pk)]
    if left_queue:
        channels.append(queue_channel(run.device_id))
    transaction.on_commit(partial(_publish, channels))


def _publish(channels: list[str]) -> None:
    try:
        with control.connect(settings.WARPBOARD_BROKER_URL) as client:
            for channel in channels:
                client.publish(channel, b"")
    except redis.RedisError as error:
        logger.warning("no live page hears of a change, the broker is away: %s", error)
