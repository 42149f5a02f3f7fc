"""What a tree of processes holds right now, read from /proc.

Resource limits bound one process; a program of many is held to its limits by these sums.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")

# Fields of /proc/<pid>/stat after the command's closing parenthesis; proc(5) counts from 3 there.
_UTIME, _STIME, _CUTIME, _CSTIME, _RSS = 14 - 3, 15 - 3, 16 - 3, 17 - 3, 24 - 3


@dataclass(frozen=True)
class Snapshot:
    """CPU time of all processes alive and reaped, and memory resident now.

    Pages that processes share count once for each in ``resident_bytes``: an upper bound.
    """

    cpu_seconds: float
    resident_bytes: int


def snapshot(root: int) -> Snapshot:
    """The processes below and including process ``root``; those that vanish meanwhile are left out.

    ``root`` must be process 1 of a PID namespace, so that orphans stay below it.
    """
    cpu_ticks = 0
    pages = 0
    for pid in _tree(root):
        try:
            text = Path(f"/proc/{pid}/stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        fields = text.rpartition(")")[2].split()
        cpu_ticks += sum(int(fields[i]) for i in (_UTIME, _STIME, _CUTIME, _CSTIME))
        pages += int(fields[_RSS])
    return Snapshot(cpu_ticks / _TICKS_PER_SECOND, pages * _PAGE_BYTES)


def proportional_bytes(root: int) -> int:
    """Resident memory of the tree with shared pages counted once; slow, so asked only in doubt."""
    total = 0
    for pid in _tree(root):
        try:
            total += _proportional(pid)
        except (FileNotFoundError, ProcessLookupError):
            continue
    return total


def _proportional(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except PermissionError:
        # A process may hide its memory map (prctl PR_SET_DUMPABLE), but not its size.
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE_BYTES
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def _tree(root: int) -> list[int]:
    found = [root]
    for pid in found:
        try:
            threads = list(Path(f"/proc/{pid}/task").iterdir())
        except (FileNotFoundError, ProcessLookupError):
            continue
        for thread in threads:
            try:
                children = (thread / "children").read_text()
            except (FileNotFoundError, ProcessLookupError):
                continue
            found.extend(int(child) for child in children.split())
    return found
