"""The judge's hand on the doorbell: one native call per bracket.

Knows addresses and descriptors, but not what the buffers mean or how a runner was started.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.runner.library import load_helper
from judge.runner.protocol import (
    MAX_CALLS,
    BracketResult,
    Command,
    CopySpan,
    DoorbellState,
    Operation,
    Rang,
    SpanList,
    Status,
)


@dataclass(frozen=True)
class Span:
    """``bytes`` at address ``source`` to be copied to (or compared with) ``destination``."""

    destination: int
    source: int
    bytes: int


class Spans:
    """A list of spans in the form that the native helper takes; build once, use often."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self.count = len(spans)
        self._array = (CopySpan * len(spans))(
            *(CopySpan(span.destination, span.source, span.bytes) for span in spans)
        )
        self.native = SpanList(ctypes.cast(self._array, ctypes.POINTER(CopySpan)), self.count)


@dataclass(frozen=True)
class Plan:
    """One bracket's calls and copies (docs of ``native/doorbell.cpp`` say when each is made)."""

    slots: tuple[int, ...]
    poison: Spans
    reveal: Spans
    collect: Spans
    keep: Spans


@dataclass(frozen=True)
class Answer:
    """What came back. Past ``rang`` and ``fence_ns`` everything is the runner's claim.

    ``status`` is None when the runner wrote a status that does not exist.
    """

    rang: Rang
    fence_ns: int
    event_ns: int
    status: Status | None
    text: str


class Doorbell:
    """Rings one runner. The two pages and descriptors must outlive it."""

    def __init__(
        self,
        library_directory: Path,
        *,
        request: int,
        response: int,
        death_fd: int,
        socket_fd: int,
        spin_microseconds: int,
    ) -> None:
        self._helper = load_helper(library_directory)
        self._helper.warpboard_bracket.restype = None
        self._helper.warpboard_compare.restype = None
        self._state = DoorbellState(request, response, 0, spin_microseconds, death_fd, socket_fd)

    def bracket(self, plan: Plan, limit_ns: int) -> Answer:
        """Make one bracket; waits at most ``limit_ns`` for the runner."""
        if not 0 < len(plan.slots) <= MAX_CALLS:
            raise ValueError(f"a bracket makes 1 to {MAX_CALLS} calls, not {len(plan.slots)}")
        command = Command(Operation.CALL, len(plan.slots))
        command.slots[: len(plan.slots)] = plan.slots
        result = BracketResult()
        self._helper.warpboard_bracket(
            ctypes.byref(self._state),
            ctypes.byref(command),
            ctypes.byref(plan.poison.native),
            ctypes.byref(plan.reveal.native),
            ctypes.byref(plan.collect.native),
            ctypes.byref(plan.keep.native),
            ctypes.c_uint64(limit_ns),
            ctypes.byref(result),
        )
        return answer_of(result)

    def differences(self, spans: Spans) -> tuple[int | None, ...]:
        """For each span the offset of the first byte that differs, or None."""
        offsets = (ctypes.c_int64 * spans.count)()
        self._helper.warpboard_compare(ctypes.byref(spans.native), offsets)
        return tuple(None if offset < 0 else offset for offset in offsets)


def answer_of(result: BracketResult) -> Answer:
    """What a helper's ``result`` says, with the runner's claims checked for form."""
    reply = result.reply
    text_bytes = min(reply.text_bytes, len(reply.text))
    return Answer(
        rang=Rang(result.rang),
        fence_ns=result.fence_ns,
        event_ns=reply.event_ns,
        status=Status(reply.status) if reply.status in set(Status) else None,
        text=bytes(reply.text[:text_bytes]).decode(errors="replace"),
    )
