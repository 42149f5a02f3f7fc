"""What the doctor says of one thing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """``note``: told, nothing to do; ``warning``: it can judge, but worse; ``fault``: it cannot."""

    OK = "ok"
    NOTE = "note"
    WARNING = "warning"
    FAULT = "fault"


@dataclass(frozen=True)
class Finding:
    """``what`` was looked at, what was ``found``, and what ``to_do`` about it, if anything."""

    state: State
    what: str
    found: str
    to_do: str = ""
