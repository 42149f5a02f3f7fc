"""Changes to a text, gathered in any order and applied at once; line breaks are never changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Edit:
    """Replaces ``source[start:end]``; an insertion where both are equal.

    Neither the text replaced nor the replacement may hold a line break, so that every line of the
    result is the same line of the source.
    """

    start: int
    end: int
    text: str


def apply(source: str, edits: Iterable[Edit]) -> str:
    """The source with all edits made; at one place, in the order given."""
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        if edit.start < position:
            continue  # a place that two rules claim belongs to the first
        pieces.append(source[position : edit.start])
        pieces.append(edit.text)
        position = edit.end
    pieces.append(source[position:])
    return "".join(pieces)
