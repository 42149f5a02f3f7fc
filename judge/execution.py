"""The vocabulary of running an untrusted program: what is asked, and how it ended.

Compilers and devices describe a ``Command``; a sandbox (an ``Executor``) runs it. This module is
all that they share, so that none of them knows the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

MIB = 1024 * 1024


class SandboxUnavailable(Exception):
    """This machine cannot confine a program; the text says what is missing and what to install."""


@dataclass(frozen=True)
class Mount:
    """A host path that the program sees at ``target`` (an absolute path inside the sandbox).

    A ``writable`` source is a folder of plain files and folders, for one program at a time; the
    program's changes are in it once the program is over. Sockets and pipes of the judge belong in
    read-only ones, and work there. A ``lasting`` source is read-only, stays as it is while the
    judge runs, and is mounted for many programs: toolkits, headers, drivers. A sandbox made ahead
    of time may have it already.
    """

    source: Path
    target: Path
    writable: bool = False
    lasting: bool = False


@dataclass(frozen=True)
class ExecutionLimits:
    """Hard caps on one program, all its threads and children together unless said otherwise.

    ``memory_bytes`` None means that address space is not capped (a CUDA runner reserves far more
    than it uses); ``data_bytes`` then caps the private memory that it can write to, touched yet or
    not. ``output_bytes`` is what is kept of stdout and stderr, each; a program that writes more
    than ``output_limit_bytes`` in all is killed.
    """

    wall_seconds: float
    cpu_seconds: float | None = None
    memory_bytes: int | None = None
    data_bytes: int | None = None
    processes: int = 64
    file_bytes: int = 256 * MIB
    open_files: int = 256
    output_bytes: int = 64 * 1024
    output_limit_bytes: int = 1 * MIB


class Purpose(StrEnum):
    """What a program is for, and so how little it needs of the system around it.

    A TOOL sees all of it. A COMPILER sees compilers, the system's headers and libraries. A RUNNER
    of native code sees libraries, and no program that it could start.
    """

    TOOL = "tool"
    COMPILER = "compiler"
    RUNNER = "runner"


@dataclass(frozen=True)
class Command:
    """One program to run: fixed argument vector, nothing inherited but what is named here.

    ``environment`` is the whole environment. ``cpus`` pins the program to those cores; None leaves
    it free. ``device_nodes`` are host device files to expose (``/dev/nvidia0``, …). A program in
    the ``background`` yields the processor to others, above all to a Run that is being timed.
    """

    argv: tuple[str, ...]
    limits: ExecutionLimits
    mounts: tuple[Mount, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    working_directory: Path = Path("/tmp")
    cpus: frozenset[int] | None = None
    device_nodes: tuple[Path, ...] = ()
    background: bool = False
    purpose: Purpose = Purpose.TOOL


class Ending(StrEnum):
    """Why a program is over."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    WALL_LIMIT = "wall limit"
    CPU_LIMIT = "cpu limit"
    MEMORY_LIMIT = "memory limit"
    OUTPUT_LIMIT = "output limit"
    KILLED = "killed by the judge"


@dataclass(frozen=True)
class Outcome:
    """How a program ended and what it used.

    ``exit_code`` is set for EXITED, ``signal`` for SIGNALLED. ``stdout`` and ``stderr`` hold the
    first bytes kept; ``*_total_bytes`` counts all that was written.
    """

    ending: Ending
    exit_code: int | None
    signal: int | None
    wall_seconds: float
    cpu_seconds: float
    peak_memory_bytes: int
    stdout: bytes
    stderr: bytes
    stdout_total_bytes: int
    stderr_total_bytes: int


class Process(Protocol):
    """A running program and all it may have started."""

    @property
    def death_fd(self) -> int:
        """A descriptor that becomes readable once the program is over (a pidfd)."""

    def wait(self, timeout_seconds: float | None = None) -> Outcome:
        """Wait for the end. Raises TimeoutError if it is still running after the timeout."""

    def kill(self) -> Outcome:
        """End it and everything it started, now; returns how it ended (idempotent)."""


class Executor(Protocol):
    """A sandbox back end."""

    @property
    def name(self) -> str:
        """``bubblewrap``, ``docker``: recorded in a Run's Environment."""

    @property
    def image_digest(self) -> str:
        """The image that programs see, by its content's hash; empty where there is none."""

    def spawn(self, command: Command) -> Process:
        """Start ``command`` confined. Raises SandboxUnavailable, never runs it unconfined."""

    def run(self, command: Command) -> Outcome:
        """``spawn`` and wait to the end."""
