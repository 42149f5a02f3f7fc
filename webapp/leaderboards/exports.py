"""A board as CSV and JSON: the rows that its filters leave, in their order, numbers unrounded."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from webapp.leaderboards.boards import Board, Row
from webapp.leaderboards.queries import BoardQuery
from webapp.leaderboards.rates import Work

#: Columns of both forms, in order; times in ms, rates in the unit named.
COLUMNS = (
    "rank",
    "tied",
    "name",
    "kind",
    "verdict",
    "score_ms",
    "ci_low_ms",
    "ci_high_ms",
    "spread_pct",
    "percentile",
    "gflop_per_s",
    "gbyte_per_s",
    "percent_of_peak",
    "speedup_over_naive",
    "speedup_over_baseline",
    "finished_at",
    "run",
)


def record(row: Row, work: Work) -> dict[str, Any]:
    """One row by ``COLUMNS``; None for what it does not have."""
    time_ms = row.median_ms
    return {
        "rank": row.rank,
        "tied": row.tied,
        "name": row.name,
        "kind": row.kind.value,
        "verdict": row.verdict.value,
        "score_ms": time_ms,
        "ci_low_ms": row.ci_low_ms,
        "ci_high_ms": row.ci_high_ms,
        "spread_pct": row.spread_pct,
        "percentile": row.percentile,
        "gflop_per_s": work.gflop_per_s(time_ms) if time_ms else None,
        "gbyte_per_s": work.gbyte_per_s(time_ms) if time_ms else None,
        "percent_of_peak": work.percent_of_peak(time_ms) if time_ms else None,
        "speedup_over_naive": row.speedup,
        "speedup_over_baseline": row.baseline_speedup,
        "finished_at": row.finished_at.isoformat() if row.finished_at else None,
        "run": str(row.run_id),
    }


#: What makes a spreadsheet take a cell for a formula.
_FORMULA_STARTS = ("=", "+", "-", "@")


def as_csv(rows: Sequence[Row], work: Work) -> str:
    """RFC 4180 with a header line; empty cells for what a row does not have.

    A name that a spreadsheet would take for a formula comes after an apostrophe.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    for row in rows:
        cells = record(row, work)
        if row.name.startswith(_FORMULA_STARTS):
            cells["name"] = f"'{row.name}"
        writer.writerow(cells)
    return out.getvalue()


def as_json(board: Board, rows: Sequence[Row], work: Work, query: BoardQuery) -> dict[str, Any]:
    """The board's name and what its speed-ups are over, the filters, and the rows."""
    return {
        "problem": board.version.problem_id,
        "problem_version": board.version.digest,
        "device": board.device.name,
        "emulated": board.device.is_emulated,
        "time_label": board.device.time_label,
        "naive": board.naive,
        "baseline": board.baseline,
        "floor_ms": work.floor_ms,
        "filters": {"kind": query.kind, "name": query.name, "mine": query.mine},
        "rows": [record(row, work) for row in rows],
    }
