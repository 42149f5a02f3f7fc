"""The difference of two sources, line by line, as a page shows it. Knows no Runs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

#: Lines around a change that are shown with it.
CONTEXT = 3

#: Longer sources are not compared: it takes time in the square of the lines that repeat.
MAX_LINES = 3000


class Change(StrEnum):
    """What became of a line."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True)
class DiffLine:
    """A line with its numbers in the old and the new source; None where it is not in it."""

    change: Change
    old: int | None
    new: int | None
    text: str


@dataclass(frozen=True)
class Diff:
    """Hunks of lines, and how many lines were removed and added in all."""

    hunks: tuple[tuple[DiffLine, ...], ...]
    removed: int
    added: int

    @property
    def is_empty(self) -> bool:
        return not self.hunks


class TooLarge(Exception):
    """The sources are too long to be compared in a page."""


def diff(old: str, new: str) -> Diff:
    """What leads from ``old`` to ``new``, with CONTEXT lines around each change.

    Raises TooLarge.
    """
    before, after = old.splitlines(), new.splitlines()
    if max(len(before), len(after)) > MAX_LINES:
        raise TooLarge
    matcher = SequenceMatcher(None, before, after)
    hunks = []
    for group in matcher.get_grouped_opcodes(CONTEXT):
        lines: list[DiffLine] = []
        for tag, old_start, old_end, new_start, new_end in group:
            if tag == "equal":
                lines += [
                    DiffLine(Change.SAME, old_start + n + 1, new_start + n + 1, text)
                    for n, text in enumerate(before[old_start:old_end])
                ]
                continue
            lines += [
                DiffLine(Change.REMOVED, old_start + n + 1, None, text)
                for n, text in enumerate(before[old_start:old_end])
            ]
            lines += [
                DiffLine(Change.ADDED, None, new_start + n + 1, text)
                for n, text in enumerate(after[new_start:new_end])
            ]
        hunks.append(tuple(lines))
    changes = Counter(line.change for hunk in hunks for line in hunk)
    return Diff(tuple(hunks), changes[Change.REMOVED], changes[Change.ADDED])
