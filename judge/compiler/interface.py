"""What every compiler back end is given and gives back.

A back end turns one untrusted ``.cu`` into an artifact a runner can use. It builds ``Command``s
and hands them to an ``Executor``; it knows no sandbox and no device.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from judge.domain import DeviceKind, Diagnostic, KernelResources, Limits, Listing, Verdict


class ToolchainMissing(Exception):
    """No usable compiler on this machine; the text says what was looked for and what to install."""


@dataclass(frozen=True)
class Target:
    """What to compile for: ``emulated``, or ``cuda`` with an architecture such as ``sm_90a``."""

    kind: DeviceKind
    architecture: str = ""


@dataclass(frozen=True)
class CompileRequest:
    """One source to compile.

    ``prototype`` is the text of the header force-included before the source (the entry point's
    C++ declaration and the trampoline ``warpboard_invoke``, see judge.problems.prototype);
    ``signature`` is the entry point's declaration as a person would write it, for messages.
    """

    source: str
    prototype: str
    signature: str
    entry: str
    target: Target
    limits: Limits
    cpus: frozenset[int] | None = None


@dataclass(frozen=True)
class CompileResult:
    """What came of it.

    ``failure`` is None on success, else CE, UNS, TLE-like limits being CE too (the message says
    which cap was hit). ``artifact`` is a shared library (cuda) or an executable that contains the
    runner (emulated), inside the build cache: read-only, and valid as long as the cache entry is.
    ``output`` is compiler text with paths and lines of the user's file, at most 64 KiB.
    """

    failure: Verdict | None
    message: str
    artifact: Path | None
    output: str
    output_dropped_bytes: int
    diagnostics: tuple[Diagnostic, ...]
    resources: tuple[KernelResources, ...]
    seconds: float
    cached: bool
    toolchain: str
    flags: tuple[str, ...]
    listings: tuple[Listing, ...] = ()


class Compiler(Protocol):
    """A compiler back end for one kind of target."""

    @property
    def toolchain(self) -> str:
        """Name and version of the compiler, for the Environment and the cache key."""

    def compile(self, request: CompileRequest) -> CompileResult:
        """Compile; never raises for anything the source can cause."""
