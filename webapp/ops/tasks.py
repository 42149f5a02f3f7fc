"""The Celery task that takes workers' reports. Arguments are as they came over the wire."""

from __future__ import annotations

from django.db import OperationalError

from judge.messages import STORE_WORKER_TASK
from webapp.celery import app
from webapp.ops.reports import store_worker


@app.task(name=STORE_WORKER_TASK, autoretry_for=(OperationalError,), max_retries=3)  # type: ignore[untyped-decorator]
def store_worker_task(message: object) -> None:
    store_worker(message)
