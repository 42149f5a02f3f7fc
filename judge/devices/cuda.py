"""A GPU of this machine as a device: compile for it, share memory with its runner, read its clocks.

One process owns one GPU: the first that CUDA shows it. The judge's own CUDA context is torch's.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from judge.compiler.interface import Target
from judge.devices.architecture import architecture, board_name
from judge.devices.cores import share_cores
from judge.devices.cuda_session import GpuParts, open_session
from judge.devices.driver_files import driver_files
from judge.devices.gpu_helper import GpuHelper
from judge.devices.health import GpuState, Reading, remarks_on, sentinel_drifted, unfit
from judge.devices.interface import (
    Call,
    DeviceUnavailable,
    Fitness,
    Session,
    SessionLimits,
    TimingLimits,
    Window,
)
from judge.devices.nvml import Gpu
from judge.devices.peaks import HostFigures, event_ns, host_figures, sentinel_us, sums_right
from judge.devices.watch import ClockWatch
from judge.domain import DeviceKind, DevicePeaks
from judge.execution import Executor
from judge.runner.cuda_programs import build_cuda_programs
from judge.runner.library import HelperUnavailable, default_directory

if TYPE_CHECKING:
    import torch

#: From the two-process prototype on an H200; docs/measurement.md says how each was found.
TIMING = TimingLimits(
    max_seconds=10.0,
    processes=3,
    # 9.2 us at 100 us and small buffers, of which a tenth hidden left 9.5 and 11.5; 25 us at a
    # call of 1.2 ms over a gigabyte, where an honest one left 19.3.
    residual_us=1.5,
    # Batches of three calls with a gigabyte each were doubted for less.
    batch_residual_us=12.0,
    residual_fraction=0.004,
    # Above it, 10 % of E is more than a single bracket's residual may be.
    batch_below_us=200.0,
    batch_calls=64,
    residual_f0_fraction=0.02,
    batches_vouch=True,
)

#: Of the device's memory, the share that the shared buffers of one batch may take; the judge's
#: private copies and the oracle's values take several times as much again.
_BATCH_SHARE = 1 / 32

#: The L2 cache is flushed by writing this many times its size.
FLUSH_FACTOR = 4

#: An idle GPU's clocks rise with work; a sentinel that drifts is asked again this often.
_SENTINEL_TRIES = 3

#: The spin before a call of the judge's own, in clock cycles, some 100 us: its launches are queued
#: meanwhile, as a runner's are while the device switches contexts.
_LAUNCH_CYCLES = 200_000

#: One for the thread that waits at the doorbell, one for what the CUDA driver does beside it.
_RUNNER_CORES = 2


def gpu_is_here() -> bool:
    """Whether torch can use a GPU in this process."""
    import torch

    return torch.cuda.is_available()


class CudaDevice:
    """See ``judge.devices.interface.Device``.

    ``nvcc`` builds the runner and the judge's helper once per host into ``directory``;
    ``libraries`` is where libcudart_static.a is if nvcc does not find it itself. Raises
    DeviceUnavailable.
    """

    kind = DeviceKind.CUDA
    threads = 1

    def __init__(
        self, nvcc: Path, libraries: Path | None = None, directory: Path | None = None
    ) -> None:
        import torch

        if not gpu_is_here():
            raise DeviceUnavailable(
                "torch sees no GPU here. See that nvidia-smi works and that torch is a CUDA build."
            )
        self._properties = torch.cuda.get_device_properties(0)
        self._gpu = Gpu(f"GPU-{self._properties.uuid}")
        self._directory = directory or default_directory()
        major, minor = self._properties.major, self._properties.minor
        self.name = board_name(self._gpu.identity.product)
        self.target = Target(DeviceKind.CUDA, architecture(major, minor))
        self.timing = replace(TIMING, batch_bytes=int(self._properties.total_memory * _BATCH_SHARE))
        try:
            programs = build_cuda_programs(
                nvcc,
                libraries,
                architecture(major, minor, own_instructions=False),
                self._directory,
            )
        except HelperUnavailable as error:
            raise DeviceUnavailable(str(error)) from error
        self._cores = share_cores(frozenset(os.sched_getaffinity(0)), _RUNNER_CORES)
        self._runner = programs.runner
        self._helper = GpuHelper(programs.helper)

    @property
    def torch_device(self) -> torch.device:
        """The GPU: judge-private tensors are in its memory, and the oracle computes there."""
        import torch

        return torch.device("cuda", 0)

    @property
    def cpus(self) -> frozenset[int] | None:
        """The runner's own cores; None where there are too few to keep any apart."""
        return self._cores.runner

    def describe(self) -> Mapping[str, str]:
        """The GPU's name, a hash of its UUID, and versions of driver and CUDA."""
        identity = self._gpu.identity
        return {
            "hardware": identity.product,
            "hardware_id": hashlib.sha256(identity.uuid.encode()).hexdigest()[:16],
            "driver": identity.driver,
            "cuda": identity.cuda,
        }

    def clocks(self) -> Mapping[str, float]:
        """Clock rates now, in MHz; ``locked_sm`` where an operator has chosen one."""
        reading, state = self._gpu.read(), self._gpu.state()
        locked = {} if state.locked_sm_mhz is None else {"locked_sm": state.locked_sm_mhz}
        return {"sm": reading.sm_mhz, "memory": reading.memory_mhz, **locked}

    def peaks(self) -> DevicePeaks:
        """Measured the first time that a host is asked, some seconds; then as stored."""
        return self._figures.peaks

    def fitness(self) -> Fitness:
        """Whether the GPU computes at all, and whether the sentinel takes what it always took."""
        try:
            if not sums_right(self.torch_device):
                return Fitness(broken="The GPU adds wrongly. Have an operator reset or replace it.")
            drifted = self._sentinel_drift()
        except RuntimeError as error:
            return Fitness(
                broken=f"The judge's own use of the GPU fails: {error}. Restart the worker; if "
                "that does not help, have an operator reset the GPU."
            )
        state = self._gpu.state()
        return Fitness((*remarks_on(state), *drifted), " ".join(unfit(state)))

    def watch(self) -> AbstractContextManager[Window]:
        """Clocks and throttle reasons, read some twenty times a second."""
        return ClockWatch(self._gpu.read)

    def time_call(self, call: Callable[[], object]) -> int:
        """E of ``call`` on torch's stream, as a runner has it of ``solve``."""
        import torch

        self._parts.flush.fill_(1)
        torch.cuda._sleep(_LAUNCH_CYCLES)  # type: ignore[no-untyped-call]
        return event_ns(call)

    def read(self) -> Reading:
        """Clocks, temperature, power and throttle reasons now."""
        return self._gpu.read()

    def state(self) -> GpuState:
        """What an operator may have set, and who else computes here."""
        return self._gpu.state()

    def open(
        self,
        artifact: Path,
        call: Call,
        slots: int,
        limits: SessionLimits,
        executor: Executor,
    ) -> AbstractContextManager[Session]:
        """A fresh runner; ``artifact`` is a shared library for this GPU's architecture."""
        return open_session(artifact, call, slots, limits, executor, self._parts)

    def _sentinel_drift(self) -> tuple[str, ...]:
        expected, took = self._figures.sentinel_us, 0.0
        for _ in range(_SENTINEL_TRIES):
            took = sentinel_us(self.torch_device)
            if not sentinel_drifted(expected, took):
                return ()
        return (
            f"The sentinel that took {expected:.0f} µs when this host was measured takes "
            f"{took:.0f} µs now.",
        )

    @cached_property
    def _figures(self) -> HostFigures:
        described = self.describe()
        return host_figures(
            self.torch_device, described["hardware_id"], described["driver"], self._directory
        )

    @cached_property
    def _parts(self) -> GpuParts:
        """What every session shares. The first use makes the judge's CUDA context."""
        import torch

        flush_bytes = FLUSH_FACTOR * self._properties.L2_cache_size
        flush = torch.zeros(flush_bytes, dtype=torch.uint8, device=self.torch_device)
        identity = self._gpu.identity
        return GpuParts(
            runner=self._runner,
            helper=self._helper,
            driver=driver_files(identity.minor, identity.uuid),
            cores=self._cores,
            flush=flush,
        )
