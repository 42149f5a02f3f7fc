"""Axes: ticks, grid lines, and flags, which are labels on poles that never cross each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.charts.scales import LinearScale, LogScale, short
from webapp.charts.svg import Svg, group, line, text, text_width

ROW = 15.0
_GAP = 8.0
#: Width in px that one tick of a horizontal axis needs for its number.
_TICK_ROOM = 64.0


def time_axis(scale: LogScale, y: float, top: float, label: str = "time, ms (log scale)") -> Svg:
    """A horizontal axis at ``y`` with grid lines up to ``top``; ``label`` stands below its ticks.

    Takes 36 px below ``y``.
    """
    room = max(3, int((scale.end - scale.start) / _TICK_ROOM))
    parts = []
    for tick in scale.ticks(room):
        x = scale(tick)
        parts += [
            line(x, top, x, y, "chart-grid"),
            text(x, y + 15, short(tick), "chart-tick", "middle"),
        ]
    parts += [
        line(scale.start, y, scale.end, y, "chart-axis"),
        text((scale.start + scale.end) / 2, y + 31, label, "chart-tick", "middle"),
    ]
    return group(*parts, class_="chart-x")


def side_axis(
    scale: LinearScale | LogScale, x: float, right: float, ticks: Sequence[float], unit: str = ""
) -> Svg:
    """Numbers at the left of ``x`` with grid lines to ``right``."""
    parts = []
    for tick in ticks:
        y = scale(tick)
        parts += [
            line(x, y, right, y, "chart-grid"),
            text(x - 6, y + 4, f"{short(tick)}{unit}", "chart-tick", "end"),
        ]
    return group(*parts, class_="chart-y")


@dataclass(frozen=True)
class Flag:
    """A label that flies from a pole at ``x``; ``row`` 0 is nearest to the line."""

    x: float
    words: str
    class_: str
    row: int = 0

    @property
    def end(self) -> float:
        return self.x + 4 + text_width(self.words)


def arrange(flags: Sequence[Flag]) -> list[Flag]:
    """Gives each flag the lowest row in which it covers no other flag and no other's pole.

    A flag flies to the right; whatever stands under it must be lower. So from right to left, each
    goes one row above the highest that stands within its width.
    """
    placed: list[Flag] = []
    for flag in sorted(flags, key=lambda flag: -flag.x):
        under = [other.row for other in placed if other.x < flag.end + _GAP]
        placed.append(Flag(flag.x, flag.words, flag.class_, max(under, default=-1) + 1))
    return placed


def rows_of(flags: Sequence[Flag]) -> int:
    """How many rows arranged flags take."""
    return max((flag.row for flag in flags), default=-1) + 1


def flags_above(flags: Sequence[Flag], y: float) -> Svg:
    """Arranged flags on poles that start at ``y`` and rise; 6 px are left free over the line."""
    parts = []
    for flag in flags:
        top = y - 18 - flag.row * ROW
        parts += [
            line(flag.x, y, flag.x, top - 9, f"chart-pole {flag.class_}"),
            text(flag.x + 4, top, flag.words, f"chart-flag {flag.class_}"),
        ]
    return group(*parts, class_="chart-flags")


def flags_below(flags: Sequence[Flag], y: float) -> Svg:
    """Arranged flags on poles that start at ``y`` and hang."""
    parts = []
    for flag in flags:
        base = y + 28 + flag.row * ROW
        parts += [
            line(flag.x, y, flag.x, base, f"chart-pole {flag.class_}"),
            text(flag.x + 4, base, flag.words, f"chart-flag {flag.class_}"),
        ]
    return group(*parts, class_="chart-flags")


def room_at_right(scale_end: float, width: float, flags: Sequence[Flag]) -> float:
    """The ``end`` a scale needs so that no flag leaves a chart ``width`` wide."""
    overflow = max((flag.end for flag in flags), default=0.0) - (width - 2)
    return scale_end - max(0.0, overflow)
