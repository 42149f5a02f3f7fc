"""The Celery app of a judging host: takes job messages, judges, answers with events.

It holds nothing worth stealing: no Django, no database, no session secret. It knows the broker,
and the site's address and a token with which it may fetch problem packages.

Two jobs are in hand at most. One has the device; the other compiles meanwhile on other cores and
then waits for its turn. A job is acknowledged once its verdict was delivered (acks_late), and
is safe to repeat: the site drops events of an attempt that is no longer the Run's.
"""

from __future__ import annotations

import os
import platform
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID

import httpx
import structlog
from celery import Celery
from celery.signals import worker_ready, worker_shutdown, worker_shutting_down

from judge import pipeline
from judge.control import AbortWatch
from judge.devices.interface import DeviceUnavailable
from judge.domain import Verdict
from judge.events import Event, Finished, Heartbeat
from judge.machine import Machine
from judge.messages import (
    HEARTBEAT_SECONDS,
    JUDGE_TASK,
    STORE_EVENT_TASK,
    STORE_WORKER_TASK,
    EventEnvelope,
    JobMessage,
    WorkerReport,
    device_queue,
)
from judge.outbox import Outbox
from judge.problems.errors import PackageError
from judge.problems.store import Fetch, PackageStore, StoreError

log = structlog.get_logger(__name__)

#: One Run on the device, one compiling beside it.
JOBS_IN_HAND = 2

#: A message unacknowledged for this long goes to another worker. Losing a worker is noticed by
#: its lease long before; this only catches a message that no lease covers.
VISIBILITY_TIMEOUT_SECONDS = 6 * 3600

#: How long a stopping worker tries to say what it has left to say.
_LAST_WORDS_SECONDS = 5.0


def create_app(broker_url: str) -> Celery:
    """The Celery app; a broker that is away at start or later is waited for."""
    app = Celery("judge", broker=broker_url, set_as_current=False)
    app.conf.update(
        task_acks_late=True,
        task_ignore_result=True,
        worker_prefetch_multiplier=1,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": VISIBILITY_TIMEOUT_SECONDS,
            "socket_timeout": 10,
            "socket_connect_timeout": 5,
        },
        worker_hijack_root_logger=False,
    )
    return app


def site_fetcher(site: str, token: str) -> Fetch | None:
    """How this worker gets packages that it lacks, or None without a site's address and token.

    The token has the scope ``worker``. The store checks what arrives against the version hash of
    the job.
    """
    site = site.rstrip("/")
    if not (site and token):
        return None

    def fetch(slug: str, digest: str) -> bytes:
        response = httpx.get(
            f"{site}/api/v1/problems/{slug}/versions/{digest}/archive",
            headers={"Authorization": f"Bearer {token}"},
            timeout=60,
        )
        response.raise_for_status()
        return response.content

    return fetch


class _Stream:
    """The numbered events of one attempt at a Run, with a heartbeat while it lasts."""

    def __init__(self, job: JobMessage, worker: str, outbox: Outbox) -> None:
        self._job = job
        self._worker = worker
        self._outbox = outbox
        self._lock = threading.Lock()
        self._sequence = 0
        self._over = threading.Event()

    def post(self, event: Event) -> None:
        # Numbering and posting are one step: the queue's order is the sequence's order.
        with self._lock:
            envelope = EventEnvelope(
                run_id=self._job.run_id,
                attempt=self._job.attempt,
                key=self._job.key,
                sequence=self._sequence,
                worker=self._worker,
                sent_at=datetime.now(UTC),
                event=event,
            )
            self._sequence += 1
            self._outbox.post(STORE_EVENT_TASK, envelope.to_wire())

    @contextmanager
    def beating(self) -> Iterator[None]:
        thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _beat(self) -> None:
        while not self._over.wait(HEARTBEAT_SECONDS):
            self.post(Heartbeat())


def _is_judge_error(event: Event) -> bool:
    return isinstance(event, Finished) and event.verdict is Verdict.JE


