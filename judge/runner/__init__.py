"""The native program that loads a submission, and the judge's side of its protocol.

``protocol.h`` opens with the theory of operation. This package knows no sandbox, no compiler and
no device; it offers the runner's sources to whoever builds it (``sources``) and the judge's half
of the conversation to devices (``handshake``, ``doorbell``, ``autopsy``).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).resolve().parent
#: The filter that sandbox and runner share.
SYSTEM_CALLS = _HERE.parent / "sandbox" / "system_calls.h"


@dataclass(frozen=True)
class RunnerSources:
    """What a compiler needs to build a runner.

    ``filter_directory`` holds the system-call filter and must lie beside ``include_directory``,
    named as it is here.

    ``emulated`` are the C++20 sources of the emulated device's runner, to be compiled with
    ``include_directory`` and the emulation's headers on the include path and linked with the
    emulation runtime and the submission; ``headers`` belong into a cache key beside them.
    """

    include_directory: Path
    filter_directory: Path
    emulated: tuple[Path, ...]
    headers: tuple[Path, ...]


def sources() -> RunnerSources:
    """The runner's sources as installed."""
    common = ("main.cpp", "connection.cpp", "confinement.cpp")
    return RunnerSources(
        include_directory=_HERE,
        filter_directory=SYSTEM_CALLS.parent,
        emulated=tuple(_HERE / name for name in (*common, "backend_emulated.cpp")),
        headers=(*sorted(_HERE.glob("*.h")), SYSTEM_CALLS),
    )
