"""Containers made ahead: each used once, none left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from judge.execution import MIB, Command, ExecutionLimits, SandboxUnavailable
from judge.sandbox import default_executor
from judge.sandbox.docker import DockerSandbox
from judge.sandbox.docker_engine import Engine
from judge.sandbox.docker_pool import LABEL

HELLO = Command(
    argv=("/bin/sh", "-c", "echo $(ls -A /tmp) >&2; echo x > /tmp/left"),
    limits=ExecutionLimits(wall_seconds=30.0, memory_bytes=256 * MIB),
)


@pytest.fixture
def pooled(sandbox_image: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # A workshop of its own: other tests' judges work in the usual one.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    sandbox = DockerSandbox(sandbox_image)
    yield sandbox
    sandbox.close()


def _wait_for(condition) -> None:
    """Poll: neither the engine nor the pool's thread tells when it has done something."""
    done = threading.Event()
    for _ in range(600):
        if condition():
            return
        done.wait(0.05)
    pytest.fail("it did not come to that in 30 s")


def _containers(folder: Path) -> list[str]:
    return [c for c, owner in Engine().labelled(LABEL).items() if owner.startswith(str(folder))]


def test_a_kind_asked_for_twice_is_kept_ready_and_used_once_each(pooled):
    assert pooled.run(HELLO).stderr == b"\n"
    assert pooled.ready(HELLO) == 0
    pooled.run(HELLO)
    _wait_for(lambda: pooled.ready(HELLO) == 2)
    for _ in range(4):
        # Nothing of an earlier program is there.
        assert pooled.run(HELLO).stderr == b"\n"
    _wait_for(lambda: pooled.ready(HELLO) == 2)


def test_closing_leaves_neither_container_nor_folder(pooled, tmp_path):
    for _ in range(2):
        pooled.run(HELLO)
    _wait_for(lambda: pooled.ready(HELLO) == 2)
    pooled.close()
    assert list(tmp_path.glob("warpboard-docker-*")) == []
    _wait_for(lambda: _containers(tmp_path) == [])


def test_a_container_killed_while_it_waits_is_not_handed_out(pooled, tmp_path):
    for _ in range(2):
        pooled.run(HELLO)
    _wait_for(lambda: pooled.ready(HELLO) == 2)
    for container in _containers(tmp_path):
        Engine().remove(container)
    assert pooled.run(HELLO).exit_code == 0


def test_what_a_dead_judge_left_goes_with_it_or_is_swept(pooled, sandbox_image, tmp_path):
    judge = (
        "import sys, tempfile; tempfile.tempdir = sys.argv[1]\n"
        "from judge.execution import Command, ExecutionLimits\n"
        "from judge.sandbox.docker import DockerSandbox\n"
        "sandbox = DockerSandbox(sys.argv[2])\n"
        "limits = ExecutionLimits(wall_seconds=1000)\n"
        "process = sandbox.spawn(Command(argv=('/bin/sleep', '1000'), limits=limits))\n"
        "print('spawned', flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", judge, str(tmp_path), sandbox_image],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"spawned\n"
        process.kill()
    _wait_for(lambda: _containers(tmp_path) == [])
    assert len(list(tmp_path.glob("warpboard-docker-*"))) == 2
    DockerSandbox(sandbox_image, ahead=False).close()
    assert len(list(tmp_path.glob("warpboard-docker-*"))) == 1  # the living one's


def test_a_judge_that_shares_one_folder_with_the_engine_copies_what_lasts(
    sandbox_image, tmp_path, monkeypatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    sandbox = DockerSandbox(sandbox_image, tmp_path, ahead=False)
    try:
        assert sandbox.run(HELLO).exit_code == 0
        assert [path.stat().st_mode & 0o777 for path in (tmp_path / "lasting").iterdir()] == [0o755]
    finally:
        sandbox.close()


def test_a_tag_is_refused_and_the_images_id_given(sandbox_image):
    # The tag stays: taking an image's last one away removes the image.
    tag = "warpboard/sandbox:tests"
    subprocess.run(["docker", "tag", sandbox_image, tag], check=True)
    with pytest.raises(SandboxUnavailable, match=sandbox_image):
        DockerSandbox(tag)


def test_without_an_image_it_says_how_to_make_one(sandbox_image):
    with pytest.raises(SandboxUnavailable, match="docker build"):
        default_executor({"WARPBOARD_SANDBOX": "docker"})


def test_without_an_engine_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nowhere.sock")
    with pytest.raises(SandboxUnavailable, match=r"apt-get install docker\.io"):
        default_executor({"WARPBOARD_SANDBOX": "docker", "WARPBOARD_SANDBOX_IMAGE": "sha256:0"})


def test_a_back_end_that_does_not_exist_is_named():
    with pytest.raises(SandboxUnavailable, match="chroot"):
        default_executor({**os.environ, "WARPBOARD_SANDBOX": "chroot"})
