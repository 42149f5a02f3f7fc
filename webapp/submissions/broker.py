"""The site's side of the broker: sending jobs and aborts, quickly or not at all.

A web request must not hang on a Redis that is away, so every try is short and there is one only:
what was not sent is sent later by ``dispatch_pending``.
"""

from __future__ import annotations

import secrets
from uuid import UUID

import redis
from django.conf import settings
from kombu.connection import Connection
from kombu.exceptions import OperationalError

from judge import control
from judge.messages import EVENTS_QUEUE, JUDGE_TASK, JobMessage, device_queue
from webapp.celery import app

_TIMEOUT_SECONDS = 1.0
_EPOCH_KEY = "warpboard:epoch"


class BrokerAway(Exception):
    """Redis cannot be reached, or refuses; the text says how."""


def epoch() -> str:
    """The name that this Redis's data goes by: another one means that queued jobs were lost.

    It is stored beside the queues, so it is there for as long as they are.
    """
    try:
        with _client() as client:
            client.set(_EPOCH_KEY, secrets.token_hex(8), nx=True)
            found = client.get(_EPOCH_KEY)
    except redis.RedisError as error:
        raise BrokerAway(str(error)) from error
    if not isinstance(found, bytes):
        raise BrokerAway(f"{_EPOCH_KEY} vanished while it was read")
    return found.decode()


def waiting_jobs(device: str) -> int:
    """How many jobs lie on the queue of ``device``; those in a worker's hands do not count."""
    return _length(device_queue(device))


def waiting_events() -> int:
    """How many events and reports of workers nobody has stored yet."""
    return _length(EVENTS_QUEUE)


def _length(queue: str) -> int:
    try:
        with _client() as client:
            return int(client.llen(queue))
    except redis.RedisError as error:
        raise BrokerAway(str(error)) from error


def flag_aborted(run_id: UUID) -> None:
    """Tells the worker that has the Run, or will get it, to leave it."""
    try:
        with _client() as client:
            control.flag_aborted(client, run_id)
    except redis.RedisError as error:
        raise BrokerAway(str(error)) from error


def send_job(job: JobMessage, device: str) -> None:
    """Puts ``job`` on the queue of ``device``. Its task id is the same however often it is sent."""
    options = {
        "socket_connect_timeout": _TIMEOUT_SECONDS,
        "socket_timeout": _TIMEOUT_SECONDS,
    }
    try:
        with Connection(  # type: ignore[no-untyped-call]  # kombu is untyped
            settings.WARPBOARD_BROKER_URL, transport_options=options
        ) as connection:
            app.send_task(
                JUDGE_TASK,
                args=[job.to_wire()],
                queue=device_queue(device),
                task_id=f"{job.run_id}.{job.attempt}",
                connection=connection,
                retry=False,
            )
    except (OperationalError, redis.RedisError) as error:
        raise BrokerAway(str(error)) from error


def _client() -> redis.Redis:
    return control.connect(settings.WARPBOARD_BROKER_URL)