class JudgeWorker:
    """One process that owns one device."""

    def __init__(self, app: Celery, machine: Machine, store: PackageStore) -> None:
        self.name = f"{platform.node()}-{os.getpid()}"
        self.queue = device_queue(machine.device.name)
        self._app = app
        self._machine = machine
        self._store = store
        self._outbox = Outbox(app)
        self._aborts = AbortWatch(app.conf.broker_url)
        self._device_turn = threading.Lock()
        self._judged: dict[tuple[UUID, int], None] = {}
        self._in_hand: set[tuple[UUID, int]] = set()
        self._draining = False
        #: Why the device cannot be used any more; empty while it can.
        self._broken = ""
        self._stopped = threading.Event()
        app.task(name=JUDGE_TASK)(self.judge)

    def start(self, loglevel: str = "INFO") -> None:
        """Take jobs until SIGTERM, then finish those in hand and return.

        Raises DeviceUnavailable: at once when the device is broken, and for one that breaks later
        once the worker has drained as by SIGTERM. Its Runs are judged by another.
        """
        # Also the moment to measure a new host's peaks, before there are jobs.
        self._broken = self._machine.device.fitness().broken
        if self._broken:
            raise DeviceUnavailable(self._broken)
        worker_ready.connect(self._announce)
        worker_shutting_down.connect(self._drain)
        worker_shutdown.connect(self._say_stopped)
        threading.Thread(target=self._keep_reporting, name="reports", daemon=True).start()
        worker = self._app.Worker(
            hostname=f"judge@{self.name}",
            queues=[self.queue],
            pool="threads",
            concurrency=JOBS_IN_HAND,
            loglevel=loglevel,
            without_gossip=True,
            without_mingle=True,
        )
        worker.start()
        if self._broken:
            raise DeviceUnavailable(self._broken)

    def judge(self, message: dict[str, Any]) -> None:
        """The task: judge one job message; returns once its events were delivered."""
        job = JobMessage.model_validate(message)
        key = (job.run_id, job.attempt)
        if key in self._judged or key in self._in_hand:
            log.info("job delivered twice", run=str(job.run_id), attempt=job.attempt)
            return
        if self._aborts.is_aborted(job.run_id):
            log.info("job of an aborted run left alone", run=str(job.run_id))
            return
        stream = _Stream(job, self.name, self._outbox)
        self._in_hand.add(key)
        try:
            with stream.beating():
                for event in self._events(job):
                    if _is_judge_error(event) and self._device_broke():
                        return
                    stream.post(event)
            self._outbox.flush()
        finally:
            self._in_hand.discard(key)
        self._judged[key] = None
        while len(self._judged) > 1000:
            self._judged.pop(next(iter(self._judged)))

    def _events(self, job: JobMessage) -> Iterator[Event]:
        try:
            package = self._store.get(job.problem, job.problem_version)
        except (StoreError, PackageError, httpx.HTTPError) as error:
            log.error("problem package unavailable", run=str(job.run_id), error=str(error))
            yield Finished(
                Verdict.JE,
                "The judge could not get the problem's package. The board's admins can see why.",
                detail=str(error),
            )
            return
        judge = pipeline.judge_baseline if job.baseline else partial(pipeline.judge, job.source)
        with self._aborts.watching(job.run_id) as aborted:
            yield from judge(
                package,
                self._machine,
                turn=lambda: self._device_turn,
                is_aborted=aborted.is_set,
            )

    def _device_broke(self) -> bool:
        """Whether a judge error is the device's; if so this worker takes no more jobs.

        The Run gets no verdict from here: its lease runs out, and another worker judges it.
        """
        with self._device_turn:
            broken = self._machine.device.fitness().broken
        if broken and not self._broken:
            self._broken = broken
            log.error("the device is broken, this worker ends", reason=broken)
            os.kill(os.getpid(), signal.SIGTERM)
        return bool(broken)

    def _report(self, state: str) -> None:
        environment = pipeline.environment(self._machine)
        if self._broken:
            environment = replace(environment, remarks=(self._broken,))
        report = WorkerReport(
            worker=self.name,
            device=self._machine.device.name,
            state=state,
            sent_at=datetime.now(UTC),
            environment=environment,
        )
        self._outbox.post(STORE_WORKER_TASK, report.to_wire())

    def _state(self) -> str:
        if self._draining:
            return "draining"
        return "busy" if self._in_hand else "ready"

    def _announce(self, **_: object) -> None:
        self._report(self._state())

    def _keep_reporting(self) -> None:
        while not self._stopped.wait(HEARTBEAT_SECONDS):
            self._report(self._state())

    def _drain(self, **_: object) -> None:
        self._draining = True
        self._report(self._state())

    def _say_stopped(self, **_: object) -> None:
        self._stopped.set()
        self._report("stopped")
        # A broker that is away must not keep a stopping worker alive: what it does not take now
        # is lost, and the lease of its Run runs out.
        patience = threading.Timer(_LAST_WORDS_SECONDS, self._outbox.close)
        patience.start()
        self._outbox.flush()
        patience.cancel()
        self._outbox.close()
