"""What can be wrong with a problem package, as values its author can act on.

These are the author's faults: never shown to somebody who submits, and never ours.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class PackageProblem:
    """One thing wrong in a package.

    ``file`` is relative to the package ("" for the package as a whole), ``line`` counts from 1.
    """

    file: str
    line: int | None
    message: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.message}" if place else self.message


class PackageError(Exception):
    """A package cannot be used. ``str()`` lists every problem, one a line, most with a place."""

    def __init__(self, package: str, problems: Iterable[PackageProblem]) -> None:
        self.package = package
        self.problems = tuple(problems)
        count = len(self.problems)
        head = f"{package}: {count} problem{'' if count == 1 else 's'}"
        super().__init__("\n".join([head, *(f"  {problem}" for problem in self.problems)]))


def suggest(word: str, known: Iterable[str]) -> str:
    """``; did you mean "x"?`` for the known word nearest to ``word``, else the list of them."""
    candidates = list(known)
    by_lower = {candidate.lower(): candidate for candidate in candidates}
    near = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    if near:
        return f'; did you mean "{by_lower[near[0]]}"?'
    return f"; expected one of: {', '.join(candidates)}" if candidates else ""
