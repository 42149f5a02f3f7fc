"""The call that reads a board, with the filters and the order of its page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from judge.domain import DeviceKind
from webapp.api import errors
from webapp.api.problems import current_version
from webapp.api.schemas import BoardFilter, BoardOut
from webapp.leaderboards.boards import Row, read_board
from webapp.leaderboards.queries import BoardQuery, select
from webapp.leaderboards.rates import Work, work_of
from webapp.ops.models import Device
from webapp.ops.peaks import peaks_of
from webapp.problems.models import ProblemVersion

router = Router(tags=["boards"])


@router.get(
    "boards/{slug:slug}/{slug:device}",
    response={200: BoardOut, **errors.FAILURES},
    auth=None,
    summary="A board: each competitor's best valid run, ranked",
)
def read_board_of(request: HttpRequest, slug: str, device: str, query: Query[BoardFilter]) -> Any:
    version = current_version(slug) if query.version is None else _version(slug, query.version)
    found = Device.objects.filter(pk=device).first()
    if found is None:
        raise errors.not_found("device")
    board = read_board(version, found)
    wanted = BoardQuery(kind=query.kind or "", name=query.name.strip())
    rows = select(board.rows, wanted, None).rows
    definition = version.problem_definition
    peaks = peaks_of(found, definition.tolerance.precision)
    work = work_of(definition, DeviceKind(found.kind), peaks)
    end = query.offset + query.limit
    return {
        "problem": slug,
        "problem_version": version.digest,
        "device": found.name,
        "emulated": found.is_emulated,
        "time_label": found.time_label,
        "naive": board.naive,
        "baseline": board.baseline,
        "floor_ms": work.floor_ms,
        "entries": [_entry(row, work) for row in rows[query.offset : end]],
        "count": len(rows),
        "next_offset": end if end < len(rows) else None,
    }


def _version(slug: str, digest: str) -> ProblemVersion:
    named = ProblemVersion.objects.filter(problem=slug, digest=digest).first()
    if named is None:
        raise errors.not_found("version of the problem")
    return named


def _entry(row: Row, work: Work) -> dict[str, Any]:
    time_ms = row.median_ms
    return {
        "run": row.run_id,
        "name": row.name,
        "kind": row.kind.value,
        "verdict": row.verdict.value,
        "median_ms": time_ms,
        "ci_low_ms": row.ci_low_ms,
        "ci_high_ms": row.ci_high_ms,
        "spread_pct": row.spread_pct,
        "rank": row.rank,
        "tied": row.tied,
        "percentile": row.percentile,
        "gflop_per_s": work.gflop_per_s(time_ms) if time_ms else None,
        "gbyte_per_s": work.gbyte_per_s(time_ms) if time_ms else None,
        "percent_of_peak": work.percent_of_peak(time_ms) if time_ms else None,
        "speedup": row.speedup,
        "baseline_speedup": row.baseline_speedup,
        "finished_at": row.finished_at,
    }
