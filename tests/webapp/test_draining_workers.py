"""A worker whose device breaks ends itself and says why; what it had is judged by another one."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from judge.execution import SandboxUnavailable
from judge.messages import EVENTS_QUEUE, STORE_WORKER_TASK
from judge.problems.package import load_package
from judge.sandbox import default_executor
from webapp.ops.models import Worker
from webapp.ops.reports import store_worker
from webapp.problems.loading import store_package
from webapp.problems.models import ProblemVersion
from webapp.submissions.baselines import request_baselines
from webapp.submissions.events import store_event
from webapp.submissions.models import Run
from webapp.submissions.reaper import requeue_lost
from webapp.submissions.services import submit

pytestmark = pytest.mark.django_db(transaction=True)

HERE = Path(__file__).resolve().parent
PROGRAM = HERE / "draining_worker.py"
VECTOR_ADD = HERE.parent / "data" / "problems" / "vector-add"
REASON = "The GPU adds wrongly."
PATIENCE_SECONDS = 120

RIGHT = """
__global__ void add(const float* A, const float* B, float* C, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) C[i] = A[i] + B[i];
}
extern "C" void solve(const float* A, const float* B, float* C, int N) {
    add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
"""

StartWorker = Callable[[int], "subprocess.Popen[str]"]


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder with vector-add, its library call named."""
    package = tmp_path / "problems" / "vector-add"
    shutil.copytree(VECTOR_ADD, package)
    with (package / "reference.py").open("a") as reference:
        reference.write("\n\ndef baseline(A, B):\n    return A + B\n")
    store_package(load_package(package))
    return package.parent


@pytest.fixture
def start_worker(redis_server: Any, packages: Path, tmp_path: Path) -> Iterator[StartWorker]:
    """Starts a worker whose device passes so many probes."""
    try:
        default_executor()
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    started: list[subprocess.Popen[str]] = []

    def start(good_probes: int) -> subprocess.Popen[str]:
        arguments = (redis_server.url, str(packages), str(tmp_path / "cache"), str(good_probes))
        started.append(
            subprocess.Popen(
                [sys.executable, str(PROGRAM), *arguments],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
        return started[-1]

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def hear(redis_server: Any, seconds: int = 0) -> bool:
    """Stores the next thing a worker said, as the event worker does; False when there is none."""
    found = redis_server.client().blpop([EVENTS_QUEUE], timeout=seconds or 0.05)
    if found is None:
        return False
    message = json.loads(found[1])
    ((body,), _, _) = json.loads(base64.b64decode(message["body"]))
    store = store_worker if message["headers"]["task"] == STORE_WORKER_TASK else store_event
    store(body)
    return True


def hear_until(redis_server: Any, true: Callable[[], bool]) -> None:
    while not true():
        assert hear(redis_server, PATIENCE_SECONDS), "no worker says anything"


def test_a_broken_device_drains_its_worker_and_another_one_judges(
    redis_server: Any, start_worker: StartWorker, device: Any, alice: Any, admin_client: Any
) -> None:
    runs = [submit(alice, "vector-add", "emulated", RIGHT.encode()) for _ in range(2)]
    # It passes at its start and before the first Run, and no more: that Run meets the failure.
    broken = start_worker(2)
    output, _ = broken.communicate(timeout=PATIENCE_SECONDS)
    assert broken.returncode not in (0, None), output
    assert output.count("the device is broken, this worker ends") == 1, output
    assert REASON in output.splitlines()[-1], output
    while hear(redis_server):
        pass
    told = Worker.objects.get()
    assert told.state == "stopped"
    assert REASON in admin_client.get("/admin/ops/worker/").content.decode()
    judged = Run.objects.get(pk=runs[0].pk)
    assert judged.worker == told.name
    assert {run.verdict for run in Run.objects.all()} == {None}

    Run.objects.exclude(lease_expires_at=None).update(
        lease_expires_at=timezone.now() - timedelta(seconds=1)
    )
    assert requeue_lost() >= 1
    request_baselines(ProblemVersion.objects.all(), [device])
    start_worker(1000)
    hear_until(redis_server, lambda: not Run.objects.filter(verdict=None).exists())
    assert {run.verdict for run in Run.objects.all()} == {"AC"}
    assert told.name not in set(Run.objects.values_list("worker", flat=True))
    assert Run.objects.get(pk=runs[0].pk).attempt == 2
    library = Run.objects.get(submission__kind="baseline")
    assert library.competitor_name.startswith("torch 2")
