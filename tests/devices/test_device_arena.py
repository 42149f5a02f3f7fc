"""Where buffers and their guards lie in device memory."""

from __future__ import annotations

from itertools import pairwise

from judge.devices.arena import guard_zones
from judge.devices.device_arena import ALIGNMENT, GUARD_BYTES, lay_out_on_device
from judge.devices.interface import BufferSpec, Call
from judge.domain import DType, Parameter, Role


def call_with(*element_counts: int) -> Call:
    parameters = tuple(
        Parameter(f"b{i}", DType.FLOAT16, Role.IN, ("N",)) for i in range(len(element_counts))
    )
    return Call(
        parameters=parameters,
        buffers={
            p.name: BufferSpec(p, (n,)) for p, n in zip(parameters, element_counts, strict=True)
        },
        values={},
    )


def test_buffers_are_aligned_as_cuda_malloc_does_in_every_slot():
    layout = lay_out_on_device(call_with(1, 3000, 77), 3)
    for slot in range(3):
        for place in layout.places:
            assert (slot * layout.slot_stride + place.offset) % ALIGNMENT == 0


def test_guards_touch_each_buffer_on_both_sides_and_nothing_overlaps():
    layout = lay_out_on_device(call_with(1, 3000, 0), 2)
    taken = []
    for slot in range(2):
        begin = slot * layout.slot_stride
        taken += [(begin + p.offset, begin + p.end) for p in layout.places]
    for zone in guard_zones(layout):
        assert zone.bytes >= GUARD_BYTES
        taken.append((zone.offset, zone.offset + zone.bytes))
    taken.sort()
    assert all(end <= begin for (_, end), (begin, _) in pairwise(taken))
    assert taken[-1][1] <= layout.bytes
    covered = sum(end - begin for begin, end in taken)
    assert covered == 2 * layout.slot_stride


def test_a_call_without_buffers_has_an_arena():
    assert lay_out_on_device(call_with(), 2).bytes > 0
