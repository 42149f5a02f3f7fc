"""What tests of several packages need: an image for sandboxes, where an engine runs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[1]
_BASE = "warpboard/base:bookworm"


@pytest.fixture(scope="session")
def sandbox_image() -> str:
    """The ID of an image for the docker back end, with Python in it for the tests' programs.

    WARPBOARD_SANDBOX_IMAGE, or built on the base that docker/base.sh made. Skips where no engine
    answers or there is neither.
    """
    if shutil.which("docker") is None or _docker("version").returncode != 0:
        pytest.skip(
            "no Docker Engine answers, so the docker sandbox is not tested: "
            "apt-get install docker.io and start dockerd, or set DOCKER_HOST"
        )
    configured = os.environ.get("WARPBOARD_SANDBOX_IMAGE")
    if configured:
        return configured
    if _docker("image", "inspect", _BASE).returncode != 0:
        pytest.skip(
            f"no image for the docker sandbox: set WARPBOARD_SANDBOX_IMAGE (with python3 in it), "
            f"or let docker/base.sh make {_BASE} to build one on"
        )
    options = ("--quiet", "--network", "host", "--build-arg", f"BASE={_BASE}")
    packages = ("--build-arg", "PACKAGES=g++ python3")
    built = _docker("build", *options, *packages, str(_ROOT / "docker" / "sandbox"))
    assert built.returncode == 0, built.stderr
    return built.stdout.split()[-1]


def _docker(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["docker", *arguments], capture_output=True, text=True, check=False)
