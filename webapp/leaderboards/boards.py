"""A board as rows: entries ranked by ``judge.ranking``, then what is shown without a rank.

Plain values for pages and API alike; knows nothing of HTTP.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from judge.domain import Verdict
from judge.ranking import RankedInput, rank, speedup
from webapp.leaderboards.models import Entry
from webapp.ops.models import Device
from webapp.problems.models import ProblemVersion
from webapp.submissions.models import CompetitorKind, Run

#: The ladder's first step is the naive one: what speed-ups are over.
_NAIVE_PREFIX = "v01"


@dataclass(frozen=True)
class Row:
    """One competitor. Times in ms; rank, percentile and speed-up are None where there is none."""

    run_id: UUID
    owner_id: int | None
    name: str
    kind: CompetitorKind
    verdict: Verdict
    median_ms: float | None
    ci_low_ms: float | None
    ci_high_ms: float | None
    rank: int | None
    tied: int
    percentile: float | None
    speedup: float | None


@dataclass(frozen=True)
class Board:
    version: ProblemVersion
    device: Device
    #: Name of the entry that speed-ups are over, or None on a board without references.
    naive: str | None
    rows: tuple[Row, ...]


def read_board(version: ProblemVersion, device: Device) -> Board:
    """The board: ranked entries with baselines among them by time, then references without a time.

    A reference whose latest Run was not accepted is listed last with its verdict, so that a step
    that this device cannot run is seen to be missing and why. Users are listed only when accepted.
    """
    entries = {
        entry.pk: entry
        for entry in Entry.objects.filter(version=version, device=device).select_related("owner")
    }
    competing = [entry for entry in entries.values() if entry.kind != CompetitorKind.BASELINE]
    standings = {s.key: s for s in rank(RankedInput(e.pk, e.score) for e in competing)}
    naive = _naive(list(entries.values()))
    rows = []
    for entry in sorted(entries.values(), key=lambda entry: (entry.score_ms, entry.pk)):
        standing = standings.get(entry.pk)
        rows.append(
            Row(
                run_id=entry.run_id,
                owner_id=entry.owner_id,
                name=entry.name,
                kind=CompetitorKind(entry.kind),
                verdict=Verdict.AC,
                median_ms=entry.score_ms,
                ci_low_ms=entry.ci_low_ms,
                ci_high_ms=entry.ci_high_ms,
                rank=standing.rank if standing else None,
                tied=standing.tied if standing else 0,
                percentile=standing.percentile if standing else None,
                speedup=speedup(entry.score_ms, naive.score_ms) if naive else None,
            )
        )
    rows += _unplaced_references(version, device, entries)
    return Board(version, device, naive.name if naive else None, tuple(rows))


def _naive(entries: list[Entry]) -> Entry | None:
    """The naive reference, or the slowest one where no step is called that."""
    references = [entry for entry in entries if entry.kind == CompetitorKind.REFERENCE]
    named = [entry for entry in references if entry.competitor.startswith(_NAIVE_PREFIX)]
    return max(named or references, key=lambda entry: entry.score_ms, default=None)


def _unplaced_references(
    version: ProblemVersion, device: Device, entries: dict[int, Entry]
) -> list[Row]:
    placed = {e.competitor for e in entries.values() if e.kind == CompetitorKind.REFERENCE}
    runs = (
        Run.objects.filter(
            submission__version=version,
            submission__kind=CompetitorKind.REFERENCE,
            device=device,
            verdict__isnull=False,
        )
        .exclude(verdict=Verdict.AC.value)
        .exclude(submission__reference__in=placed)
        .order_by("finished_at")
        .values_list("submission__reference", "pk", "verdict")
    )
    latest = {reference: (run_id, Verdict(verdict or "")) for reference, run_id, verdict in runs}
    return [
        Row(
            run_id=run_id,
            owner_id=None,
            name=reference,
            kind=CompetitorKind.REFERENCE,
            verdict=verdict,
            median_ms=None,
            ci_low_ms=None,
            ci_high_ms=None,
            rank=None,
            tied=0,
            percentile=None,
            speedup=None,
        )
        for reference, (run_id, verdict) in sorted(latest.items())
    ]
