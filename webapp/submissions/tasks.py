"""Celery tasks over the services: they take what came over the wire and hold no logic."""

from __future__ import annotations

import time

from django.db import OperationalError

from judge.messages import STORE_EVENT_TASK
from webapp.celery import CARE_SECONDS, app
from webapp.submissions import dispatch, events, reaper

#: Three looks missed in a row mean that the site or the broker was away.
_watch = reaper.Watch(longest_gap_seconds=4 * CARE_SECONDS)


@app.task(  # type: ignore[untyped-decorator]  # celery is untyped
    name=STORE_EVENT_TASK,
    # A database that is busy or away: the event must not be lost, and storing twice is harmless.
    autoretry_for=(OperationalError,),
    retry_backoff=True,
    retry_backoff_max=60,
    max_retries=None,
)
def store_event(message: object) -> None:
    events.store_event(message)


@app.task(name="webapp.dispatch_pending")  # type: ignore[untyped-decorator]  # celery is untyped
def dispatch_pending() -> None:
    dispatch.dispatch_pending()


@app.task(name="webapp.requeue_lost")  # type: ignore[untyped-decorator]  # celery is untyped
def requeue_lost() -> None:
    _watch.look(time.monotonic())
