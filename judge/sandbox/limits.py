"""ExecutionLimits as the kernel's resource limits, and which limit ended a program.

Resource limits count one process each; what counts for all of them together (memory, CPU time) is
watched by the supervisor as well, or by a control group where one is delegated to us.
"""

from __future__ import annotations

import math
import os
import signal
from dataclasses import dataclass

from judge.execution import MIB, Ending, ExecutionLimits

_STACK_BYTES = 8 * MIB
_STACK_HARD_BYTES = 64 * MIB

#: Address space granted beyond the memory limit: thread stacks and malloc arenas reserve far more
#: than they touch. What is touched is held to the limit itself.
ADDRESS_SPACE_SLACK_BYTES = 1024 * MIB


def resource_limits(limits: ExecutionLimits, *, cap_address_space: bool) -> dict[str, str]:
    """Limits in the launcher's terms: name to ``SOFT`` or ``SOFT:HARD``.

    ``nproc`` has room for the launcher, which counts as a process of the same user. Where a
    control group holds memory to its limit, address space need not be capped.
    """
    values = {
        "core": "0",
        "nproc": str(limits.processes + 1),
        "fsize": str(limits.file_bytes),
        "nofile": str(limits.open_files),
        "stack": f"{_STACK_BYTES}:{_STACK_HARD_BYTES}",
    }
    if limits.cpu_seconds is not None:
        # SIGXCPU at the soft limit says why; SIGKILL follows a second later if it is ignored.
        seconds = max(1, math.ceil(limits.cpu_seconds))
        values["cpu"] = f"{seconds}:{seconds + 1}"
    if limits.memory_bytes is not None and cap_address_space:
        values["as"] = str(limits.memory_bytes + ADDRESS_SPACE_SLACK_BYTES)
    if limits.data_bytes is not None:
        values["data"] = str(limits.data_bytes)
    return values


@dataclass(frozen=True)
class Usage:
    """What a program and its descendants used, all together for CPU time."""

    cpu_seconds: float = 0.0
    peak_memory_bytes: int = 0


def ending(wait_status: int, usage: Usage, limits: ExecutionLimits) -> Ending:
    """Why a program that nobody stopped is over, from its wait status."""
    if os.WIFSIGNALED(wait_status):
        number = os.WTERMSIG(wait_status)
        if limits.cpu_seconds is not None:
            # The kernel counts in ticks and may be a few milliseconds ahead of what it reports.
            spent = usage.cpu_seconds >= limits.cpu_seconds
            if number == signal.SIGXCPU or (spent and number == signal.SIGKILL):
                return Ending.CPU_LIMIT
        return Ending.SIGNALLED
    return Ending.EXITED
