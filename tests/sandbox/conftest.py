"""Every back end goes through the same tests: a new one joins by a line in BACK_ENDS.

bubblewrap goes through them a second time where this machine lets us make control groups. docker
makes its containers one by one here; the pool has tests of its own.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import pytest

from judge.execution import (
    MIB,
    Command,
    ExecutionLimits,
    Executor,
    Mount,
    Outcome,
    SandboxUnavailable,
)
from judge.sandbox.bubblewrap import BubblewrapSandbox
from judge.sandbox.cgroup import ControlGroups
from judge.sandbox.docker import DockerSandbox

_HIERARCHY = Path("/sys/fs/cgroup")


def can_make_control_groups() -> bool:
    """Whether memory and pids can be handed to a group made at the top of the hierarchy."""
    control = _HIERARCHY / "cgroup.subtree_control"
    if not (control.exists() and os.access(_HIERARCHY, os.W_OK)):
        return False
    return {"memory", "pids"} <= set(control.read_text().split())


@contextmanager
def control_group() -> Iterator[Path]:
    """A group for the tests, as a unit with Delegate= would get one."""
    group = _HIERARCHY / f"warpboard-tests-{secrets.token_hex(4)}"
    group.mkdir()
    try:
        yield group
    finally:
        group.rmdir()


@contextmanager
def _plain(request: pytest.FixtureRequest) -> Iterator[Executor]:
    yield BubblewrapSandbox()


@contextmanager
def _grouped(request: pytest.FixtureRequest) -> Iterator[Executor]:
    with control_group() as group:
        yield BubblewrapSandbox(groups=ControlGroups(group))


@contextmanager
def _docker(request: pytest.FixtureRequest) -> Iterator[Executor]:
    sandbox = DockerSandbox(request.getfixturevalue("sandbox_image"), ahead=False)
    yield sandbox
    sandbox.close()


BackEnd = Callable[[pytest.FixtureRequest], AbstractContextManager[Executor]]
BACK_ENDS: dict[str, BackEnd] = {"bubblewrap": _plain, "docker": _docker}
if can_make_control_groups():
    BACK_ENDS["bubblewrap in control groups"] = _grouped


@pytest.fixture(scope="session", params=sorted(BACK_ENDS))
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    with ExitStack() as stack:
        try:
            back_end = stack.enter_context(BACK_ENDS[request.param](request))
        except SandboxUnavailable as error:
            pytest.skip(str(error))
        yield back_end


class Sandboxed:
    """Runs shell and Python text in the sandbox under generous limits, changed by keyword."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor

    def command(
        self,
        *argv: str,
        mounts: tuple[Mount, ...] = (),
        environment: Mapping[str, str] | None = None,
        cpus: frozenset[int] | None = None,
        **limits: object,
    ) -> Command:
        chosen: dict[str, object] = {
            "wall_seconds": 30.0,
            "cpu_seconds": 20.0,
            "memory_bytes": 512 * MIB,
        }
        return Command(
            argv=argv,
            limits=ExecutionLimits(**(chosen | limits)),  # type: ignore[arg-type]
            mounts=mounts,
            environment={"PATH": "/usr/local/bin:/usr/bin:/bin"} | dict(environment or {}),
            cpus=cpus,
        )

    def shell(self, script: str, **options: object) -> Outcome:
        return self.executor.run(self.command("/bin/sh", "-c", script, **options))  # type: ignore[arg-type]

    def python(self, program: str, **options: object) -> Outcome:
        return self.executor.run(
            self.command("/usr/bin/env", "python3", "-c", program, **options)  # type: ignore[arg-type]
        )


@pytest.fixture
def group() -> Iterator[Path]:
    if not can_make_control_groups():
        pytest.skip(
            "no control groups (version 2, with memory and pids) can be made here: "
            "run the tests as root on a host that has them"
        )
    with control_group() as path:
        yield path


@pytest.fixture
def sandboxed(executor: Executor) -> Sandboxed:
    return Sandboxed(executor)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A private folder of the judge, as tempfile would make it."""
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    return private
