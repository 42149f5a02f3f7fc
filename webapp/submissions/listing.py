"""A source as numbered lines that messages of the compiler can point at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

#: Longer sources are cut on the page; the download is whole.
MAX_LISTED_LINES = 3000


@dataclass(frozen=True)
class ListedLine:
    """A line with its number from 1, and the worst severity of what the compiler said about it."""

    number: int
    text: str
    severity: str


@dataclass(frozen=True)
class Listing:
    lines: list[ListedLine]
    left_out: int

    @property
    def total(self) -> int:
        return len(self.lines) + self.left_out


def listing(source: str, diagnostics: Iterable[Mapping[str, Any]] = ()) -> Listing:
    """The first MAX_LISTED_LINES lines of ``source``; lines end at line feeds, as for compilers."""
    worst: dict[int, str] = {}
    for diagnostic in diagnostics:
        line, severity = diagnostic.get("line"), str(diagnostic.get("severity", ""))
        if isinstance(line, int) and (line not in worst or "error" in severity):
            worst[line] = "error" if "error" in severity else "warning"
    texts = source.removesuffix("\n").split("\n")
    return Listing(
        [
            ListedLine(number, text, worst.get(number, ""))
            for number, text in enumerate(texts[:MAX_LISTED_LINES], 1)
        ],
        max(0, len(texts) - MAX_LISTED_LINES),
    )
