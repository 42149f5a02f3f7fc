"""The list of problems: filtered as the address says, with what the reader did about each.

Plain values for the page; knows nothing of HTTP.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from judge.problems.schema import DIFFICULTIES
from webapp.problems.models import Problem, ProblemVersion

#: What a row of the list does not need of a version; an archive may have megabytes.
_HEAVY = ("archive", "definition", "statement", "starter", "signature")


@dataclass(frozen=True)
class Filter:
    """What to list; an empty text lists everything. ``state`` is solved, tried or new."""

    difficulty: str = ""
    tag: str = ""
    state: str = ""


@dataclass(frozen=True)
class Listed:
    """A problem as a row of the list. ``state`` is the reader's, empty for who is not signed in."""

    slug: str
    title: str
    difficulty: str
    tags: tuple[str, ...]
    state: str


@dataclass(frozen=True)
class Catalogue:
    """The rows that the filter leaves, out of ``total``, and what there is to filter by."""

    rows: tuple[Listed, ...]
    total: int
    difficulties: tuple[str, ...]
    tags: tuple[str, ...]


def current_versions() -> list[ProblemVersion]:
    """The version of each problem that is judged now, without its heavy parts; one query."""
    return list(
        ProblemVersion.objects.filter(pk__in=Problem.objects.values("current")).defer(*_HEAVY)
    )


def catalogue(
    versions: list[ProblemVersion], chosen: Filter, states: Mapping[str, str] | None
) -> Catalogue:
    """Lists ``versions``, easy ones first. ``states`` is the reader's by slug, or None."""
    rows = [
        Listed(
            version.problem_id,
            version.title,
            version.difficulty,
            tuple(version.tags),
            "" if states is None else states.get(version.problem_id, "new"),
        )
        for version in versions
    ]
    rows.sort(key=lambda row: (_difficulty_order(row.difficulty), row.title.casefold(), row.slug))
    return Catalogue(
        tuple(row for row in rows if _matches(row, chosen)),
        len(rows),
        tuple(sorted({row.difficulty for row in rows}, key=_difficulty_order)),
        tuple(sorted({tag for row in rows for tag in row.tags})),
    )


def _matches(row: Listed, chosen: Filter) -> bool:
    return (
        chosen.difficulty in ("", row.difficulty)
        and (not chosen.tag or chosen.tag in row.tags)
        and (not chosen.state or not row.state or chosen.state == row.state)
    )


def _difficulty_order(difficulty: str) -> tuple[int, str]:
    known = DIFFICULTIES.index(difficulty) if difficulty in DIFFICULTIES else len(DIFFICULTIES)
    return known, difficulty
