"""The stream of a Run over HTTP: uvicorn, a socket, a browser that goes away."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[2]
DEADLINE_SECONDS = 60

#: Made in the site's database: two queued runs of a reference, which all may watch.
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
owner = User.objects.create_user("alice", is_staff=True)
submission = Submission.objects.create(
    owner=owner, version=version, source="x", kind="reference", reference="v01"
)
for _ in range(2):
    print(Run.objects.create(submission=submission, device_id="emulated").pk)
"""
ABORT = """
from webapp.accounts.models import User
from webapp.submissions.abort import abort
from webapp.submissions.models import Run
abort(User.objects.get(), Run.objects.get(pk={run!r}))
"""


def listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def site(redis_server: Any, tmp_path: Path) -> Iterator[SimpleNamespace]:
    """uvicorn with the site, a database file of its own, and the runs to watch."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "webapp.settings",
        "WARPBOARD_SECRET_KEY": "k" * 40,
        "WARPBOARD_DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}",
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
    run_id, other = manage("shell", "--no-imports", "-c", SET_UP).split()
    options = ("--port", str(port), "--log-level", "warning", "--timeout-graceful-shutdown", "1")
    with (tmp_path / "site.log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", "webapp.asgi:application", *options],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        deadline = time.monotonic() + DEADLINE_SECONDS
        while not listening(port):
            assert time.monotonic() < deadline, (tmp_path / "site.log").read_text()
            time.sleep(0.05)
        yield SimpleNamespace(
            run_id=run_id,
            events=f"http://127.0.0.1:{port}/runs/{run_id}/events/",
            other_events=f"http://127.0.0.1:{port}/runs/{other}/events/",
            manage=manage,
            server=server,
            log=tmp_path / "site.log",
        )
        server.kill()
        server.wait()


def next_state(lines: Iterator[str]) -> dict[str, Any]:
    for line in lines:
        if line.startswith("data: "):
            state: dict[str, Any] = json.loads(line.removeprefix("data: "))
            return state
    raise AssertionError("the stream ended")


def test_a_run_is_followed_over_http_to_its_end(site: SimpleNamespace, redis_server: Any) -> None:
    def listeners() -> int:
        return len(redis_server.client().pubsub_channels("warpboard:live:run:*"))

    # A page opens, reads a little, and goes away.
    with httpx.stream("GET", site.events, timeout=DEADLINE_SECONDS) as response:
        assert response.headers["content-type"] == "text/event-stream"
        assert response.headers["cache-control"] == "no-store"
        lines = response.iter_lines()
        assert next_state(lines)["status"] == "queued"
        assert listeners() == 1
    deadline = time.monotonic() + DEADLINE_SECONDS
    while listeners():
        assert time.monotonic() < deadline, "a page that went away is still listened for"
        time.sleep(0.05)

    with (
        httpx.stream("GET", site.events, timeout=DEADLINE_SECONDS) as response,
        httpx.stream("GET", site.other_events, timeout=DEADLINE_SECONDS) as other,
    ):
        lines, other_lines = response.iter_lines(), other.iter_lines()
        assert next_state(lines)["verdict"] == ""
        assert next_state(other_lines)["verdict"] == ""
        site.manage("shell", "--no-imports", "-c", ABORT.format(run=site.run_id))
        last = next_state(lines)
        assert (last["status"], last["verdict"]) == ("done", "AB")
        assert not [line for line in lines if line.startswith("data: ")], "it ends there"

        # The other page still watches; a site that stops does not wait for it.
        site.server.send_signal(signal.SIGTERM)
        site.server.wait(DEADLINE_SECONDS)
    assert "Traceback" not in site.log.read_text()
