"""Reads ptxas's report (``-Xptxas -v``): what each kernel takes of a multiprocessor.

The text is the assembler's own; names in it are mangled, and whoever can run a demangler passes
what it said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from judge.domain import KernelResources

_ENTRY = re.compile(r"ptxas info\s*: Compiling entry function '([^']+)' for '[^']+'")
_PROPERTIES = re.compile(r"ptxas info\s*: Function properties for (\S+)")
_SPILLS = re.compile(r"(\d+) bytes spill stores, (\d+) bytes spill loads")
_REGISTERS = re.compile(r"ptxas info\s*: Used (\d+) registers")
_SHARED = re.compile(r"(\d+)(?:\+(\d+))? bytes smem")


def kernel_names(report: str) -> tuple[str, ...]:
    """Mangled names of the kernels reported, each once, in order."""
    return tuple(dict.fromkeys(_ENTRY.findall(report)))


def parse_report(report: str, demangled: Mapping[str, str]) -> tuple[KernelResources, ...]:
    """One KernelResources for each kernel; names missing from ``demangled`` stay mangled.

    Device functions that were not inlined have properties but no registers of their own: they are
    left out, their spills too. ``shared_bytes`` is static shared memory.
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
                    kernel=demangled.get(kernel, kernel),
                    registers=int(used[1]),
                    shared_bytes=int(shared[1]) + int(shared[2] or 0) if shared else 0,
                    spill_store_bytes=spills[0],
                    spill_load_bytes=spills[1],
                )
            )
            kernel = None
    return tuple(found)
