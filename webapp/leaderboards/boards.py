"""A board as rows: entries ranked by ``judge.ranking``, then what is shown without a rank.

Plain values for pages and API alike; knows nothing of HTTP. Ranking 10,000 entries takes a tenth
of a second, so rows are kept in memory: by board and by the database's own word on when that last
changed, which no writer can forget to pass on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max

from judge.domain import Score, Verdict
from judge.ranking import RankedInput, rank, speedup
from webapp.leaderboards.memory import Memory
from webapp.leaderboards.models import Entry
from webapp.ops.models import Device
from webapp.problems.models import ProblemVersion
from webapp.submissions.models import LIBRARY, CompetitorKind, Run

#: The ladder's first step is the naive one: what speed-ups are over.
_NAIVE_PREFIX = "v01"
#: Rows kept in memory over all boards; about 500 bytes each.
_KEPT_ROWS = 100_000

#: Which board: primary keys of its ProblemVersion and Device.
BoardKey = tuple[int, str]
#: When a board last changed: entries it has, and when one was last written.
Stamp = tuple[int, datetime]


@dataclass(frozen=True, slots=True)
class Row:
    """One competitor. Times in ms; rank, percentile and speed-ups are None where there is none."""

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
    #: Over the naive reference.
    speedup: float | None
    #: Over the fastest baseline.
    baseline_speedup: float | None
    finished_at: datetime | None

    @property
    def score(self) -> Score | None:
        if self.median_ms is None or self.ci_low_ms is None or self.ci_high_ms is None:
            return None
        return Score(self.median_ms, self.ci_low_ms, self.ci_high_ms)

    @property
    def spread_pct(self) -> float | None:
        """Half the 95 % interval, in percent of the time."""
        score = self.score
        if score is None:
            return None
        return 50.0 * (score.ci_high_ms - score.ci_low_ms) / score.value_ms


@dataclass(frozen=True, slots=True)
class Ranking:
    """A board's entries in order of time, baselines among them; ``stamp`` is None without any."""

    stamp: Stamp | None
    rows: tuple[Row, ...]
    naive: str | None
    #: Name of the fastest baseline.
    baseline: str | None

    @property
    def competing(self) -> int:
        """How many have a rank."""
        return sum(row.rank is not None for row in self.rows)

    def of(self, owner_id: int | None) -> Row | None:
        """The row of a user."""
        if owner_id is None:
            return None
        return next((row for row in self.rows if row.owner_id == owner_id), None)


@dataclass(frozen=True)
class Board:
    version: ProblemVersion
    device: Device
    #: Name of the entry that speed-ups are over, or None on a board without references.
    naive: str | None
    #: Name of the fastest baseline, if there is one.
    baseline: str | None
    rows: tuple[Row, ...]
    #: Says when the entries last changed; None while there are none.
    stamp: Stamp | None


def read_board(version: ProblemVersion, device: Device) -> Board:
    """The board: ranked entries with baselines among them by time, then references without a time.

    A reference or library call whose latest Run was not accepted is listed last with its verdict,
    so that a step that this device cannot run is seen to be missing and why. Users are listed only
    when accepted.
    At most 3 queries.
    """
    key = (version.pk, device.pk)
    ranking = read_rankings([key])[key]
    rows = ranking.rows + tuple(_unplaced(version, device, ranking.rows))
    return Board(version, device, ranking.naive, ranking.baseline, rows, ranking.stamp)


def read_rankings(boards: Collection[BoardKey]) -> dict[BoardKey, Ranking]:
    """The rankings of several boards in at most 2 queries; an empty one for a board without
    entries.
    """
    stamps = _stamps(boards)
    found = {key: _kept.get(key, stamp) for key, stamp in stamps.items()}
    missing = [key for key, ranking in found.items() if ranking is None]
    fresh = _read({key: stamps[key] for key in missing}) if missing else {}
    for key, ranking in fresh.items():
        _kept.put(key, stamps[key], ranking)
    nobody = Ranking(None, (), None, None)
    return {key: fresh.get(key) or found.get(key) or nobody for key in boards}


_kept: Memory[BoardKey, Stamp, Ranking] = Memory(_KEPT_ROWS, lambda ranking: len(ranking.rows))


def _entries(boards: Collection[BoardKey]) -> tuple[set[int], set[str]]:
    return {version for version, _ in boards}, {device for _, device in boards}


def _stamps(boards: Collection[BoardKey]) -> dict[BoardKey, Stamp]:
    versions, devices = _entries(boards)
    rows = (
        Entry.objects.filter(version__in=versions, device__in=devices)
        .order_by()
        .values_list("version_id", "device_id")
        .annotate(Count("pk"), Max("changed_at"))
    )
    wanted = set(boards)
    return {
        (version, device): (count, changed_at)
        for version, device, count, changed_at in rows
        if (version, device) in wanted
    }


