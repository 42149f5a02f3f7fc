"""Buffers in the arena: page-separated, end-aligned, with guards before and behind."""

from __future__ import annotations

import pytest

from judge.devices.arena import ALIGNMENT, LEAST_GUARD_BYTES, PAGE_BYTES, lay_out
from judge.devices.interface import BufferSpec, Call
from judge.domain import DType, Parameter, Role


def call_with(*sizes: int) -> Call:
    """A call of one byte buffer for each of ``sizes``."""
    parameters = tuple(
        Parameter(f"b{i}", DType.UINT8, Role.OUT, (str(size),)) for i, size in enumerate(sizes)
    )
    buffers = {p.name: BufferSpec(p, (size,)) for p, size in zip(parameters, sizes, strict=True)}
    return Call(parameters, buffers, {})


@pytest.mark.parametrize("size", [0, 1, 31, 32, 3839, 3840, 3841, 4095, 4096, 4097, 1_000_001])
def test_data_is_aligned_and_ends_within_an_alignment_of_its_last_page(size):
    (place,) = lay_out(call_with(size), 1).places
    assert place.offset % ALIGNMENT == 0
    assert place.pages_offset % PAGE_BYTES == place.pages_bytes % PAGE_BYTES == 0
    assert 0 <= place.pages_end - place.end < ALIGNMENT
    assert place.offset - place.pages_offset >= LEAST_GUARD_BYTES


def test_a_free_page_lies_before_between_and_behind_all_buffers():
    layout = lay_out(call_with(10, 5000, 0), 3)
    used = [
        (slot * layout.slot_stride + p.pages_offset, slot * layout.slot_stride + p.pages_end)
        for slot in range(3)
        for p in layout.places
    ]
    end_of_last = 0
    for begin, end in used:
        assert begin - end_of_last >= PAGE_BYTES
        end_of_last = end
    assert layout.bytes - end_of_last >= PAGE_BYTES


def test_a_call_without_buffers_has_an_arena_all_the_same():
    assert lay_out(call_with(), 2).bytes > 0
