"""The event consumer as its own process: it outlives a broker that is away and loses nothing."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from celery import Celery

from judge.domain import Status, Verdict
from judge.events import Finished, StageEntered
from judge.messages import EVENTS_QUEUE, STORE_EVENT_TASK

ROOT = Path(__file__).resolve().parents[2]
DEADLINE_SECONDS = 60

#: Made in the consumer's database: one Run that waits to be sent.
SET_UP = """
from judge.problems.package import load_package
from pathlib import Path
from webapp.accounts.models import User
from webapp.ops.models import Device
from webapp.problems.loading import store_package
from webapp.problems.models import Problem
from webapp.submissions.models import Run, Submission
store_package(load_package(Path("problems/transpose")))
version = Problem.objects.get().current
Device.objects.create(name="emulated", kind="emulated")
owner = User.objects.create_user("alice")
submission = Submission.objects.create(owner=owner, version=version, source="x")
run = Run.objects.create(submission=submission, device_id="emulated")
print(run.pk, run.attempt_key)
"""


class Away:
    """Stands for the Run where only its id and key are needed."""

    def __init__(self, pk: str, key: str) -> None:
        self.pk = pk
        self.key = key


def eventually(true: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not true():
        assert time.monotonic() < deadline, f"not within {DEADLINE_SECONDS} s: {what}"
        time.sleep(0.05)


@pytest.fixture
def site(redis_server: Any, tmp_path: Path) -> Iterator[Any]:
    """The consumer, started while Redis is away, and a function that reads its Run."""
    redis_server.stop()
    database = tmp_path / "db.sqlite3"
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "webapp.settings",
        "WARPBOARD_SECRET_KEY": "k" * 40,
        "WARPBOARD_DATABASE_URL": f"sqlite:///{database}",
        "WARPBOARD_BROKER_URL": redis_server.url,
    }

    def manage(*command: str) -> str:
        return subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    manage("migrate", "--verbosity", "0")
    run_id, key = manage("shell", "--no-imports", "-c", SET_UP).split()
    log = (tmp_path / "consumer.log").open("w")
    options = ("-B", "-Q", "events", "--pool", "solo", "--without-gossip", "--without-mingle")
    consumer = subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "webapp.celery", "worker", *options],
        cwd=ROOT,
        env=environment,
        stdout=log,
        stderr=subprocess.STDOUT,
    )

    def row(columns: str) -> tuple[Any, ...]:
        with closing(sqlite3.connect(database, timeout=20)) as connection:
            found: tuple[Any, ...] = connection.execute(
                f"select {columns} from submissions_run"
            ).fetchone()
            return found

    yield Away(run_id, key), row, tmp_path / "consumer.log"
    consumer.terminate()
    consumer.wait(timeout=DEADLINE_SECONDS)
    log.close()


def test_it_waits_for_redis_then_sends_what_waits_and_stores_what_comes(
    redis_server: Any, site: Any, kit: Any
) -> None:
    run, row, log = site
    eventually(lambda: "Cannot connect" in log.read_text(), "the consumer finds Redis away")
    redis_server.start()
    eventually(lambda: redis_server.jobs("emulated") == 1, "the waiting run is sent")
    voice = kit.Speaker(run)
    worker = Celery(broker=redis_server.url, set_as_current=False)
    for message in (
        voice.wire(StageEntered(Status.COMPILING)),
        {"nonsense": True},
        "nonsense",
        voice.wire(Finished(Verdict.WA, "output[0] is wrong")),
    ):
        worker.send_task(STORE_EVENT_TASK, args=[message], queue=EVENTS_QUEUE, retry=False)
    eventually(lambda: row("verdict")[0] == "WA", "the verdict is stored")
    assert row("status, message, worker") == ("done", "output[0] is wrong", "w1")
    assert "Traceback" not in log.read_text()
