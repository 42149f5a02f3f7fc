"""How full a kernel can make a streaming multiprocessor, by its registers and shared memory.

The rules are those of NVIDIA's occupancy calculator; the limits are from the CUDA C++ Programming
Guide, "Technical Specifications per Compute Capability". Block sizes and dynamic shared memory are
chosen at launch and not known here, so the figure is given for block sizes that people use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_WARP = 32
_KIB = 1024
#: Registers are given out to warps in units of this many, on every architecture since Volta.
_REGISTER_UNIT = 256
#: Warps with registers come in groups: one for each of the multiprocessor's four partitions.
_WARP_GROUP = 4
_SHARED_UNIT = 128

BLOCK_SIZES = (128, 256, 512, 1024)


@dataclass(frozen=True)
class Multiprocessor:
    """What one multiprocessor can hold; ``reserved_bytes`` of shared memory go to each block."""

    warps: int
    blocks: int
    shared_bytes: int
    registers: int = 65536
    reserved_bytes: int = 1024


_KNOWN: Mapping[str, Multiprocessor] = {
    "70": Multiprocessor(64, 32, 96 * _KIB, reserved_bytes=0),
    "75": Multiprocessor(32, 16, 64 * _KIB, reserved_bytes=0),
    "80": Multiprocessor(64, 32, 164 * _KIB),
    "86": Multiprocessor(48, 16, 100 * _KIB),
    "87": Multiprocessor(48, 16, 164 * _KIB),
    "89": Multiprocessor(48, 24, 100 * _KIB),
    "90": Multiprocessor(64, 32, 228 * _KIB),
    "100": Multiprocessor(64, 32, 228 * _KIB),
    "120": Multiprocessor(48, 24, 100 * _KIB),
}


@dataclass(frozen=True)
class Occupancy:
    """Resident warps of one multiprocessor, of those it can hold, and what sets the limit."""

    block_threads: int
    blocks: int
    warps: int
    limit_warps: int
    limited_by: str

    @property
    def percent(self) -> float:
        return 100.0 * self.warps / self.limit_warps


def multiprocessor(flags: Iterable[str]) -> tuple[str, Multiprocessor] | None:
    """The architecture that nvcc's ``flags`` name (``sm_90``) and its limits, if they are known."""
    for flag in flags:
        found = re.search(r"\b(?:sm|compute)_(\d+)[af]?\b", flag)
        if found and found.group(1) in _KNOWN:
            return f"sm_{found.group(1)}", _KNOWN[found.group(1)]
    return None


def occupancy(
    limits: Multiprocessor, registers: int, shared_bytes: int, block_threads: int
) -> Occupancy:
    """Occupancy of a kernel with ``registers`` a thread and ``shared_bytes`` a block.

    ``blocks`` is 0 where a block of this size cannot be launched at all.
    """
    warps = -(-block_threads // _WARP)
    by_registers = limits.blocks
    if registers:
        of_a_warp = _up(registers * _WARP, _REGISTER_UNIT)
        fitting = limits.registers // of_a_warp // _WARP_GROUP * _WARP_GROUP
        by_registers = fitting // warps
    shared = _up(shared_bytes + limits.reserved_bytes, _SHARED_UNIT)
    bounds = {
        "registers": by_registers,
        "shared memory": limits.shared_bytes // shared if shared else limits.blocks,
        "warps": limits.warps // warps,
        "blocks": limits.blocks,
    }
    blocks = min(bounds.values())
    resident = blocks * warps
    full = resident == limits.warps
    limiter = "" if full else next(name for name, bound in bounds.items() if bound == blocks)
    return Occupancy(block_threads, blocks, resident, limits.warps, limiter)


def _up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