def _read(boards: Mapping[BoardKey, Stamp]) -> dict[BoardKey, Ranking]:
    versions, devices = _entries(boards)
    by_board: dict[BoardKey, list[_EntryRow]] = defaultdict(list)
    values = Entry.objects.filter(version__in=versions, device__in=devices).values_list(
        "version_id",
        "device_id",
        "pk",
        "kind",
        "competitor",
        "owner_id",
        "owner__username",
        "run_id",
        "run__finished_at",
        "score_ms",
        "ci_low_ms",
        "ci_high_ms",
    )
    # No model instances: building 10,000 of them takes longer than all the rest.
    for version, device, pk, kind, competitor, owner, username, run, finished, *score in values:
        if (version, device) in boards:
            entry = _EntryRow(
                pk, kind, competitor, owner, username or competitor, run, finished, Score(*score)
            )
            by_board[version, device].append(entry)
    return {key: _ranking(boards[key], entries) for key, entries in by_board.items()}


@dataclass(frozen=True, slots=True)
class _EntryRow:
    pk: int
    kind: str
    competitor: str
    owner_id: int | None
    name: str
    run_id: UUID
    finished_at: datetime | None
    score: Score


def _ranking(stamp: Stamp, entries: list[_EntryRow]) -> Ranking:
    competing = [entry for entry in entries if entry.kind != CompetitorKind.BASELINE]
    standings = {s.key: s for s in rank(RankedInput(e.pk, e.score) for e in competing)}
    naive = _naive(entries)
    baselines = [entry for entry in entries if entry.kind == CompetitorKind.BASELINE]
    baseline = min(baselines, key=lambda entry: entry.score.value_ms, default=None)
    rows = []
    for entry in sorted(entries, key=lambda entry: (entry.score.value_ms, entry.pk)):
        standing = standings.get(entry.pk)
        time_ms = entry.score.value_ms
        rows.append(
            Row(
                run_id=entry.run_id,
                owner_id=entry.owner_id,
                name=entry.name,
                kind=CompetitorKind(entry.kind),
                verdict=Verdict.AC,
                median_ms=time_ms,
                ci_low_ms=entry.score.ci_low_ms,
                ci_high_ms=entry.score.ci_high_ms,
                rank=standing.rank if standing else None,
                tied=standing.tied if standing else 0,
                percentile=standing.percentile if standing else None,
                speedup=speedup(time_ms, naive.score.value_ms) if naive else None,
                baseline_speedup=speedup(time_ms, baseline.score.value_ms) if baseline else None,
                finished_at=entry.finished_at,
            )
        )
    return Ranking(
        stamp, tuple(rows), naive.name if naive else None, baseline.name if baseline else None
    )


def _naive(entries: Iterable[_EntryRow]) -> _EntryRow | None:
    """The naive reference, or the slowest one where no step is called that."""
    references = [entry for entry in entries if entry.kind == CompetitorKind.REFERENCE]
    named = [entry for entry in references if entry.competitor.startswith(_NAIVE_PREFIX)]
    return max(named or references, key=lambda entry: entry.score.value_ms, default=None)


def _unplaced(version: ProblemVersion, device: Device, placed_rows: Iterable[Row]) -> list[Row]:
    """References and the library call where they have no time, by what their latest Run got."""
    placed = {_ladder_key(row.kind, row.name) for row in placed_rows}
    runs = (
        Run.objects.filter(
            submission__version=version,
            submission__kind__in=_LISTED_ANYWAY,
            device=device,
            verdict__isnull=False,
        )
        .exclude(verdict=Verdict.AC.value)
        .order_by("finished_at")
        .values_list("submission__kind", "submission__reference", "pk", "verdict", "finished_at")
    )
    latest = {
        key: (run_id, Verdict(verdict or ""), finished_at)
        for kind, reference, run_id, verdict, finished_at in runs
        if (key := _ladder_key(CompetitorKind(kind), reference)) not in placed
    }
    return [
        Row(
            run_id=run_id,
            owner_id=None,
            name=name,
            kind=kind,
            verdict=verdict,
            median_ms=None,
            ci_low_ms=None,
            ci_high_ms=None,
            rank=None,
            tied=0,
            percentile=None,
            speedup=None,
            baseline_speedup=None,
            finished_at=finished_at,
        )
        for (kind, name), (run_id, verdict, finished_at) in sorted(
            latest.items(), key=lambda item: (item[0][0] != CompetitorKind.REFERENCE, item[0][1])
        )
    ]


#: The kinds that a board lists even without a time.
_LISTED_ANYWAY = (CompetitorKind.REFERENCE, CompetitorKind.BASELINE)


def _ladder_key(kind: CompetitorKind, name: str) -> tuple[CompetitorKind, str]:
    """A board has one library call, whichever version of the library it was."""
    return kind, LIBRARY if kind is CompetitorKind.BASELINE else name
