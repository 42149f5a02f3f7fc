"""What one compilation of an untrusted source may use, and what a user is told who hit a cap.

The same for every back end: a cap that one compiler had and another lacked would be the way in.
"""

from __future__ import annotations

from judge.domain import Limits
from judge.execution import MIB, Ending, ExecutionLimits, Outcome

MEMORY_BYTES = 4096 * MIB

#: Compiler text kept of each stream; what of it users see is cut further by ``diagnostics``.
KEPT_BYTES = 1 * MIB

#: A compiler that prints more than this in all is stopped.
PRINTED_BYTES = 16 * MIB

#: A compiler's whole environment.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TMPDIR": "/tmp"}


def execution_limits(limits: Limits) -> ExecutionLimits:
    """The caps of one compilation of a problem with ``limits``; CPU time counts two cores."""
    return ExecutionLimits(
        wall_seconds=limits.compile_seconds,
        cpu_seconds=2 * limits.compile_seconds,
        memory_bytes=MEMORY_BYTES,
        output_bytes=KEPT_BYTES,
        output_limit_bytes=PRINTED_BYTES,
    )


def cap_message(outcome: Outcome, limits: Limits) -> str | None:
    """What to tell the user whose source made the compiler hit a cap; None if it hit none."""
    allowed = execution_limits(limits)
    match outcome.ending:
        case Ending.WALL_LIMIT:
            return f"compiling took longer than {allowed.wall_seconds:g} s and was stopped"
        case Ending.CPU_LIMIT:
            return f"compiling used more than {allowed.cpu_seconds:g} s of CPU time and was stopped"
        case Ending.MEMORY_LIMIT:
            return f"compiling took more than {MEMORY_BYTES // MIB} MiB of memory and was stopped"
        case Ending.OUTPUT_LIMIT:
            return f"the compiler printed more than {PRINTED_BYTES // MIB} MiB and was stopped"
        case Ending.KILLED:
            return "compiling was stopped by the judge"
        case _:
            pass
    text = outcome.stderr
    if any(sign in text for sign in (b"out of memory", b"memory exhausted", b"std::bad_alloc")):
        return f"the compiler ran out of memory (it has {MEMORY_BYTES // MIB} MiB)"
    if b"No space left on device" in text or b"File size limit exceeded" in text:
        return "the compiler filled the space it has for temporary files"
    return None
