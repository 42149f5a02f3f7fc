"""Reads ptxas's report (``-Xptxas -v``): what each kernel takes of a multiprocessor.

Names in it are mangled, and whoever can run a demangler passes what it said. The report comes
among all else that a compiler prints, and a source can make it print what looks like a part of one
(`#pragma message`): a forged line may add to its author's own report, and must do nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from judge.domain import KernelResources

#: Kernels listed, and characters of a name that are shown.
_MAX_KERNELS = 200
_MAX_NAME = 1000

#: A longer name is no demangler's to be handed: one argument of a command has a bound.
_MAX_MANGLED = 16 * 1024

_ENTRY = re.compile(r"ptxas info\s*: Compiling entry function '([\w$.]+)' for '[^']+'")
_PROPERTIES = re.compile(r"ptxas info\s*: Function properties for (\S+)")
_SPILLS = re.compile(r"(\d{1,9}) bytes spill stores, (\d{1,9}) bytes spill loads")
_REGISTERS = re.compile(r"ptxas info\s*: Used (\d{1,9}) registers")
_SHARED = re.compile(r"(\d{1,9})(?:\+(\d{1,9}))? bytes smem")


def kernel_names(report: str) -> tuple[str, ...]:
    """Mangled names of the kernels reported that can be demangled, each once, in order."""
    names = dict.fromkeys(_ENTRY.findall(report))
    return tuple(name for name in names if len(name) <= _MAX_MANGLED)


def parse_report(report: str, demangled: Mapping[str, str]) -> tuple[KernelResources, ...]:
    """One KernelResources for each kernel; names missing from ``demangled`` stay mangled.

    Device functions that were not inlined have properties but no registers of their own: they are
    left out, their spills too. ``shared_bytes`` is static shared memory. At most 200 are listed.
    """
    found: list[KernelResources] = []
    kernel = properties_of = None
    spills = (0, 0)
    for line in report.splitlines():
        if entry := _ENTRY.match(line):
            kernel, spills = entry[1], (0, 0)
        elif properties := _PROPERTIES.match(line):
            properties_of = properties[1]
        elif spilled := _SPILLS.search(line):
            if properties_of == kernel:
                spills = (int(spilled[1]), int(spilled[2]))
        elif (used := _REGISTERS.match(line)) and kernel is not None:
            shared = _SHARED.search(line)
            found.append(
                KernelResources(
                    kernel=demangled.get(kernel, kernel)[:_MAX_NAME],
                    registers=int(used[1]),
                    shared_bytes=int(shared[1]) + int(shared[2] or 0) if shared else 0,
                    spill_store_bytes=spills[0],
                    spill_load_bytes=spills[1],
                )
            )
            kernel = None
            if len(found) == _MAX_KERNELS:
                break
    return tuple(found)
