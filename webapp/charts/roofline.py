"""The roofline: what a device's measured peaks allow at each intensity, and where entries lie.

After Williams, Waterman and Patterson (2009): attainable rate = min(peak, intensity · bandwidth).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.charts.axes import side_axis, time_axis
from webapp.charts.marks import Role, diamond
from webapp.charts.scales import LogScale, log_domain, short
from webapp.charts.svg import NARROW, Svg, chart, element, line, number, shorten, text

_LEFT = 58.0
_RIGHT = 14.0
_TOP = 16.0
_HEIGHT = 260.0
#: Names closer than this would lie on each other.
_LINE = 13.0


@dataclass(frozen=True)
class Roof:
    """Measured ceilings: GFLOP/s of the problem's precision, and GB/s of memory."""

    gflop_per_s: float
    gbyte_per_s: float
    precision: str

    @property
    def ridge(self) -> float:
        """The intensity (FLOP/B) at which both ceilings meet."""
        return self.gflop_per_s / self.gbyte_per_s

    def attainable(self, intensity: float) -> float:
        """GFLOP/s at ``intensity`` FLOP/B."""
        return min(self.gflop_per_s, intensity * self.gbyte_per_s)


@dataclass(frozen=True)
class RooflinePoint:
    """An entry; only one with a role is named."""

    gflop_per_s: float
    name: str = ""
    role: Role | None = None


def roofline(
    ident: str,
    width: int,
    roof: Roof,
    intensity: float,
    points: Sequence[RooflinePoint],
    *,
    title: str,
) -> Svg:
    """``points`` at the problem's ``intensity`` (FLOP/B) under ``roof``; needs at least one."""
    bottom = _TOP + _HEIGHT
    across = LogScale(*log_domain([intensity, roof.ridge], 8.0), _LEFT, width - _RIGHT)
    top_rate = roof.gflop_per_s
    low, high = log_domain([top_rate, *(point.gflop_per_s for point in points)], 1.6)
    low = min(low, roof.attainable(across.low))
    up = LogScale(low, high, bottom, _TOP)
    x = across(intensity)
    parts: list[str] = [
        time_axis(across, bottom, _TOP, "intensity, FLOP/B (log scale)"),
        side_axis(up, _LEFT, across.end, up.ticks(6)),
        text(_LEFT - 6, _TOP - 5, "GFLOP/s", "chart-tick", "end"),
        element("path", d=_roof_path(roof, across, up), class_="chart-roof"),
        text(
            across.end,
            up(top_rate) - 6,
            f"{roof.precision}: {short(top_rate)} GFLOP/s",
            "chart-flag chart-roof-name",
            "end",
        ),
        text(
            _LEFT + 6,
            up(roof.attainable(across.low)) + 16,
            f"memory: {short(roof.gbyte_per_s)} GB/s",
            "chart-flag chart-roof-name",
        ),
        line(x, up(roof.attainable(intensity)), x, bottom, "chart-reading"),
    ]
    columns = {round(up(point.gflop_per_s)) for point in points if point.role is None}
    if columns:
        path = "".join(f"M{number(x - 6)} {number(y)}H{number(x + 6)}" for y in sorted(columns))
        parts.append(element("path", d=path, class_="chart-entry"))
    named = sorted((p for p in points if p.role), key=lambda point: -point.gflop_per_s)
    parts += _named(named, x, up, width)
    best = max(point.gflop_per_s for point in points)
    attainable = roof.attainable(intensity)
    description = (
        f"At {short(intensity)} FLOP/B the device can do {short(attainable)} GFLOP/s; the best of "
        f"{len(points)} entries does {short(best)}, {100 * best / attainable:.1f} % of it."
    )
    return chart(ident, width, bottom + 38, title, description, *parts)


def _roof_path(roof: Roof, across: LogScale, up: LogScale) -> str:
    start, end = across.low, across.high
    path = f"M{number(across(start))} {number(up(roof.attainable(start)))}"
    if start < roof.ridge < end:
        path += f"L{number(across(roof.ridge))} {number(up(roof.gflop_per_s))}"
    return path + f"L{number(across(end))} {number(up(roof.attainable(end)))}"


def _named(points: Sequence[RooflinePoint], x: float, up: LogScale, width: int) -> list[Svg]:
    """Shapes at their rates, names beside them, moved down where they would overlap."""
    parts = []
    at_right = x < width * 0.6
    last = -_LINE
    for point in points:
        y = up(point.gflop_per_s)
        role = (point.role or Role.REFERENCE).value
        shape = (
            diamond(x, y, 5, "chart-reference")
            if point.role is not Role.YOU
            else element("circle", cx=x, cy=y, r=5.5, class_="chart-you")
        )
        last = max(y + 4, last + _LINE)
        name = point.name.split("_")[0] if width <= NARROW else shorten(point.name, 26)
        side = 12 if at_right else -12
        anchor = "start" if at_right else "end"
        parts += [shape, text(x + side, last, name, f"chart-flag chart-{role}-name", anchor)]
    return parts
