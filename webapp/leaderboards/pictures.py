"""The pictures of a board, each with the table of the numbers it draws.

From rows to charts: knows boards and ``webapp.charts``, nothing of HTTP or templates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from judge.domain import LadderStep
from judge.ranking import RankedInput, rungs
from webapp import charts
from webapp.charts import Bin, Mark, Point, Role, Roof, RooflinePoint, Step, Svg
from webapp.charts.timeline import domain_of
from webapp.leaderboards.boards import Board, Row, Stamp
from webapp.leaderboards.memory import Memory
from webapp.leaderboards.rates import Work
from webapp.submissions.models import CompetitorKind

#: Percentiles whose times the distribution's table gives.
_QUANTILES = (100.0, 90.0, 75.0, 50.0, 25.0, 10.0, 0.0)


@dataclass(frozen=True)
class Place:
    """Where the reader is: the rung just beaten and the next one to beat, None past the ends."""

    row: Row
    beaten: Row | None
    following: Row | None

    @property
    def to_go(self) -> float | None:
        """How many times faster the next rung is."""
        if self.following is None or not self.following.median_ms or not self.row.median_ms:
            return None
        return self.row.median_ms / self.following.median_ms


@dataclass(frozen=True)
class Rung:
    """A row of the ladder's table. ``gain`` is over the step before, ``published`` elsewhere's."""

    row: Row
    gain: float | None
    published: LadderStep | None
    is_you: bool


@dataclass(frozen=True)
class Quantile:
    percentile: float
    time_ms: float


@dataclass(frozen=True)
class Roofline:
    """The roofline's picture and what its table says beside the board's own."""

    svg: Svg
    roof: Roof
    intensity: float
    attainable: float


@dataclass(frozen=True)
class Pictures:
    """Every picture of one board; None for one that there is nothing to draw of."""

    timeline: Svg
    distribution: Svg
    quantiles: tuple[Quantile, ...]
    histogram: Svg
    bins: tuple[Bin, ...]
    own_bin: Bin | None
    ladder: Svg | None
    rungs: tuple[Rung, ...]
    roofline: Roofline | None
    place: Place | None


_ROLES = {CompetitorKind.REFERENCE: Role.REFERENCE, CompetitorKind.BASELINE: Role.BASELINE}

#: A floor this many times below the fastest entry is told, not drawn: it would squeeze the rest.
_FARTHEST_FLOOR = 20.0

#: By board and reader; about 100 kB each.
_drawn: Memory[tuple[int, str, UUID | None], tuple[Stamp | None, Work], Pictures] = Memory(200)


def place_on(board: Board, own: Row | None) -> Place | None:
    """The reader between two rungs, or None for a reader who is not on the board."""
    score = own.score if own else None
    if own is None or score is None:
        return None
    steps = {row.name: row for row in _references(board)}
    around = rungs(
        score, [RankedInput(name, row.score) for name, row in steps.items() if row.score]
    )
    return Place(
        own,
        steps[around.beaten] if around.beaten else None,
        steps[around.following] if around.following else None,
    )


def pictures_of(
    board: Board, own: Row | None, work: Work, published: Sequence[LadderStep]
) -> Pictures | None:
    """What ``draw`` draws, kept as long as the board does not change."""
    key = (board.version.pk, board.device.pk, own.run_id if own else None)
    kept = _drawn.get(key, (board.stamp, work))
    if kept is None:
        kept = draw(board, own, work, published)
        if kept is not None:
            _drawn.put(key, (board.stamp, work), kept)
    return kept


def draw(
    board: Board, own: Row | None, work: Work, published: Sequence[LadderStep]
) -> Pictures | None:
    """The board's pictures; None while nobody has a time on it."""
    competing = [row for row in board.rows if row.rank is not None and row.median_ms]
    if not competing:
        return None
    title = _title(board)
    times = [row.median_ms for row in competing if row.median_ms]
    marks = _marks(board, own, work)
    domain = domain_of(times, marks)
    place = place_on(board, own)
    points = [
        Point(row.median_ms, row.percentile)
        for row in competing
        if row.median_ms and row.percentile is not None
    ]
    own_point = None
    if own is not None and own.median_ms and own.percentile is not None:
        own_point = Point(own.median_ms, own.percentile)
    bins = charts.log_bins(times, domain)
    own_time = own.median_ms if own else None
    plain = [mark for mark in marks if mark.role in (Role.YOU, Role.BASELINE)]
    steps = _rungs(board, own, published)
    return Pictures(
        timeline=charts.responsive(
            "timeline",
            line_of_time(board, own, work),
        ),
        distribution=charts.responsive(
            "distribution",
            lambda ident, width: charts.distribution(
                ident,
                width,
                points,
                marks,
                title=f"Percentile by time: {title}",
                across=charts.time_scale(width, times, marks),
                own=own_point,
            ),
        ),
        quantiles=_quantiles(points),
        histogram=charts.responsive(
            "histogram",
            lambda ident, width: charts.histogram(
                ident, width, bins, plain, title=f"Entries by time: {title}"
            ),
            charts.HALF,
        ),
        bins=tuple(bins),
        own_bin=next((b for b in bins if own_time and b.low <= own_time < b.high), None),
        ladder=_ladder(steps, title),
        rungs=steps,
        roofline=_roofline(competing, own, work, title),
        place=place,
    )


