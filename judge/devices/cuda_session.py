"""One runner on a GPU: the life of its process and of the device memory it shares."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from judge.devices.cores import CoreShare, judge_confined_to
from judge.devices.device_arena import DeviceGuards, lay_out_on_device
from judge.devices.driver_files import DriverFiles
from judge.devices.gpu_bell import GpuBell
from judge.devices.gpu_helper import GpuHelper, SharedArena
from judge.devices.interface import Bracket, Call, RunnerFailure, Session, SessionLimits
from judge.devices.private_copies import PrivateCopies
from judge.devices.session import RunnerSession, raise_unless_ready
from judge.devices.setup_message import make_setup
from judge.domain import Verdict
from judge.execution import MIB, Command, ExecutionLimits, Executor, Mount, Purpose
from judge.runner.handshake import Reception
from judge.runner.protocol import SPIN_FOREVER, RequestPage, ResponsePage
from judge.runner.shared_memory import SharedMemory

if TYPE_CHECKING:
    import torch

_PROGRAM = Path("/warpboard/program")
_LIBRARY = Path("/warpboard/submission.so")
_SOCKET_DIRECTORY = Path("/warpboard/socket")

#: A session whose judge has forgotten it ends after this; calls have limits of their own.
_SESSION_SECONDS = 3600.0
#: Device memory that a context may grow by without the submission allocating any: stacks of
#: local memory, the printf buffer, code.
_CONTEXT_BYTES = 1024 * MIB
#: Host memory that the CUDA driver writes to for itself; an idle runner has some 40 MiB.
_DRIVER_DATA_BYTES = 1024 * MIB


@dataclass(frozen=True)
class GpuParts:
    """What all sessions on one GPU share.

    ``flush`` is a uint8 tensor on the GPU, several times its L2 cache.
    """

    runner: Path
    helper: GpuHelper
    driver: DriverFiles
    cores: CoreShare
    flush: torch.Tensor


class MemoryGauge:
    """How much device memory others than this process have taken since ``start``."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._at_start = 0

    def start(self) -> None:
        self._at_start = self._not_ours()

    def taken(self) -> int:
        """Bytes; negative when others have given some back."""
        return self._not_ours() - self._at_start

    def _not_ours(self) -> int:
        import torch

        free, total = torch.cuda.mem_get_info(self._device)
        return int(total - free - torch.cuda.memory_reserved(self._device))


class CudaSession:
    """A session that also holds the submission to its device memory; see ``Session``."""

    def __init__(self, session: RunnerSession, gauge: MemoryGauge, limits: SessionLimits) -> None:
        self._gauge = gauge
        self._limits = limits
        self.stage = session.stage
        self.snapshot = session.snapshot
        self.guard_hits = session.guard_hits
        self._bracket = session.bracket

    def bracket(self, slots: Sequence[int]) -> Bracket:
        """One pass over ``slots``; MLE when the submission kept more memory than it may."""
        bracket = self._bracket(slots)
        taken = self._gauge.taken()
        if taken > self._limits.memory_bytes + _CONTEXT_BYTES:
            raise RunnerFailure(
                Verdict.MLE,
                f"solve holds {taken // MIB:,} MiB of device memory beyond its buffers; "
                f"{self._limits.memory_bytes // MIB:,} MiB are allowed.",
            )
        return bracket


@contextmanager
def open_session(
    artifact: Path,
    call: Call,
    slots: int,
    limits: SessionLimits,
    executor: Executor,
    parts: GpuParts,
) -> Iterator[Session]:
    """A runner with ``artifact`` loaded, ready for its first call; killed and cleaned up after.

    Raises RunnerFailure when it does not get that far.
    """
    device = parts.flush.device
    layout = lay_out_on_device(call, slots)
    setup = make_setup(
        call,
        layout,
        threads=0,
        spin_microseconds=SPIN_FOREVER,
        memory_bytes=limits.memory_bytes,
    )
    setup.library = str(_LIBRARY).encode()
    gauge = MemoryGauge(device)
    with ExitStack() as stack:
        stack.enter_context(judge_confined_to(parts.cores.judge))
        request = _share(stack, "request", RequestPage, peer_may_write=False)
        response = _share(stack, "response", ResponsePage, peer_may_write=True)
        arena = SharedArena(parts.helper, layout.bytes)
        stack.callback(arena.close)
        guards = DeviceGuards(layout, arena.address, parts.helper, device)
        reception = Reception()
        stack.callback(reception.close)
        process = executor.spawn(_command(artifact, reception.directory, limits, parts))
        stack.callback(process.kill)
        meeting = reception.meet(
            setup, (request.fd, response.fd, arena.fd), process.death_fd, limits.start_seconds
        )
        raise_unless_ready(meeting, process, limits)
        bell = GpuBell(
            parts.helper,
            parts.flush,
            request=request.address,
            response=response.address,
            death_fd=process.death_fd,
            socket_fd=reception.connection_fd,
        )
        session = RunnerSession(
            call,
            layout,
            arena.address,
            PrivateCopies(call, slots, device),
            PrivateCopies(call, slots, device),
            guards,
            process,
            bell,
            limits,
        )
        gauge.start()
        yield CudaSession(session, gauge, limits)


def _share(
    stack: ExitStack,
    name: str,
    page: type[RequestPage] | type[ResponsePage],
    *,
    peer_may_write: bool,
) -> SharedMemory:
    memory = SharedMemory(f"warpboard-{name}", ctypes.sizeof(page), peer_may_write=peer_may_write)
    stack.callback(memory.close)
    return memory


def _command(
    artifact: Path, socket_directory: Path, limits: SessionLimits, parts: GpuParts
) -> Command:
    return Command(
        argv=(str(_PROGRAM), str(Reception.socket_path(_SOCKET_DIRECTORY))),
        limits=ExecutionLimits(
            wall_seconds=_SESSION_SECONDS,
            # A CUDA process reserves address space for all memory of host and device together.
            memory_bytes=None,
            data_bytes=limits.memory_bytes + _DRIVER_DATA_BYTES,
        ),
        mounts=(
            Mount(parts.runner, _PROGRAM, lasting=True),
            Mount(artifact, _LIBRARY),
            Mount(socket_directory, _SOCKET_DIRECTORY),
            *parts.driver.mounts,
        ),
        environment=parts.driver.environment,
        cpus=parts.cores.runner,
        device_nodes=parts.driver.device_nodes,
        purpose=Purpose.RUNNER,
    )
