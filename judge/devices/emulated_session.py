"""One runner of the emulated device: the life of its process and its memory."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from judge.devices.arena import Guards, lay_out
from judge.devices.cores import CoreShare, judge_confined_to
from judge.devices.interface import Call, GuardHit, SessionLimits
from judge.devices.private_copies import PrivateCopies
from judge.devices.session import Copies, MakeBracket, RunnerSession, raise_unless_ready
from judge.devices.setup_message import make_setup
from judge.execution import MIB, Command, ExecutionLimits, Executor, Mount, Purpose
from judge.runner.doorbell import Doorbell, Plan, Spans
from judge.runner.handshake import Reception
from judge.runner.protocol import RequestPage, ResponsePage
from judge.runner.shared_memory import SharedMemory

_PROGRAM = Path("/warpboard/program")
_SOCKET_DIRECTORY = Path("/warpboard/socket")

#: A session whose judge has forgotten it ends after this; calls have limits of their own.
_SESSION_SECONDS = 3600.0
#: What an idle runner itself takes: its code, stacks of its threads and of a block's fibers.
_RUNNER_BYTES = 512 * MIB


@dataclass(frozen=True)
class HostBell:
    """The doorbell with plain copies in host memory; see ``judge.devices.session.Bell``."""

    doorbell: Doorbell

    def prepare(self, copies: Copies) -> MakeBracket:
        plan = Plan(
            slots=copies.slots,
            poison=Spans(copies.poison),
            reveal=Spans(copies.reveal),
            collect=Spans(copies.collect),
            keep=Spans(copies.keep),
        )
        return partial(self.doorbell.bracket, plan)


@dataclass(frozen=True)
class HostGuards:
    """Guards that the doorbell's helper compares; see ``judge.devices.session.GuardWatch``."""

    guards: Guards
    doorbell: Doorbell

    def check(self) -> None:
        self.guards.check(self.doorbell)

    @property
    def hits(self) -> tuple[GuardHit, ...]:
        return self.guards.hits


@contextmanager
def open_session(
    artifact: Path,
    call: Call,
    slots: int,
    limits: SessionLimits,
    executor: Executor,
    *,
    cores: CoreShare,
    spin_microseconds: int,
    helper_directory: Path,
) -> Iterator[RunnerSession]:
    """A runner of ``artifact``, ready for its first call; killed and cleaned up afterwards.

    Raises RunnerFailure when it does not get that far.
    """
    layout = lay_out(call, slots)
    setup = make_setup(
        call,
        layout,
        threads=cores.threads,
        spin_microseconds=spin_microseconds,
        memory_bytes=limits.memory_bytes,
    )
    with ExitStack() as stack:
        stack.enter_context(judge_confined_to(cores.judge))
        request = _share(stack, "request", RequestPage, peer_may_write=False)
        response = _share(stack, "response", ResponsePage, peer_may_write=True)
        arena = SharedMemory("warpboard-arena", layout.bytes, peer_may_write=True)
        stack.callback(arena.close)
        guards = Guards(layout, arena.address)
        reception = Reception()
        stack.callback(reception.close)
        process = executor.spawn(
            _command(artifact, reception.directory, layout.bytes, limits, cores)
        )
        stack.callback(process.kill)
        meeting = reception.meet(
            setup, (request.fd, response.fd, arena.fd), process.death_fd, limits.start_seconds
        )
        raise_unless_ready(meeting, process, limits)
        doorbell = Doorbell(
            helper_directory,
            request=request.address,
            response=response.address,
            death_fd=process.death_fd,
            socket_fd=reception.connection_fd,
            spin_microseconds=spin_microseconds,
        )
        yield RunnerSession(
            call,
            layout,
            arena.address,
            PrivateCopies(call, slots),
            PrivateCopies(call, slots),
            HostGuards(guards, doorbell),
            process,
            HostBell(doorbell),
            limits,
        )


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
    artifact: Path,
    socket_directory: Path,
    arena_bytes: int,
    limits: SessionLimits,
    cores: CoreShare,
) -> Command:
    return Command(
        argv=(str(_PROGRAM), str(Reception.socket_path(_SOCKET_DIRECTORY))),
        limits=ExecutionLimits(
            wall_seconds=_SESSION_SECONDS,
            memory_bytes=limits.memory_bytes + arena_bytes + _RUNNER_BYTES,
            processes=64 + cores.threads,
        ),
        mounts=(Mount(artifact, _PROGRAM), Mount(socket_directory, _SOCKET_DIRECTORY)),
        cpus=cores.runner,
        purpose=Purpose.RUNNER,
    )
