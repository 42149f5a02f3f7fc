"""The set-up message of a call: where its buffers lie and the bytes of its other arguments."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping

from judge.devices.arena import ArenaLayout
from judge.devices.interface import Call
from judge.domain import DType, Parameter
from judge.runner.protocol import (
    MAGIC,
    MAX_PARAMETERS,
    NAME_BYTES,
    VERSION,
    ParameterEntry,
    ParameterKind,
    Setup,
)

_VALUE_FORMATS: Mapping[DType, str] = {
    DType.FLOAT16: "<e",
    DType.FLOAT32: "<f",
    DType.FLOAT64: "<d",
    DType.INT8: "<b",
    DType.INT16: "<h",
    DType.INT32: "<i",
    DType.INT64: "<q",
    DType.UINT8: "<B",
    DType.UINT32: "<I",
    DType.UINT64: "<Q",
}


def value_bytes(parameter: Parameter, value: float) -> bytes:
    """The C representation of a size or scalar. Raises ValueError if it does not fit."""
    dtype = parameter.dtype
    try:
        if dtype is DType.BFLOAT16:
            return _bfloat16(value)
        return struct.pack(_VALUE_FORMATS[dtype], float(value) if dtype.is_floating else int(value))
    except (struct.error, OverflowError) as error:
        raise ValueError(f"{parameter.name} = {value} does not fit into {dtype}") from error


def _bfloat16(value: float) -> bytes:
    """The upper half of the float32, rounded to nearest even."""
    if math.isnan(value):
        return b"\xc0\x7f"
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    return struct.pack("<H", ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) & 0xFFFF)


def make_setup(
    call: Call, layout: ArenaLayout, *, threads: int, spin_microseconds: int, memory_bytes: int
) -> Setup:
    """The message that tells a runner its buffers and argument values."""
    if len(call.parameters) > MAX_PARAMETERS:
        raise ValueError(f"an entry point takes at most {MAX_PARAMETERS} parameters")
    setup = Setup(
        magic=MAGIC,
        version=VERSION,
        parameter_count=len(call.parameters),
        slot_count=layout.slots,
        threads=threads,
        spin_microseconds=spin_microseconds,
        arena_bytes=layout.bytes,
        slot_stride=layout.slot_stride,
        memory_bytes=memory_bytes,
    )
    places = {place.name: place for place in layout.places}
    for entry, parameter in zip(setup.parameters, call.parameters, strict=False):
        _fill_entry(entry, parameter)
        if parameter.role.is_buffer:
            place = places[parameter.name]
            entry.kind = ParameterKind.BUFFER
            entry.offset, entry.bytes = place.offset, place.bytes
            entry.pages_offset, entry.pages_bytes = place.pages_offset, place.pages_bytes
        else:
            value = value_bytes(parameter, call.values[parameter.name])
            entry.kind, entry.value_bytes = ParameterKind.VALUE, len(value)
            entry.value[: len(value)] = value
    return setup


def _fill_entry(entry: ParameterEntry, parameter: Parameter) -> None:
    name = parameter.name.encode()
    if len(name) >= NAME_BYTES:
        raise ValueError(f"the parameter name {parameter.name!r} is longer than {NAME_BYTES - 1}")
    entry.name = name
