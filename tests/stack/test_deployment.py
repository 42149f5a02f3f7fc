"""The compose files on a real engine: from nothing to an accepted kernel, each part a container.

Where no engine runs, or the images were not built (docker/build.sh), this is skipped.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from judge.cli.client import SiteClient
from stack.local import ROOT, free_port

FILES = ("docker/compose.yaml", "docker/compose.worker.yaml", "docker/compose.gpu.yaml")
#: The GPU host's worker without its GPU: all else of it is as deployed.
NO_GPU = "services: {gpu-worker: {deploy: !reset null}}\n"
IMAGES = ("web", "worker", "postgres", "redis")

#: How long a part may take to do what is waited for; builds of the first run included.
PATIENCE_SECONDS = 120.0


@dataclass(frozen=True)
class Deployment:
    """A project of Compose that is up."""

    url: str
    files: tuple[Path, ...]
    environment: dict[str, str]

    def compose(self, *arguments: str) -> str:
        """What ``docker compose`` prints; fails with what it says."""
        files = [option for file in self.files for option in ("--file", str(file))]
        done = subprocess.run(
            ("docker", "compose", "--env-file", os.devnull, *files, *arguments),
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"docker compose {arguments}:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def wait(self, what: str, ready: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not ready():
            if time.monotonic() > deadline:
                logs = self.compose("logs", "--no-color", "--tail", "30")
                pytest.fail(f"{what} took more than {PATIENCE_SECONDS:.0f} s:\n{logs}")
            time.sleep(0.2)

    def health(self) -> dict[str, Any]:
        """What monitoring sees; empty while nothing answers."""
        try:
            found: dict[str, Any] = httpx.get(f"{self.url}/health/", timeout=15).json()
        except (httpx.TransportError, json.JSONDecodeError):
            return {}
        return found


def _docker(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(("docker", *arguments), capture_output=True, text=True, check=False)


def _skip_unless_possible() -> None:
    if shutil.which("docker") is None or _docker("version").returncode != 0:
        pytest.skip("no Docker Engine answers: apt-get install docker.io and start dockerd")
    if _docker("compose", "version").returncode != 0:
        pytest.skip("no Compose 2: install Docker's compose plugin")
    if "bridge" not in _docker("network", "ls", "--format", "{{.Driver}}").stdout.split():
        pytest.skip("this Docker Engine has no bridge networks, so containers cannot talk")
    absent = [i for i in IMAGES if _docker("image", "inspect", f"warpboard/{i}").returncode != 0]
    if absent:
        pytest.skip(f"images missing: docker/build.sh {' '.join(absent)}")


def _engine_socket() -> Path:
    host = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
    if not host.startswith("unix://"):
        pytest.skip(f"the engine at {host} is not this machine's, but its socket is mounted")
    return Path(host.removeprefix("unix://"))


@pytest.fixture(scope="module")
def deployment(
    tmp_path_factory: pytest.TempPathFactory, sandbox_image: str
) -> Iterator[Deployment]:
    _skip_unless_possible()
    socket = _engine_socket()
    no_gpu = tmp_path_factory.mktemp("deployment") / "no-gpu.yaml"
    no_gpu.write_text(NO_GPU)
    port, broker_password = free_port(), secrets.token_hex(16)
    # Not pytest's: its folders are closed to the containers' users.
    shared = Path(tempfile.mkdtemp(prefix="warpboard-shared-"))
    shared.chmod(0o777)
    running = Deployment(
        f"http://127.0.0.1:{port}",
        (*(ROOT / file for file in FILES), no_gpu),
        {
            **{k: v for k, v in os.environ.items() if not k.startswith("WARPBOARD_")},
            "COMPOSE_PROJECT_NAME": f"warpboard-test-{secrets.token_hex(4)}",
            "POSTGRES_IMAGE": "warpboard/postgres",
            "REDIS_IMAGE": "warpboard/redis",
            "WARPBOARD_EMULATED_IMAGE": "warpboard/worker",
            "WARPBOARD_DEVICE": "emulated",
            "WARPBOARD_SANDBOX_IMAGE": sandbox_image,
            "WARPBOARD_SHARED": str(shared),
            "DOCKER_SOCKET": str(socket),
            "DOCKER_GID": str(socket.stat().st_gid),
            "WARPBOARD_HOST": "127.0.0.1",
            "WARPBOARD_PORT": str(port),
            "REDIS_PORT": str(free_port()),
            "WARPBOARD_SECRET_KEY": secrets.token_hex(32),
            "POSTGRES_PASSWORD": secrets.token_hex(16),
            "REDIS_PASSWORD": broker_password,
            "WARPBOARD_BROKER_URL": f"redis://:{broker_password}@redis:6379/0",
            "WARPBOARD_SITE_URL": "http://web:8000",
        },
    )
    try:
        running.compose("up", "--detach", "--no-build", "--pull", "never", "web", "events")
        running.wait("the site", lambda: running.health().get("database") == "ok")
        yield running
    finally:
        running.compose("down", "--volumes", "--timeout", "2")
        shutil.rmtree(shared)


@pytest.mark.parametrize("worker", ["worker", "gpu-worker"])
def test_a_kernel_is_accepted_by_a_deployed_site(
    deployment: Deployment, worker: str, kernels: dict[str, Path]
) -> None:
    """``worker`` confines with bubblewrap, ``gpu-worker`` with the engine it was started by."""
    deployment.compose("up", "--detach", "--no-build", "--no-deps", worker)
    said = deployment.compose(
        *("exec", "-T", "web", "python", "manage.py"), *("create_token", "ada", "--create-user")
    )
    client = SiteClient(deployment.url, said.split()[-1])
    deployment.wait(worker, lambda: any(d["workers"] for d in client.devices()))

    answer = client.submit("transpose", "emulated", kernels["fast"].read_text())
    *_, finished = client.follow(answer["run"]["id"])

    assert finished["verdict"] == "AC", finished["message"]
    assert deployment.compose("exec", "-T", worker, "id", "-u").strip() != "0"
    deployment.compose("rm", "--stop", "--force", worker)


def test_a_deployed_site_passes_the_checks_for_deployment(deployment: Deployment) -> None:
    deployment.compose(
        *("exec", "-T", "web", "python", "manage.py"),
        *("check", "--deploy", "--fail-level", "WARNING"),
    )


def test_no_part_of_the_site_is_root(deployment: Deployment) -> None:
    for service in ("web", "events"):
        assert deployment.compose("exec", "-T", service, "id", "-u").strip() != "0"


def test_a_web_server_that_loses_its_database_recovers_by_itself(deployment: Deployment) -> None:
    deployment.compose("stop", "postgres")
    assert httpx.get(f"{deployment.url}/problems/", timeout=60).status_code == 503

    deployment.compose("start", "postgres")

    deployment.wait("the site", lambda: deployment.health().get("database") == "ok")
    assert httpx.get(f"{deployment.url}/problems/", timeout=60).status_code == 200
