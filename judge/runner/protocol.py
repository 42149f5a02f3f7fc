"""Python mirrors of the layouts in ``protocol.h`` and ``native/doorbell.cpp``; nothing else.

A test compiles the header and compares every size and offset.
"""

from __future__ import annotations

import ctypes
from enum import IntEnum

MAGIC = 0x44425057
VERSION = 1
PAGE_BYTES = 4096
MAX_PARAMETERS = 64
MAX_CALLS = 512
SPIN_FOREVER = 0xFFFFFFFF

EXIT_SETUP_FAILED = 97
EXIT_JUDGE_GONE = 98

NAME_BYTES = 80
LIBRARY_BYTES = 256


class ParameterKind(IntEnum):
    VALUE = 0
    BUFFER = 1


class Operation(IntEnum):
    CALL = 1


class Status(IntEnum):
    """How a command went, says the runner."""

    OK = 0
    OUT_OF_MEMORY = 1
    EXCEPTION = 2
    DEVICE_ERROR = 3
    BAD_COMMAND = 4
    UNSUPPORTED = 5


class ParameterEntry(ctypes.Structure):
    _fields_ = (
        ("kind", ctypes.c_uint32),
        ("value_bytes", ctypes.c_uint32),
        ("value", ctypes.c_uint8 * 8),
        ("offset", ctypes.c_uint64),
        ("bytes", ctypes.c_uint64),
        ("pages_offset", ctypes.c_uint64),
        ("pages_bytes", ctypes.c_uint64),
        ("name", ctypes.c_char * NAME_BYTES),
    )


class Setup(ctypes.Structure):
    _fields_ = (
        ("magic", ctypes.c_uint32),
        ("version", ctypes.c_uint32),
        ("parameter_count", ctypes.c_uint32),
        ("slot_count", ctypes.c_uint32),
        ("threads", ctypes.c_uint32),
        ("spin_microseconds", ctypes.c_uint32),
        ("arena_bytes", ctypes.c_uint64),
        ("slot_stride", ctypes.c_uint64),
        ("memory_bytes", ctypes.c_uint64),
        ("library", ctypes.c_char * LIBRARY_BYTES),
        ("parameters", ParameterEntry * MAX_PARAMETERS),
    )


class Ready(ctypes.Structure):
    _fields_ = (("magic", ctypes.c_uint32), ("version", ctypes.c_uint32))


class Command(ctypes.Structure):
    _fields_ = (
        ("operation", ctypes.c_uint32),
        ("count", ctypes.c_uint32),
        ("slots", ctypes.c_uint32 * MAX_CALLS),
    )


class Reply(ctypes.Structure):
    _fields_ = (
        ("status", ctypes.c_uint32),
        ("text_bytes", ctypes.c_uint32),
        ("event_ns", ctypes.c_uint64),
        ("text", ctypes.c_uint8 * 1024),
    )


class RequestPage(ctypes.Structure):
    _fields_ = (
        ("sequence", ctypes.c_uint32),
        ("judge_sleeps", ctypes.c_uint32),
        ("padding", ctypes.c_uint8 * 56),
        ("command", Command),
        ("unused", ctypes.c_uint8 * (PAGE_BYTES - 64 - ctypes.sizeof(Command))),
    )


class ResponsePage(ctypes.Structure):
    _fields_ = (
        ("sequence", ctypes.c_uint32),
        ("runner_sleeps", ctypes.c_uint32),
        ("padding", ctypes.c_uint8 * 56),
        ("reply", Reply),
        ("unused", ctypes.c_uint8 * (PAGE_BYTES - 64 - ctypes.sizeof(Reply))),
    )


class CopySpan(ctypes.Structure):
    _fields_ = (
        ("destination", ctypes.c_void_p),
        ("source", ctypes.c_void_p),
        ("bytes", ctypes.c_uint64),
    )


class SpanList(ctypes.Structure):
    _fields_ = (("spans", ctypes.POINTER(CopySpan)), ("count", ctypes.c_uint64))


class DoorbellState(ctypes.Structure):
    _fields_ = (
        ("request", ctypes.c_void_p),
        ("response", ctypes.c_void_p),
        ("sequence", ctypes.c_uint32),
        ("spin_microseconds", ctypes.c_uint32),
        ("death_fd", ctypes.c_int32),
        ("socket_fd", ctypes.c_int32),
    )


class Rang(IntEnum):
    """What ended the wait for a reply, as the judge's helper saw it."""

    RANG = 0
    DIED = 1
    HUNG_UP = 2
    TIMED_OUT = 3
    WRONG_SEQUENCE = 4


class BracketResult(ctypes.Structure):
    _fields_ = (
        ("rang", ctypes.c_uint32),
        ("response_sequence", ctypes.c_uint32),
        ("fence_ns", ctypes.c_uint64),
        ("reply", Reply),
    )
