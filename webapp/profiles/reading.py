"""What a profile shows of a person: ranks, runs, activity, what they have solved.

Others see what boards show anyway, which is accepted Runs; oneself and staff see all. Plain values
in a fixed number of queries; knows nothing of HTTP.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import TruncWeek
from django.utils import timezone

from judge.domain import Verdict
from webapp.accounts.models import User
from webapp.charts import Period
from webapp.leaderboards.boards import Row, read_rankings
from webapp.leaderboards.models import Entry
from webapp.ops.models import Device
from webapp.problems.models import Problem
from webapp.submissions.models import CompetitorKind, Run
from webapp.submissions.visibility import Viewer

WEEKS = 26
#: Boards and runs listed.
MOST_PLACES = 50
MOST_RUNS = 20


@dataclass(frozen=True)
class Placed:
    """A person's place on one board of ``of`` ranked entries."""

    problem: str
    title: str
    device: Device
    digest: str
    is_current: bool
    row: Row
    of: int


@dataclass(frozen=True)
class Share:
    """How many of the problems of one kind somebody has solved."""

    name: str
    solved: int
    of: int


@dataclass(frozen=True)
class Profile:
    user: User
    #: The viewer sees all Runs, not only those that are public.
    sees_all: bool
    places: tuple[Placed, ...]
    #: Boards they are on in all; ``places`` lists at most ``MOST_PLACES`` of them.
    boards: int
    runs: tuple[Run, ...]
    weeks: tuple[Period, ...]
    difficulties: tuple[Share, ...]
    tags: tuple[Share, ...]
    solved: int
    problems: int


def read_profile(user: User, viewer: Viewer) -> Profile:
    """The profile of ``user`` as ``viewer`` may see it, in at most 8 queries."""
    sees_all = viewer.is_staff or viewer.pk == user.pk
    runs = Run.objects.filter(submission__owner=user)
    if not sees_all:
        runs = runs.filter(verdict=Verdict.AC.value)
    entries = (
        Entry.objects.filter(owner=user, kind=CompetitorKind.USER)
        .select_related("device")
        .order_by("-changed_at")
    )
    problems = _problems()
    solved = set(entries.order_by().values_list("version__problem", flat=True)) & set(problems)
    return Profile(
        user=user,
        sees_all=sees_all,
        places=_places(entries, problems),
        boards=entries.count(),
        runs=tuple(
            runs.select_related("submission__version", "submission__owner", "device").defer(
                "submission__source",
                "submission__version__archive",
                "submission__version__statement",
                "submission__version__starter",
                "submission__version__definition",
            )[:MOST_RUNS]
        ),
        weeks=_weeks(runs, timezone.now()),
        difficulties=_shares(
            {slug: [problem.difficulty] for slug, problem in problems.items()}, solved
        ),
        tags=_shares({slug: problem.tags for slug, problem in problems.items()}, solved),
        solved=len(solved),
        problems=len(problems),
    )


@dataclass(frozen=True)
class _Known:
    version_id: int
    difficulty: str
    tags: list[str]


def _problems() -> dict[str, _Known]:
    rows = Problem.objects.exclude(current=None).values_list(
        "slug", "current_id", "current__difficulty", "current__tags"
    )
    return {
        slug: _Known(version or 0, difficulty or "", tags or [])
        for slug, version, difficulty, tags in rows
    }


def _places(entries: QuerySet[Entry], problems: dict[str, _Known]) -> tuple[Placed, ...]:
    """Current boards first, there the best percentile first."""
    listed = list(
        entries.select_related("version").defer(
            "version__archive", "version__statement", "version__starter", "version__definition"
        )[:MOST_PLACES]
    )
    rankings = read_rankings({(e.version_id, e.device_id) for e in listed})
    places = []
    for entry in listed:
        ranking = rankings[entry.version_id, entry.device_id]
        row = ranking.of(entry.owner_id)
        if row is None:  # it went since the entries were read
            continue
        known = problems.get(entry.version.problem_id)
        places.append(
            Placed(
                problem=entry.version.problem_id,
                title=entry.version.title,
                device=entry.device,
                digest=entry.version.digest,
                is_current=known is not None and known.version_id == entry.version_id,
                row=row,
                of=ranking.competing,
            )
        )
    return tuple(
        sorted(places, key=lambda p: (not p.is_current, -(p.row.percentile or 0.0), p.title))
    )


def _weeks(runs: QuerySet[Run], now: datetime) -> tuple[Period, ...]:
    """The last ``WEEKS`` weeks (from Mondays, UTC), oldest first, empty ones too."""
    monday = (now - timedelta(days=now.weekday())).date()
    first = monday - timedelta(weeks=WEEKS - 1)
    since = datetime.combine(first, datetime.min.time(), tzinfo=now.tzinfo)
    counted = (
        runs.filter(created_at__gte=since)
        .order_by()
        .annotate(week=TruncWeek("created_at"))
        .values_list("week")
        .annotate(runs=Count("pk"), accepted=Count("pk", filter=Q(verdict=Verdict.AC.value)))
    )
    found = {week.date(): (count, accepted) for week, count, accepted in counted}
    weeks: list[date] = [first + timedelta(weeks=index) for index in range(WEEKS)]
    return tuple(
        Period(week.strftime("%d %b").lstrip("0"), *found.get(week, (0, 0))) for week in weeks
    )


def _shares(kinds: dict[str, list[str]], solved: Iterable[str]) -> tuple[Share, ...]:
    total = Counter(kind for names in kinds.values() for kind in names)
    done = Counter(kind for slug in solved for kind in kinds[slug])
    return tuple(Share(kind, done[kind], count) for kind, count in sorted(total.items()) if kind)
