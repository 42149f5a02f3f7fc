"""One runner of the emulated device: the life of its process, its memory and its calls."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from judge.devices.arena import ArenaLayout, Guards, lay_out
from judge.devices.cores import CoreShare, judge_confined_to
from judge.devices.interface import Bracket, Call, GuardHit, RunnerFailure, SessionLimits
from judge.devices.private_copies import PrivateCopies
from judge.devices.setup_message import make_setup
from judge.domain import Role, Verdict
from judge.execution import MIB, Command, ExecutionLimits, Executor, Mount, Process
from judge.runner import autopsy
from judge.runner.autopsy import Phase
from judge.runner.doorbell import Answer, Doorbell, Plan, Span, Spans
from judge.runner.handshake import Meeting, Reception
from judge.runner.protocol import Rang, RequestPage, ResponsePage
from judge.runner.shared_memory import SharedMemory

if TYPE_CHECKING:
    import torch

_PROGRAM = Path("/warpboard/program")
_SOCKET_DIRECTORY = Path("/warpboard/socket")

#: A session whose judge has forgotten it ends after this; calls have limits of their own.
_SESSION_SECONDS = 3600.0
#: What an idle runner itself takes: its code, stacks of its threads and of a block's fibers.
_RUNNER_BYTES = 512 * MIB
#: How long a runner that has closed its connection gets to be seen dead.
_DEATH_SECONDS = 2.0


class EmulatedSession:
    """See ``judge.devices.interface.Session``. Made by ``open_session`` only."""

    def __init__(
        self,
        call: Call,
        layout: ArenaLayout,
        arena: SharedMemory,
        guards: Guards,
        process: Process,
        doorbell: Doorbell,
        limits: SessionLimits,
    ) -> None:
        self._call = call
        self._layout = layout
        self._arena = arena
        self._guards = guards
        self._process = process
        self._doorbell = doorbell
        self._limits = limits
        self._staged = PrivateCopies(call, layout.slots)
        self._kept = PrivateCopies(call, layout.slots)
        self._plans: dict[tuple[int, ...], Plan] = {}

    def stage(self, slot: int, tensors: Mapping[str, torch.Tensor]) -> None:
        """Copy fresh contents for every buffer of ``slot``; see the interface."""
        staged = self._staged.tensors(slot)
        if tensors.keys() != staged.keys():
            raise ValueError(f"stage wants exactly {sorted(staged)}, got {sorted(tensors)}")
        for name, target in staged.items():
            given = tensors[name]
            if given.dtype != target.dtype or given.shape != target.shape:
                raise ValueError(
                    f"{name}: expected {target.dtype} {tuple(target.shape)}, "
                    f"got {given.dtype} {tuple(given.shape)}"
                )
            target.copy_(given)

    def bracket(self, slots: Sequence[int]) -> Bracket:
        """One pass over ``slots``; see the interface."""
        calls = tuple(slots)
        plan = self._plans.get(calls)
        if plan is None:
            plan = self._plans[calls] = self._make_plan(calls)
        seconds = self._limits.call_seconds * len(calls)
        answer = self._doorbell.bracket(plan, int(seconds * 1e9))
        self._raise_unless_rang(answer, seconds, len(calls))
        failure = autopsy.of_status(answer.status, answer.text)
        if failure is not None:
            raise failure
        if answer.event_ns > answer.fence_ns:
            raise RunnerFailure(
                Verdict.TNC,
                f"The program claims {answer.event_ns} ns for solve, "
                f"but only {answer.fence_ns} ns passed on the judge's clock.",
            )
        self._guards.check(self._doorbell)
        return Bracket(calls=len(calls), event_ns=answer.event_ns, fence_ns=answer.fence_ns)

    def snapshot(self, slot: int) -> Mapping[str, torch.Tensor]:
        """Views of the session's own copies: valid until the next bracket over ``slot``."""
        return self._kept.tensors(slot)

    def guard_hits(self) -> tuple[GuardHit, ...]:
        """Guard bytes changed since the session began, as seen after each bracket."""
        return self._guards.hits

    def _make_plan(self, slots: tuple[int, ...]) -> Plan:
        distinct = tuple(dict.fromkeys(slots))
        into_runner = {role: self._copies(distinct, role, to_runner=True) for role in Role}
        from_runner = {role: self._copies(distinct, role, to_runner=False) for role in Role}
        return Plan(
            slots=slots,
            poison=Spans(into_runner[Role.OUT]),
            reveal=Spans(into_runner[Role.IN] + into_runner[Role.INOUT]),
            collect=Spans(from_runner[Role.OUT] + from_runner[Role.INOUT]),
            keep=Spans(from_runner[Role.IN]),
        )

    def _copies(self, slots: tuple[int, ...], role: Role, *, to_runner: bool) -> list[Span]:
        """Copies of the buffers of ``role``: staged to shared, or shared to kept."""
        spans = []
        for slot in slots:
            begin = self._arena.address + slot * self._layout.slot_stride
            for place in self._layout.places:
                if self._call.buffers[place.name].parameter.role is not role:
                    continue
                shared = begin + place.offset
                if to_runner:
                    spans.append(Span(shared, self._staged.address(slot, place.name), place.bytes))
                else:
                    spans.append(Span(self._kept.address(slot, place.name), shared, place.bytes))
        return spans

    def _raise_unless_rang(self, answer: Answer, seconds: float, calls: int) -> None:
        match answer.rang:
            case Rang.RANG:
                return
            case Rang.TIMED_OUT:
                self._process.kill()
                raise autopsy.of_time_out(Phase.CALLING, seconds, calls)
            case Rang.DIED:
                raise autopsy.of_death(self._process.wait(_DEATH_SECONDS), Phase.CALLING)
            case Rang.HUNG_UP:
                fail_after_hang_up(self._process, Phase.CALLING)
            case Rang.WRONG_SEQUENCE:
                self._process.kill()
                raise autopsy.of_breach("it rang back with a wrong sequence number")


def fail_after_hang_up(process: Process, phase: Phase) -> NoReturn:
    """The connection closed: either the runner is dying, or it tampers with its descriptors."""
    try:
        outcome = process.wait(_DEATH_SECONDS)
    except TimeoutError:
        process.kill()
        raise autopsy.of_breach("it closed or misused its connection to the judge") from None
    raise autopsy.of_death(outcome, phase)


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
) -> Iterator[EmulatedSession]:
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
        _raise_unless_ready(meeting, process, limits)
        doorbell = Doorbell(
            helper_directory,
            request=request.address,
            response=response.address,
            death_fd=process.death_fd,
            socket_fd=reception.connection_fd,
            spin_microseconds=spin_microseconds,
        )
        yield EmulatedSession(call, layout, arena, guards, process, doorbell, limits)


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
    )


def _raise_unless_ready(meeting: Meeting, process: Process, limits: SessionLimits) -> None:
    match meeting:
        case Meeting.READY:
            return
        case Meeting.TIMED_OUT:
            process.kill()
            raise autopsy.of_time_out(Phase.STARTING, limits.start_seconds, 0)
        case Meeting.DIED:
            raise autopsy.of_death(process.wait(_DEATH_SECONDS), Phase.STARTING)
        case Meeting.BROKEN:
            fail_after_hang_up(process, Phase.STARTING)
