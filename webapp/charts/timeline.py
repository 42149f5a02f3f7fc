"""The picture a board opens with: every entry on one line of time.

References are rungs with their names, baselines dashed lines, the physical floor a wall that no
time can pass, and the reader a marker between the rung just beaten and the next one to beat.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from webapp.charts.axes import (
    ROW,
    Flag,
    arrange,
    flags_above,
    flags_below,
    room_at_right,
    rows_of,
    time_axis,
)
from webapp.charts.marks import Mark, Role, diamond, pointer
from webapp.charts.scales import LogScale, log_domain, short
from webapp.charts.svg import NARROW, Svg, chart, element, line, number, shorten

#: Room at the left as other charts need it for their numbers, so that all line up.
_LEFT = 40.0
_RIGHT = 12.0
#: Entries whose ticks would lie closer than this share one, which is taller.
_COLUMN = 2.0
_TICK = 7.0
_TALLEST = 22.0
_LONGEST_NAME = 26


def domain_of(times_ms: Sequence[float], marks: Sequence[Mark]) -> tuple[float, float]:
    """The range of times that a board's charts share, so that they line up under each other."""
    return log_domain([*times_ms, *(mark.value for mark in marks)])


def time_scale(width: int, times_ms: Sequence[float], marks: Sequence[Mark]) -> LogScale:
    """The axis that ``timeline`` draws, for charts that are to line up under it."""
    return _layout(width, times_ms, marks)[0]


def _layout(
    width: int, times_ms: Sequence[float], marks: Sequence[Mark]
) -> tuple[LogScale, list[Flag], list[Flag]]:
    """The axis, and the flags above and below it."""
    low, high = domain_of(times_ms, marks)
    end = width - _RIGHT
    # Names fly to the right of their poles: the axis ends where the last of them has room.
    for _ in range(3):
        scale = LogScale(low, high, _LEFT, end)
        flags = [(mark.role, _flag(mark, scale, width)) for mark in marks]
        above = arrange([flag for role, flag in flags if role is Role.REFERENCE])
        below = arrange([flag for role, flag in flags if role is not Role.REFERENCE])
        end = room_at_right(end, width, [*above, *below])
    return scale, above, below


def timeline(
    ident: str,
    width: int,
    times_ms: Sequence[float],
    marks: Sequence[Mark],
    *,
    title: str,
    between: tuple[float | None, float | None] = (None, None),
) -> Svg:
    """``times_ms`` of all who compete and named ``marks`` on a logarithmic axis of time.

    ``between`` is the stretch from the next rung to the rung just beaten (ms), None where the
    ladder ends; it is drawn when the reader is among the marks. Needs at least one time or mark.
    """
    scale, above, below = _layout(width, times_ms, marks)
    y = 30 + rows_of(above) * ROW + _TALLEST / 2
    bottom = y + 36 + max(1, rows_of(below)) * ROW
    parts: list[str] = [time_axis(scale, bottom, 8)]
    parts += [_wall(scale(mark.value), 8, bottom) for mark in marks if mark.role is Role.FLOOR]
    parts += [
        line(scale(mark.value), 8, scale(mark.value), bottom, "chart-baseline")
        for mark in marks
        if mark.role is Role.BASELINE
    ]
    parts.append(line(scale.start, y, scale.end, y, "chart-spine"))
    own = next((mark for mark in marks if mark.role is Role.YOU), None)
    if own is not None:
        following, beaten = between
        from_x = scale(following) if following else scale.start
        to_x = scale(beaten) if beaten else scale.end
        parts.append(line(from_x, y, to_x, y, "chart-stretch"))
    parts += [_ticks(times_ms, scale, y), flags_above(above, y), flags_below(below, y)]
    parts += [
        diamond(scale(mark.value), y, 5, "chart-reference")
        for mark in marks
        if mark.role is Role.REFERENCE
    ]
    if own is not None:
        parts.append(pointer(scale(own.value), y, 7, "chart-you"))
    description = describe(times_ms, marks)
    return chart(ident, width, bottom + 38, title, description, *parts)


def describe(times_ms: Sequence[float], marks: Sequence[Mark]) -> str:
    """The picture in a sentence or two."""
    words = []
    if times_ms:
        words.append(
            f"{len(times_ms)} entries from {short(min(times_ms))} to {short(max(times_ms))} ms."
        )
    words += [
        f"{mark.name}: {short(mark.value)} ms." for mark in sorted(marks, key=lambda m: m.value)
    ]
    return " ".join(words)


def _flag(mark: Mark, scale: LogScale, width: int) -> Flag:
    # On a phone there is room for the step's number; the table has the whole name.
    narrow = width <= NARROW and mark.role is Role.REFERENCE
    name = mark.name.split("_")[0] if narrow else mark.name
    return Flag(scale(mark.value), shorten(name, _LONGEST_NAME), f"chart-{mark.role.value}-name")


def _ticks(times_ms: Sequence[float], scale: LogScale, y: float) -> Svg:
    """One stroke for each column that holds entries, taller where there are many."""
    columns = Counter(round(scale(value) / _COLUMN) for value in times_ms)
    strokes = []
    for column, count in sorted(columns.items()):
        half = min(_TALLEST, _TICK + 3 * math.log2(count)) / 2 + 2
        strokes.append(f"M{number(column * _COLUMN)} {number(y - half)}V{number(y + half)}")
    return element("path", d="".join(strokes), class_="chart-entry") if strokes else Svg()


def _wall(x: float, top: float, bottom: float) -> Svg:
    """A hatched region left of ``x``: times that the device cannot reach."""
    hatches = []
    step = 7.0
    left = max(0.0, x - 3 * step)
    y = top + step
    while y <= bottom:
        hatches.append(f"M{number(x)} {number(y - step)}L{number(left)} {number(y)}")
        y += step
    return element(
        "path",
        d="".join(hatches) + f"M{number(x)} {number(top)}V{number(bottom)}",
        class_="chart-wall",
    )
