"""Delivers a worker's messages in order, however long the broker is away."""

from __future__ import annotations

import queue
import threading
from typing import Any

import structlog
from celery import Celery
from kombu.exceptions import OperationalError

from judge.messages import EVENTS_QUEUE

log = structlog.get_logger(__name__)

_FIRST_DELAY_SECONDS = 0.25
_LONGEST_DELAY_SECONDS = 10.0


class Outbox:
    """A queue and the one thread that empties it; ``post`` never blocks and never fails.

    A message leaves the queue once the broker has taken it. An attempt that failed is made again
    with a growing delay, so that a verdict reached while the broker was down is not lost.
    """

    def __init__(self, app: Celery) -> None:
        self._app = app
        self._messages: queue.Queue[tuple[str, dict[str, Any]]] = queue.Queue()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._deliver, name="outbox", daemon=True)
        self._thread.start()

    def post(self, task: str, message: dict[str, Any]) -> None:
        self._messages.put((task, message))

    def flush(self) -> None:
        """Wait until everything posted so far was delivered, or the outbox is closing."""
        self._messages.join()

    def close(self) -> None:
        """Give up on what the broker does not take now."""
        self._closing.set()

    def _deliver(self) -> None:
        while True:
            task, message = self._messages.get()
            delay = _FIRST_DELAY_SECONDS
            while not self._send(task, message):
                if self._closing.wait(delay):
                    log.error("message lost, the broker is away at shutdown", task=task)
                    break
                delay = min(2 * delay, _LONGEST_DELAY_SECONDS)
            self._messages.task_done()

    def _send(self, task: str, message: dict[str, Any]) -> bool:
        try:
            self._app.send_task(task, args=[message], queue=EVENTS_QUEUE, retry=False)
        except OperationalError as error:
            log.warning("broker unreachable, will try again", task=task, error=str(error))
            return False
        return True
