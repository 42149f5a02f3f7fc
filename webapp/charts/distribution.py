"""The cumulative distribution: the percentile of each time, the reader's read off the curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.charts.axes import side_axis, time_axis
from webapp.charts.marks import Mark, Role
from webapp.charts.scales import LinearScale, LogScale, short
from webapp.charts.svg import Svg, chart, element, line, number, text, text_width

_TOP = 14.0
_HEIGHT = 150.0
_QUARTERS = (0.0, 25.0, 50.0, 75.0, 100.0)


@dataclass(frozen=True)
class Point:
    """One entry: its time and the percentile it has."""

    value: float
    percentile: float


def distribution(
    ident: str,
    width: int,
    points: Sequence[Point],
    marks: Sequence[Mark],
    *,
    title: str,
    across: LogScale,
    own: Point | None = None,
) -> Svg:
    """Percentile over the times of ``across``, as steps through ``points`` (at least one).

    ``own`` is the reader's point: lines lead from the axis to the curve and to the percentile.
    Baselines among ``marks`` are drawn as dashed lines.
    """
    bottom = _TOP + _HEIGHT
    up = LinearScale(0.0, 100.0, bottom, _TOP)
    parts: list[str] = [
        time_axis(across, bottom, _TOP),
        side_axis(up, across.start, across.end, _QUARTERS),
        element("path", d=_curve(points, across, up), class_="chart-curve"),
    ]
    parts += [
        line(across(mark.value), _TOP, across(mark.value), bottom, "chart-baseline")
        for mark in marks
        if mark.role is Role.BASELINE
    ]
    description = (
        f"Percentile over time for {len(points)} entries, from {short(points[0].value)} ms at "
        f"percentile {points[0].percentile:.1f} to {short(points[-1].value)} ms at "
        f"percentile {points[-1].percentile:.1f}."
    )
    if own is not None:
        x, y = across(own.value), up(own.percentile)
        label = f"you: {own.percentile:.1f}"
        fits = x + 10 + text_width(label) < width
        parts += [
            line(x, bottom, x, y, "chart-reading"),
            line(x, y, across.start, y, "chart-reading"),
            element("circle", cx=x, cy=y, r=4.5, class_="chart-you"),
            text(
                x + 9 if fits else x - 9,
                max(y - 7, _TOP + 4),
                label,
                "chart-flag chart-you-name",
                "start" if fits else "end",
            ),
        ]
        description += f" You: {short(own.value)} ms, percentile {own.percentile:.1f}."
    return chart(ident, width, bottom + 38, title, description, *parts)


def _curve(points: Sequence[Point], across: LogScale, up: LinearScale) -> str:
    """Steps through the points; those that fall on one px are drawn as one stroke."""
    path = [f"M{number(across.start)} {number(up(points[0].percentile))}"]
    column = None
    for point in sorted(points, key=lambda point: (point.value, -point.percentile)):
        x = round(across(point.value))
        if x != column:
            path.append(f"H{number(x)}")
            column = x
            path.append("")
        path[-1] = f"V{number(up(point.percentile))}"
    path.append(f"H{number(across.end)}")
    return "".join(path)
