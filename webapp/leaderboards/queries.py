"""What a reader asks of a board: filters, order and page, all of it in the URL.

Pure: rows in, rows out. A word that means nothing is taken as not said; a URL never fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from webapp.leaderboards.boards import Row
from webapp.submissions.models import CompetitorKind

#: Rows a page.
PAGE = 100

#: What rows can be ordered by, ascending; a row without the value comes last either way.
_ORDERS: Mapping[str, Callable[[Row], Any]] = {
    "rank": lambda row: row.median_ms,
    "name": lambda row: row.name.casefold(),
    "kind": lambda row: row.kind.value,
    "spread": lambda row: row.spread_pct,
    "age": lambda row: row.finished_at,
}


@dataclass(frozen=True)
class BoardQuery:
    """One view of a board. ``version`` is a digest, empty for the problem's current version."""

    version: str = ""
    kind: str = ""
    name: str = ""
    mine: bool = False
    sort: str = "rank"
    descending: bool = False
    page: int = 1

    @classmethod
    def parse(cls, values: Mapping[str, str]) -> BoardQuery:
        kind, sort, page = (values.get(key, "") for key in ("kind", "sort", "page"))
        return cls(
            version=values.get("version", ""),
            kind=kind if kind in CompetitorKind.values else "",
            name=values.get("name", "").strip()[:64],
            mine=values.get("mine", "") not in ("", "0"),
            sort=sort if sort in _ORDERS else "rank",
            descending=values.get("order", "") == "desc",
            page=int(page) if page.isdecimal() and 0 < len(page) < 7 else 1,
        )

    @property
    def is_filtered(self) -> bool:
        return bool(self.kind or self.name or self.mine)

    def url(self, **changes: Any) -> str:
        """The query string of this view with ``changes``; what is at its default is left out."""
        changed = replace(self, **changes)
        said = {
            "version": changed.version,
            "kind": changed.kind,
            "name": changed.name,
            "mine": "1" if changed.mine else "",
            "sort": changed.sort if changed.sort != "rank" else "",
            "order": "desc" if changed.descending else "",
            "page": str(changed.page) if changed.page > 1 else "",
        }
        return "?" + urlencode({key: value for key, value in said.items() if value})

    def sorted_by(self, sort: str) -> str:
        """The URL that a column's head leads to: by it, or the other way round if it is already."""
        return self.url(sort=sort, descending=self.sort == sort and not self.descending, page=1)


@dataclass(frozen=True)
class KindCount:
    """A choice of the filter by kind, and how many rows it leaves."""

    kind: str
    label: str
    count: int


@dataclass(frozen=True)
class Selection:
    """What a query shows of a board."""

    #: Every row that the filters leave, in order.
    rows: tuple[Row, ...]
    #: Those of the page asked for, or of the last one there is.
    page_rows: tuple[Row, ...]
    page: int
    pages: int
    kinds: tuple[KindCount, ...]
    #: The reader's own row where ``page_rows`` lacks it.
    pinned: Row | None

    @property
    def first(self) -> int:
        """Number of the page's first row, counted from 1; 0 when there is none."""
        return (self.page - 1) * PAGE + 1 if self.rows else 0

    @property
    def last(self) -> int:
        return (self.page - 1) * PAGE + len(self.page_rows)


def select(rows: Sequence[Row], query: BoardQuery, viewer_id: int | None) -> Selection:
    """The rows that ``query`` asks for; ``viewer_id`` is whose row is "mine", None for nobody's."""
    needle = query.name.casefold()
    named = [
        row
        for row in rows
        if (not needle or needle in row.name.casefold())
        and (not query.mine or (viewer_id is not None and row.owner_id == viewer_id))
    ]
    kinds = [KindCount("", "all", len(named))]
    for kind in CompetitorKind:
        count = sum(row.kind == kind for row in named)
        kinds.append(KindCount(kind.value, f"{kind.label}s", count))
    left = _ordered([row for row in named if not query.kind or row.kind == query.kind], query)
    pages = max(1, -(-len(left) // PAGE))
    page = min(query.page, pages)
    shown = tuple(left[(page - 1) * PAGE : page * PAGE])
    own = next((r for r in rows if viewer_id is not None and r.owner_id == viewer_id), None)
    return Selection(
        rows=tuple(left),
        page_rows=shown,
        page=page,
        pages=pages,
        kinds=tuple(kinds),
        pinned=None if own in shown else own,
    )


def _ordered(rows: list[Row], query: BoardQuery) -> list[Row]:
    if query.sort == "rank" and not query.descending:
        return rows  # as boards come
    value = _ORDERS[query.sort]
    known = [row for row in rows if value(row) is not None]
    unknown = [row for row in rows if value(row) is None]
    return sorted(known, key=value, reverse=query.descending) + unknown
