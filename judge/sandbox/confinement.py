"""What a back end must be able to do with one sandbox, for supervision to be the same for all.

The launcher (launcher.cpp) is process 1 of every sandbox and speaks the same protocol on its
control socket whoever started it. A ``Confinement`` is how it was started, how it is taken down,
and what the kernel says was used. Nothing here knows a particular back end.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Started:
    """A sandbox whose launcher has been, or is about to be, given its program.

    ``control`` has SO_PASSCRED set: the launcher's process id comes with what it sends.
    ``death_fd`` becomes readable once everything in the sandbox is dead. Both belong to the
    receiver.
    """

    control: socket.socket
    death_fd: int


@dataclass(frozen=True)
class Account:
    """What was used, as far as it is known without the launcher.

    ``status`` is a wait status for a program whose launcher could not report.
    """

    status: int
    cpu_seconds: float = 0.0
    peak_memory_bytes: int = 0


class Confinement(Protocol):
    """One sandbox, for one program. Used by one thread, its methods in this order."""

    @property
    def holds_memory(self) -> bool:
        """Whether the kernel holds the whole sandbox to its exact memory limit."""

    def start(self, out: int, err: int) -> Started:
        """Start the sandbox with stdout and stderr; they may be closed afterwards.

        Raises ``SandboxUnavailable`` when it cannot be made.
        """

    def why_it_ended(self) -> str:
        """In words, when the launcher went away before its program ran; waits for its end."""

    def on_hang_up(self) -> None:
        """The launcher has closed the control socket: it is over, or about to be."""

    def tear_down(self) -> None:
        """Kill everything, process 1 first. Harmless when it is dead already."""

    def account(self) -> Account:
        """Asked once everything is dead."""

    def ran_out_of_memory(self, reported_status: int | None) -> bool:
        """Whether the kernel killed for memory, in a program that we did not stop.

        The status is None when the launcher did not report.
        """

    def clean_up(self) -> None:
        """Make sure of the end and remove what is left; also after a start that failed."""
