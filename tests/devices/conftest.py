"""Real runners of plain C++ submissions: built once per test run, confined by the real sandbox.

A submission here is the body of ``solve(const float* A, float* B, int N)``, or more where a test
needs more.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from judge.devices.emulated import EmulatedDevice
from judge.devices.interface import BufferSpec, Call, Session, SessionLimits
from judge.domain import DType, Parameter, Role
from judge.execution import MIB, Executor
from judge.runner import sources
from judge.sandbox import default_executor

_HERE = Path(__file__).resolve().parent
_EMULATION_HEADERS = _HERE.parents[1] / "judge" / "compiler" / "emulation" / "include"
_FLAGS = ("-std=c++20", "-O1", "-pthread")
_OUR_FLAGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")

_PREAMBLE = """
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <unistd.h>
"""
_INVOKE = """
extern "C" void warpboard_invoke(void* const* arguments) {
  solve(*static_cast<const float* const*>(arguments[0]), *static_cast<float* const*>(arguments[1]),
        *static_cast<const int*>(arguments[2]));
}
"""

SCALE = "for (int i = 0; i < N; ++i) B[i] = 2 * A[i];"

LIMITS = SessionLimits(call_seconds=20.0, start_seconds=20.0, memory_bytes=512 * MIB)


@dataclass(frozen=True)
class RunnerBuilder:
    """Builds runners into ``directory``; the same source is built once."""

    directory: Path

    def __call__(self, body: str, outside: str = "") -> Path:
        """An executable whose solve has ``body``; ``outside`` is put before it at file scope."""
        return self.from_source(
            f"{_PREAMBLE}\n{outside}\n"
            "static void solve([[maybe_unused]] const float* A, [[maybe_unused]] float* B, "
            f"[[maybe_unused]] int N) {{\n{body}\n}}\n{_INVOKE}"
        )

    def from_source(self, source: str) -> Path:
        """An executable of a whole source that defines warpboard_invoke."""
        stem = hashlib.sha256(source.encode()).hexdigest()[:16]
        executable = self.directory / stem
        if not executable.exists():
            text = executable.with_suffix(".cpp")
            text.write_text(source)
            self._compile(str(text), *self._common_objects(), "-o", str(executable))
        return executable

    def _common_objects(self) -> list[str]:
        objects = []
        for path in (*sources().emulated, _HERE / "plain_emulation.cpp"):
            built = self.directory / f"{path.stem}.o"
            if not built.exists():
                self._compile(*_OUR_FLAGS, "-c", str(path), "-o", str(built))
            objects.append(str(built))
        return objects

    def _compile(self, *arguments: str) -> None:
        includes = (f"-I{sources().include_directory}", f"-I{_EMULATION_HEADERS}")
        subprocess.run(["g++", *_FLAGS, *includes, *arguments], check=True)


@pytest.fixture(scope="session")
def build_runner(tmp_path_factory: pytest.TempPathFactory) -> RunnerBuilder:
    directory = tmp_path_factory.mktemp("runners")
    directory.chmod(0o755)
    return RunnerBuilder(directory)


@pytest.fixture(scope="session")
def executor() -> Executor:
    return default_executor()


@pytest.fixture(scope="session")
def device(tmp_path_factory: pytest.TempPathFactory) -> EmulatedDevice:
    return EmulatedDevice(helper_directory=tmp_path_factory.mktemp("helper"))


#: ``open_session(artifact, call, slots=1, limits=LIMITS)``
OpenSession = Callable[..., AbstractContextManager[Session]]


def scale_call(elements: int, role: Role = Role.OUT) -> Call:
    """``solve(const float* A, float* B, int N)`` at N = ``elements``."""
    a = Parameter("A", DType.FLOAT32, Role.IN, ("N",))
    b = Parameter("B", DType.FLOAT32, role, ("N",))
    n = Parameter("N", DType.INT32, Role.SIZE)
    return Call(
        parameters=(a, b, n),
        buffers={"A": BufferSpec(a, (elements,)), "B": BufferSpec(b, (elements,))},
        values={"N": elements},
    )


def fresh(elements: int, seed: int = 0) -> dict[str, torch.Tensor]:
    """Random contents of both buffers of ``scale_call``."""
    generator = torch.Generator().manual_seed(seed)
    return {name: torch.randn(elements, generator=generator) for name in ("A", "B")}


def use(
    open_session: OpenSession,
    artifact: Path,
    limits: SessionLimits | None = None,
    brackets: int = 1,
) -> None:
    """Open a session of ``artifact``, make some brackets and close it."""
    with open_session(artifact, scale_call(64), limits=limits or LIMITS) as session:
        session.stage(0, fresh(64))
        for _ in range(brackets):
            session.bracket([0])


class Helpers:
    """What tests of this folder share, as a fixture: test files are not importable here."""

    SCALE = SCALE
    LIMITS = LIMITS
    scale_call = staticmethod(scale_call)
    fresh = staticmethod(fresh)
    use = staticmethod(use)


@pytest.fixture(scope="session")
def helpers() -> type[Helpers]:
    return Helpers


@pytest.fixture
def open_session(device: EmulatedDevice, executor: Executor) -> OpenSession:
    """``open_session(artifact, call, slots=1, limits=LIMITS)``."""

    def opened(
        artifact: Path, call: Call, slots: int = 1, limits: SessionLimits = LIMITS
    ) -> AbstractContextManager[Session]:
        return device.open(artifact, call, slots, limits, executor)

    return opened
