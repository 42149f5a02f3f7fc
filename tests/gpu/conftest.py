"""What tests on a real GPU share: this machine's device, and submissions compiled for it.

A submission here is a whole ``.cu`` with ``solve(const float* A, float* B, int N)``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import torch

from judge.compiler.interface import CompileRequest, Target
from judge.devices.cuda import CudaDevice, gpu_is_here
from judge.devices.interface import BufferSpec, Call, Session, SessionLimits
from judge.domain import (
    DeviceKind,
    DType,
    Limits,
    Parameter,
    Problem,
    Role,
    Tolerance,
    ToleranceRule,
)
from judge.execution import MIB
from judge.machine import Machine, cuda_machine
from judge.problems.prototype import header, signature

LIMITS = SessionLimits(call_seconds=5.0, start_seconds=20.0, memory_bytes=1024 * MIB)

_A = Parameter("A", DType.FLOAT32, Role.IN, ("N",))
_B = Parameter("B", DType.FLOAT32, Role.OUT, ("N",))
_N = Parameter("N", DType.INT32, Role.SIZE)

PROBLEM = Problem(
    slug="scale",
    title="Scale",
    difficulty="easy",
    tags=(),
    entry="solve",
    parameters=(_A, _B, _N),
    tolerance=Tolerance(ToleranceRule.EXACT),
    limits=Limits(),
    tests=(),
    workloads=(),
    flops="N",
    bytes="8*N",
)

SCALE = """
__global__ void scale(const float* A, float* B, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) B[i] = 2 * A[i];
}
extern "C" void solve(const float* A, float* B, int N) {
  if (N > 0) scale<<<(N + 255) / 256, 256>>>(A, B, N);
}
"""


def scale_call(elements: int, role: Role = Role.OUT) -> Call:
    """``solve`` at N = ``elements``."""
    b = replace(_B, role=role)
    return Call(
        parameters=(_A, b, _N),
        buffers={"A": BufferSpec(_A, (elements,)), "B": BufferSpec(b, (elements,))},
        values={"N": elements},
    )


def fresh(elements: int, seed: int = 0) -> dict[str, torch.Tensor]:
    """Random contents of both buffers of ``scale_call``, on the GPU."""
    generator = torch.Generator("cuda").manual_seed(seed)
    return {name: torch.randn(elements, generator=generator, device="cuda") for name in ("A", "B")}


def use(opened: AbstractContextManager[Session]) -> None:
    """Make one bracket of ``scale_call(1000)`` in a session and close it."""
    with opened as session:
        session.stage(0, fresh(1000))
        session.bracket((0,))


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


@pytest.fixture(scope="session")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    if not gpu_is_here():
        pytest.skip("no NVIDIA GPU here: run make test-gpu on a host that has one")
    return cuda_machine(tmp_path_factory.mktemp("builds"))


@pytest.fixture(scope="session")
def device(machine: Machine) -> CudaDevice:
    assert isinstance(machine.device, CudaDevice)
    return machine.device


@dataclass(frozen=True)
class Builder:
    """Compiles submissions as the judge does."""

    machine: Machine

    def __call__(self, source: str, architecture: str = "") -> Path:
        """A shared library of ``source``, for this GPU unless ``architecture`` names another."""
        target = self.machine.device.target
        result = self.machine.compiler.compile(
            CompileRequest(
                source=source,
                prototype=header(PROBLEM, "solve"),
                signature=signature(PROBLEM),
                entry="solve",
                target=Target(DeviceKind.CUDA, architecture) if architecture else target,
                limits=PROBLEM.limits,
            )
        )
        assert result.artifact is not None, result.output
        return result.artifact


@pytest.fixture(scope="session")
def build(machine: Machine) -> Builder:
    return Builder(machine)


#: ``open_session(artifact, call, slots=1, limits=LIMITS)``
OpenSession = Callable[..., AbstractContextManager[Session]]


@pytest.fixture
def open_session(machine: Machine) -> OpenSession:
    """``open_session(artifact, call, slots=1, limits=LIMITS)``."""

    def opened(
        artifact: Path, call: Call, slots: int = 1, limits: SessionLimits = LIMITS
    ) -> AbstractContextManager[Session]:
        return machine.device.open(artifact, call, slots, limits, machine.executor)

    return opened
