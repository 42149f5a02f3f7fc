"""One runner of any device: what is staged, called and kept, and how a runner's end is told.

Knows where buffers lie and that a prepared bracket can be made; a device's own session file makes
memory, process and bell, and hands them over here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, Protocol

from judge.devices.arena import ArenaLayout
from judge.devices.interface import Bracket, Call, GuardHit, RunnerFailure, SessionLimits
from judge.devices.private_copies import PrivateCopies
from judge.domain import Role, Verdict
from judge.execution import Process
from judge.runner import autopsy
from judge.runner.autopsy import Phase
from judge.runner.doorbell import Answer, Span
from judge.runner.handshake import Meeting
from judge.runner.protocol import Rang

if TYPE_CHECKING:
    import torch

#: How long a runner that has closed its connection gets to be seen dead.
_DEATH_SECONDS = 2.0


@dataclass(frozen=True)
class Copies:
    """What one bracket over ``slots`` copies, in the order that it does.

    ``poison`` before the judge's clock starts; ``reveal`` (the inputs) and, after the calls,
    ``collect`` (the outputs) while it runs; ``keep`` (the inputs as they are now) once it stopped.
    """

    slots: tuple[int, ...]
    poison: tuple[Span, ...]
    reveal: tuple[Span, ...]
    collect: tuple[Span, ...]
    keep: tuple[Span, ...]


#: Makes a bracket, waiting at most so many nanoseconds for the runner.
MakeBracket = Callable[[int], Answer]


class Bell(Protocol):
    """A device's hand on the doorbell."""

    def prepare(self, copies: Copies) -> MakeBracket:
        """Everything about a bracket that can be done beforehand; the result is used often."""


class GuardWatch(Protocol):
    """The bytes around the buffers of a session."""

    def check(self) -> None:
        """Note every zone that has changed."""

    @property
    def hits(self) -> tuple[GuardHit, ...]:
        """What checks have noted so far, each once, in the order of discovery."""


class RunnerSession:
    """See ``judge.devices.interface.Session``.

    ``arena`` is the address at which the judge has the shared buffers mapped; ``staged`` and
    ``kept`` are judge-private, on the device's own memory.
    """

    def __init__(
        self,
        call: Call,
        layout: ArenaLayout,
        arena: int,
        staged: PrivateCopies,
        kept: PrivateCopies,
        guards: GuardWatch,
        process: Process,
        bell: Bell,
        limits: SessionLimits,
    ) -> None:
        self._call = call
        self._layout = layout
        self._arena = arena
        self._staged = staged
        self._kept = kept
        self._guards = guards
        self._process = process
        self._bell = bell
        self._limits = limits
        self._prepared: dict[tuple[int, ...], MakeBracket] = {}

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
        make = self._prepared.get(calls)
        if make is None:
            make = self._prepared[calls] = self._bell.prepare(self._copies(calls))
        seconds = self._limits.call_seconds * len(calls)
        answer = make(int(seconds * 1e9))
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
        self._guards.check()
        return Bracket(calls=len(calls), event_ns=answer.event_ns, fence_ns=answer.fence_ns)

    def snapshot(self, slot: int) -> Mapping[str, torch.Tensor]:
        """Views of the session's own copies: valid until the next bracket over ``slot``."""
        return self._kept.tensors(slot)

    def guard_hits(self) -> tuple[GuardHit, ...]:
        """Guard bytes changed since the session began, as seen after each bracket."""
        return self._guards.hits

    def _copies(self, slots: tuple[int, ...]) -> Copies:
        distinct = tuple(dict.fromkeys(slots))
        into_runner = {role: self._spans(distinct, role, to_runner=True) for role in Role}
        from_runner = {role: self._spans(distinct, role, to_runner=False) for role in Role}
        return Copies(
            slots=slots,
            poison=into_runner[Role.OUT],
            reveal=into_runner[Role.IN] + into_runner[Role.INOUT],
            collect=from_runner[Role.OUT] + from_runner[Role.INOUT],
            keep=from_runner[Role.IN],
        )

    def _spans(self, slots: tuple[int, ...], role: Role, *, to_runner: bool) -> tuple[Span, ...]:
        """Copies of the buffers of ``role``: staged to shared, or shared to kept."""
        spans = []
        for slot in slots:
            begin = self._arena + slot * self._layout.slot_stride
            for place in self._layout.places:
                if self._call.buffers[place.name].parameter.role is not role:
                    continue
                shared = begin + place.offset
                if to_runner:
                    spans.append(Span(shared, self._staged.address(slot, place.name), place.bytes))
                else:
                    spans.append(Span(self._kept.address(slot, place.name), shared, place.bytes))
        return tuple(spans)

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
                _fail_after_hang_up(self._process, Phase.CALLING)
            case Rang.WRONG_SEQUENCE:
                self._process.kill()
                raise autopsy.of_breach("it rang back with a wrong sequence number")


def raise_unless_ready(meeting: Meeting, process: Process, limits: SessionLimits) -> None:
    """RunnerFailure unless the runner got through its start."""
    match meeting:
        case Meeting.READY:
            return
        case Meeting.TIMED_OUT:
            process.kill()
            raise autopsy.of_time_out(Phase.STARTING, limits.start_seconds, 0)
        case Meeting.DIED:
            raise autopsy.of_death(process.wait(_DEATH_SECONDS), Phase.STARTING)
        case Meeting.BROKEN:
            _fail_after_hang_up(process, Phase.STARTING)


def _fail_after_hang_up(process: Process, phase: Phase) -> NoReturn:
    """The connection closed: either the runner is dying, or it tampers with its descriptors."""
    try:
        outcome = process.wait(_DEATH_SECONDS)
    except TimeoutError:
        process.kill()
        raise autopsy.of_breach("it closed or misused its connection to the judge") from None
    raise autopsy.of_death(outcome, phase)
