"""Every back end goes through the same tests: a new one joins by a line in BACK_ENDS."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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

BACK_ENDS: Mapping[str, Callable[[], Executor]] = {"bubblewrap": BubblewrapSandbox}

Limits = ExecutionLimits


@pytest.fixture(scope="session", params=sorted(BACK_ENDS))
def executor(request: pytest.FixtureRequest) -> Executor:
    try:
        return BACK_ENDS[request.param]()
    except SandboxUnavailable as error:
        pytest.skip(str(error))


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
def sandboxed(executor: Executor) -> Sandboxed:
    return Sandboxed(executor)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A private folder of the judge, as tempfile would make it."""
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    return private
