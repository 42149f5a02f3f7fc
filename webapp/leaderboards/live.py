"""The board that the home page shows: the most active one, its picture and its fastest rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, F, Max, Q
from django.utils import timezone

from webapp import charts
from webapp.charts import Svg
from webapp.leaderboards.boards import Board, Row, read_board
from webapp.leaderboards.models import Entry
from webapp.leaderboards.pictures import line_of_time
from webapp.ops.models import Device
from webapp.problems.models import ProblemVersion
from webapp.submissions.models import CompetitorKind

_RECENT = timedelta(days=30)
_ROWS = 8


@dataclass(frozen=True)
class LiveBoard:
    board: Board
    timeline: Svg
    rows: tuple[Row, ...]
    entries: int


def live_board(viewer_id: int | None) -> LiveBoard | None:
    """The most active board as its own page would draw it; None on a site without entries."""
    board = most_active_board()
    if board is None:
        return None
    timed = tuple(row for row in board.rows if row.median_ms)
    own = next((r for r in timed if viewer_id is not None and r.owner_id == viewer_id), None)
    picture = line_of_time(board, own)
    return LiveBoard(board, charts.responsive("live", picture), timed[:_ROWS], len(timed))


def most_active_board() -> Board | None:
    """Of the problems' current boards the one where most entries changed in the last 30 days.

    Among equals the one with most entries, then the latest to change. At most 6 queries.
    """
    since = timezone.now() - _RECENT
    found = (
        Entry.objects.filter(version__problem__current=F("version"))
        .exclude(kind=CompetitorKind.BASELINE)
        .order_by()
        .values_list("version_id", "device_id")
        .annotate(
            recent=Count("pk", filter=Q(changed_at__gte=since)),
            entries=Count("pk"),
            latest=Max("changed_at"),
        )
        .order_by("-recent", "-entries", "-latest")
        .first()
    )
    if found is None:
        return None
    version = ProblemVersion.objects.defer("archive", "statement", "starter").get(pk=found[0])
    return read_board(version, Device.objects.get(pk=found[1]))
