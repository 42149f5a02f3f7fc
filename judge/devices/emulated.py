"""The emulated device: the same ``.cu`` on the CPU, with a board of its own.

Its times are never a GPU's. It asks of the machine only cores; the runner gets the last of them to
itself and the judge keeps the others, where there are two or more.
"""

from __future__ import annotations

import hashlib
import os
import platform
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from judge.compiler.interface import Target
from judge.devices.cores import share_cores
from judge.devices.emulated_session import open_session
from judge.devices.interface import (
    Call,
    DeviceUnavailable,
    Fitness,
    Session,
    SessionLimits,
    TimingLimits,
    Window,
)
from judge.domain import EMULATED_DEVICE, DeviceKind
from judge.execution import Executor
from judge.runner.library import HelperUnavailable, default_directory, load_helper

if TYPE_CHECKING:
    import torch

#: Runner and judge spin this long before they sleep: longer than a wake-up, far shorter than a
#: kernel, so that a judge on few cores leaves them to the kernel.
SPIN_MICROSECONDS = 50

#: Calibrated on a virtual machine of two cores, quiet and with other work on either core; the
#: figures are in docs/measurement.md. Generous, as an honest program on a busy machine must not
#: be doubted: what a short call could hide here is bounded by batches, whose time is the judge's.
TIMING = TimingLimits(
    max_seconds=3.0,
    processes=3,
    residual_us=4000.0,
    residual_fraction=0.2,
    batch_below_us=10_000.0,
    batch_calls=32,
)


class _NoSensors:
    """A window on a machine that tells nothing of its clocks; see ``interface.Window``."""

    def disturbances(self) -> tuple[str, ...]:
        return ()


class EmulatedDevice:
    """See ``judge.devices.interface.Device``.

    ``threads`` is how many CPU threads a kernel's blocks are spread over; by default all cores of
    this process but one, at least one. ``helper_directory`` is where the judge's native helper is
    built once. Raises DeviceUnavailable when it cannot be built.
    """

    name = EMULATED_DEVICE
    kind = DeviceKind.EMULATED
    target = Target(DeviceKind.EMULATED)
    timing = TIMING

    def __init__(self, threads: int | None = None, helper_directory: Path | None = None) -> None:
        self._cores = share_cores(frozenset(os.sched_getaffinity(0)), threads)
        self._helper_directory = helper_directory or default_directory()
        try:
            load_helper(self._helper_directory)
        except HelperUnavailable as error:
            raise DeviceUnavailable(str(error)) from error

    @property
    def torch_device(self) -> torch.device:
        """The CPU: judge-private tensors are ordinary memory."""
        import torch

        return torch.device("cpu")

    @property
    def threads(self) -> int:
        """CPU threads a kernel computes with."""
        return self._cores.threads

    @property
    def cpus(self) -> frozenset[int] | None:
        """The runner's own cores; None where there are too few to keep any apart."""
        return self._cores.runner

    def describe(self) -> Mapping[str, str]:
        """The processor, and the CUDA headers that submissions compile against."""
        model = processor_model()
        return {
            "hardware": f"{model} ({self.threads} of {os.cpu_count()} cores)",
            "hardware_id": _hardware_id(model),
            "driver": "",
            "cuda": _cuda_headers_version(),
        }

    def clocks(self) -> Mapping[str, float]:
        """Nothing: virtual machines do not tell their clock rates."""
        return {}

    def peaks(self) -> None:
        """None: how fast a GPU is emulated says nothing of anybody's kernel."""

    def fitness(self) -> Fitness:
        """A processor that runs this code is well."""
        return Fitness()

    def watch(self) -> AbstractContextManager[Window]:
        """Sees nothing."""
        return nullcontext(_NoSensors())

    def time_call(self, call: Callable[[], object]) -> int:
        """The monotonic clock around ``call``, in nanoseconds."""
        began = time.perf_counter_ns()
        call()
        return time.perf_counter_ns() - began

    def open(
        self,
        artifact: Path,
        call: Call,
        slots: int,
        limits: SessionLimits,
        executor: Executor,
    ) -> AbstractContextManager[Session]:
        """A fresh runner; ``artifact`` is an executable that contains it."""
        return open_session(
            artifact,
            call,
            slots,
            limits,
            executor,
            cores=self._cores,
            spin_microseconds=SPIN_MICROSECONDS,
            helper_directory=self._helper_directory,
        )


def processor_model(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """The CPU's name as its maker writes it, or the architecture where the kernel has none."""
    for line in cpuinfo.read_text().splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return " ".join(value.split())
    return platform.machine()


def _hardware_id(model: str) -> str:
    """Tells machines apart without naming them."""
    machine = Path("/etc/machine-id")
    identity = machine.read_text().strip() if machine.exists() else platform.node()
    return hashlib.sha256(f"{identity} {model} {os.cpu_count()}".encode()).hexdigest()[:16]


def _cuda_headers_version() -> str:
    try:
        return metadata.version("nvidia-cuda-runtime")
    except metadata.PackageNotFoundError:
        return ""
