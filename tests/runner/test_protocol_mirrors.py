"""The Python mirrors of the protocol agree with the C++ header, byte for byte."""

from __future__ import annotations

import ctypes
import json
import subprocess

import pytest

from judge.runner import protocol, sources

_STRUCTURES = {
    "Setup": protocol.Setup,
    "ParameterEntry": protocol.ParameterEntry,
    "Ready": protocol.Ready,
    "Command": protocol.Command,
    "Reply": protocol.Reply,
    "RequestPage": protocol.RequestPage,
    "ResponsePage": protocol.ResponsePage,
    "CopySpan": protocol.CopySpan,
    "SpanList": protocol.SpanList,
    "Doorbell": protocol.DoorbellState,
    "BracketResult": protocol.BracketResult,
}
_CONSTANTS = {
    "kMagic": protocol.MAGIC,
    "kVersion": protocol.VERSION,
    "kPageBytes": protocol.PAGE_BYTES,
    "kMaxParameters": protocol.MAX_PARAMETERS,
    "kMaxCalls": protocol.MAX_CALLS,
    "kSpinForever": protocol.SPIN_FOREVER,
    "kExitSetupFailed": protocol.EXIT_SETUP_FAILED,
    "kDescriptors": 3,
    "kRang": protocol.Rang.RANG,
    "kDied": protocol.Rang.DIED,
    "kHungUp": protocol.Rang.HUNG_UP,
    "kTimedOut": protocol.Rang.TIMED_OUT,
    "kWrongSequence": protocol.Rang.WRONG_SEQUENCE,
    "uint32_t(Status::ok)": protocol.Status.OK,
    "uint32_t(Status::out_of_memory)": protocol.Status.OUT_OF_MEMORY,
    "uint32_t(Status::exception)": protocol.Status.EXCEPTION,
    "uint32_t(Status::device_error)": protocol.Status.DEVICE_ERROR,
    "uint32_t(Status::bad_command)": protocol.Status.BAD_COMMAND,
    "uint32_t(Status::unsupported)": protocol.Status.UNSUPPORTED,
    "uint32_t(Operation::call)": protocol.Operation.CALL,
    "uint32_t(ParameterKind::value)": protocol.ParameterKind.VALUE,
    "uint32_t(ParameterKind::buffer)": protocol.ParameterKind.BUFFER,
}


def _fields(structure: type[ctypes.Structure]) -> list[str]:
    return [field[0] for field in structure._fields_]


@pytest.fixture(scope="module")
def header_says(tmp_path_factory) -> dict[str, int]:
    """Every size, offset and constant as the C++ compiler sees it."""
    expressions = [f"sizeof({name})" for name in _STRUCTURES]
    for name, structure in _STRUCTURES.items():
        expressions += [f"offsetof({name}, {field})" for field in _fields(structure)]
    expressions += _CONSTANTS
    prints = "\n".join(
        f'std::printf("%s\\"{text}\\": %llu", separator, (unsigned long long)({text}));'
        ' separator = ", ";'
        for text in expressions
    )
    directory = tmp_path_factory.mktemp("mirrors")
    source = directory / "layouts.cpp"
    source.write_text(
        '#include <cstdio>\n#include "native/doorbell.cpp"\n'
        f'int main() {{ const char* separator = ""; std::puts("{{"); {prints} std::puts("}}"); }}\n'
    )
    program = directory / "layouts"
    include = f"-I{sources().include_directory}"
    command = ["g++", "-std=c++20", "-Wno-invalid-offsetof", include, str(source)]
    subprocess.run([*command, "-o", str(program)], check=True)
    printed = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    said: dict[str, int] = json.loads(printed)
    return said


@pytest.mark.parametrize("name", _STRUCTURES)
def test_sizes_and_offsets_agree(header_says, name):
    structure = _STRUCTURES[name]
    assert ctypes.sizeof(structure) == header_says[f"sizeof({name})"]
    for field in _fields(structure):
        assert getattr(structure, field).offset == header_says[f"offsetof({name}, {field})"], field


@pytest.mark.parametrize("name", _CONSTANTS)
def test_constants_agree(header_says, name):
    assert header_says[name] == _CONSTANTS[name]