def line_of_time(
    board: Board, own: Row | None, work: Work | None = None
) -> Callable[[str, int], Svg]:
    """The picture that a board opens with, to be drawn at any width; it needs one entry."""
    times = [row.median_ms for row in board.rows if row.rank is not None and row.median_ms]
    marks = _marks(board, own, work)
    place = place_on(board, own)
    following = place.following.median_ms if place and place.following else None
    beaten = place.beaten.median_ms if place and place.beaten else None
    title = f"All entries: {_title(board)}"

    def picture(ident: str, width: int) -> Svg:
        return charts.timeline(ident, width, times, marks, title=title, between=(following, beaten))

    return picture


def _title(board: Board) -> str:
    label = f" ({board.device.time_label})" if board.device.time_label else ""
    return f"{board.version.title} on {board.device.name}{label}"


def _references(board: Board) -> list[Row]:
    return [r for r in board.rows if r.kind == CompetitorKind.REFERENCE and r.median_ms]


def _marks(board: Board, own: Row | None, work: Work | None) -> list[Mark]:
    marks = [
        Mark(row.median_ms, row.name, _ROLES[row.kind])
        for row in board.rows
        if row.median_ms and row.kind in _ROLES
    ]
    fastest = min((row.median_ms for row in board.rows if row.median_ms), default=0.0)
    if work is not None and work.floor_ms and work.floor_ms * _FARTHEST_FLOOR >= fastest:
        marks.append(Mark(work.floor_ms, "floor: measured peaks", Role.FLOOR))
    if own is not None and own.median_ms:
        marks.append(Mark(own.median_ms, "you", Role.YOU))
    return marks


def _quantiles(points: Sequence[Point]) -> tuple[Quantile, ...]:
    """The slowest time that still has each percentile; those that nobody reached are left out."""
    found = []
    for percentile in _QUANTILES:
        reached = [point.value for point in points if point.percentile >= percentile]
        if reached:
            found.append(Quantile(percentile, max(reached)))
    return tuple(found)


def _rungs(board: Board, own: Row | None, published: Sequence[LadderStep]) -> tuple[Rung, ...]:
    """References in the ladder's order with the gain over the step before; the reader by time;
    last the library call, which is no step.
    """
    elsewhere = {step.step: step for step in published}
    steps = sorted(_references(board), key=lambda row: row.name)
    rows: list[Rung] = []
    before: Row | None = None
    for row in steps:
        gain = None
        if before is not None and before.median_ms and row.median_ms:
            gain = before.median_ms / row.median_ms
        rows.append(Rung(row, gain, elsewhere.get(row.name), is_you=False))
        before = row
    if own is not None and own.median_ms and steps:
        # Just above the first step that is faster: there the next one to beat comes into sight.
        index = next(
            (i for i, rung in enumerate(rows) if (rung.row.median_ms or 0.0) < own.median_ms),
            len(rows),
        )
        rows.insert(index, Rung(own, None, None, is_you=True))
    if steps:
        rows += [
            Rung(row, None, None, is_you=False)
            for row in board.rows
            if row.kind == CompetitorKind.BASELINE and row.median_ms
        ]
    return tuple(rows)


def _ladder(steps: Sequence[Rung], title: str) -> Svg | None:
    drawn = [
        Step(
            "you" if rung.is_you else rung.row.name,
            score.value_ms,
            score.ci_low_ms,
            score.ci_high_ms,
            Role.YOU if rung.is_you else _ROLES[rung.row.kind],
        )
        for rung in steps
        if (score := rung.row.score)
    ]
    if not drawn:
        return None
    return charts.responsive(
        "ladder",
        lambda ident, width: charts.ladder(ident, width, drawn, title=f"The ladder: {title}"),
        charts.HALF,
    )


def _roofline(competing: Sequence[Row], own: Row | None, work: Work, title: str) -> Roofline | None:
    intensity, peaks = work.intensity, work.peaks
    if intensity is None or peaks is None or peaks.flops_per_s is None:
        return None
    roof = Roof(peaks.flops_per_s / 1e9, peaks.bytes_per_s / 1e9, peaks.precision)
    points = []
    for row in competing:
        rate = work.gflop_per_s(row.median_ms) if row.median_ms else None
        if rate is None:
            continue
        if own is not None and row.run_id == own.run_id:
            points.append(RooflinePoint(rate, "you", Role.YOU))
        elif row.kind == CompetitorKind.REFERENCE:
            points.append(RooflinePoint(rate, row.name, Role.REFERENCE))
        else:
            points.append(RooflinePoint(rate))
    svg = charts.responsive(
        "roofline",
        lambda ident, width: charts.roofline(
            ident, width, roof, intensity, points, title=f"Roofline: {title}"
        ),
        charts.HALF,
    )
    return Roofline(svg, roof, intensity, roof.attainable(intensity))
