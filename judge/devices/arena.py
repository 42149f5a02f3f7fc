"""Where the buffers of a call lie in the memory shared with a runner, and the guards around them.

One arena holds ``slots`` equal sets of buffers. A buffer has whole pages of its own; its data ends
at their end, but for ``ALIGNMENT``, so that an overrun reaches the next page at once. That page,
and the one before, belong to nobody: the emulated runner makes them inaccessible. The bytes of a
buffer's own pages around its data are its guards, filled with a secret that the judge compares.

Layout only: it knows addresses, no device.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from dataclasses import dataclass

from judge.devices.interface import Call, GuardHit
from judge.runner.doorbell import Doorbell, Span, Spans

PAGE_BYTES = 4096
#: Alignment of a buffer's first byte, for vector loads of 32 bytes.
ALIGNMENT = 32
#: Guard bytes before a buffer, at least.
LEAST_GUARD_BYTES = 256


@dataclass(frozen=True)
class BufferPlace:
    """One buffer within a slot; offsets and sizes in bytes, offsets from the slot's begin."""

    name: str
    offset: int
    bytes: int
    pages_offset: int
    pages_bytes: int

    @property
    def end(self) -> int:
        return self.offset + self.bytes

    @property
    def pages_end(self) -> int:
        return self.pages_offset + self.pages_bytes


@dataclass(frozen=True)
class ArenaLayout:
    """All buffers of all slots; ``places`` in C order."""

    places: tuple[BufferPlace, ...]
    slots: int
    slot_stride: int

    @property
    def bytes(self) -> int:
        return self.slots * self.slot_stride + PAGE_BYTES


def lay_out(call: Call, slots: int) -> ArenaLayout:
    """The arena of ``slots`` sets of the call's buffers."""
    places = []
    position = PAGE_BYTES
    for parameter in call.parameters:
        if not parameter.role.is_buffer:
            continue
        size = call.buffers[parameter.name].bytes
        taken = _round_up(size, ALIGNMENT)
        pages = _round_up(taken + LEAST_GUARD_BYTES, PAGE_BYTES)
        places.append(BufferPlace(parameter.name, position + pages - taken, size, position, pages))
        position += pages + PAGE_BYTES
    # The page after the last buffer is the first of the next slot.
    return ArenaLayout(tuple(places), slots, max(position - PAGE_BYTES, PAGE_BYTES))


class Guards:
    """The secret bytes around every buffer of an arena mapped at ``address``."""

    def __init__(self, layout: ArenaLayout, address: int) -> None:
        zones = list(guard_zones(layout))
        secret = os.urandom(sum(zone.bytes for zone in zones))
        self._secret = ctypes.create_string_buffer(secret, len(secret))
        self._zones = zones
        source = ctypes.addressof(self._secret)
        spans = []
        for zone in zones:
            ctypes.memmove(address + zone.offset, source, zone.bytes)
            spans.append(Span(address + zone.offset, source, zone.bytes))
            source += zone.bytes
        self._spans = Spans(spans)
        self._hits: dict[GuardHit, None] = {}

    def check(self, doorbell: Doorbell) -> None:
        """Note every zone that has changed."""
        for zone, changed in zip(self._zones, doorbell.differences(self._spans), strict=True):
            if changed is not None:
                self._hits[GuardHit(zone.buffer, zone.from_buffer + changed)] = None

    @property
    def hits(self) -> tuple[GuardHit, ...]:
        """What checks have noted so far, each once, in the order of discovery."""
        return tuple(self._hits)


@dataclass(frozen=True)
class GuardZone:
    """Guard bytes at ``offset`` of the arena, which begin ``from_buffer`` bytes off ``buffer``."""

    buffer: str
    offset: int
    bytes: int
    from_buffer: int


def guard_zones(layout: ArenaLayout) -> Iterator[GuardZone]:
    """The bytes of each buffer's own pages before and after its data, slot by slot."""
    for slot in range(layout.slots):
        begin = slot * layout.slot_stride
        for place in layout.places:
            before = place.offset - place.pages_offset
            yield GuardZone(place.name, begin + place.pages_offset, before, -before)
            after = place.pages_end - place.end
            if after:
                yield GuardZone(place.name, begin + place.end, after, place.bytes)


def _round_up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple
