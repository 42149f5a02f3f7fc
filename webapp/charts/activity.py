"""How busy somebody was: one bar for each period, what was accepted filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.charts.axes import side_axis
from webapp.charts.scales import LinearScale, linear_ticks
from webapp.charts.svg import Svg, chart, element, line, number, text

_LEFT = 30.0
_TOP = 10.0
_HEIGHT = 70.0
#: Width in px that a period's name needs.
_NAME_ROOM = 52.0


@dataclass(frozen=True)
class Period:
    """A week, say: its name, how many runs, how many of them accepted."""

    name: str
    runs: int
    accepted: int


def activity(ident: str, width: int, periods: Sequence[Period], *, title: str) -> Svg:
    """Bars for ``periods``, oldest first; at least one."""
    bottom = _TOP + _HEIGHT
    highest = max(1, *(period.runs for period in periods))
    up = LinearScale(0.0, highest, bottom, _TOP)
    step = (width - _LEFT - 8) / len(periods)
    every = max(1, -int(-_NAME_ROOM // step))
    ticks = [tick for tick in linear_ticks(0.0, highest, 3) if tick == int(tick)]
    parts: list[str] = [
        side_axis(up, _LEFT, width - 8, ticks),
        line(_LEFT, bottom, width - 8, bottom, "chart-axis"),
    ]
    for class_, heights in (
        ("chart-bar", [period.runs for period in periods]),
        ("chart-bar chart-bar-own", [period.accepted for period in periods]),
    ):
        path = "".join(
            f"M{number(_LEFT + i * step + 1)} {number(bottom)}V{number(up(height))}"
            f"H{number(_LEFT + (i + 1) * step - 1)}V{number(bottom)}Z"
            for i, height in enumerate(heights)
            if height
        )
        if path:
            parts.append(element("path", d=path, class_=class_))
    parts += [
        text(_LEFT + i * step, bottom + 15, period.name, "chart-tick")
        for i, period in enumerate(periods)
        if i % every == 0 and _LEFT + i * step + _NAME_ROOM <= width
    ]
    runs = sum(period.runs for period in periods)
    accepted = sum(period.accepted for period in periods)
    description = (
        f"{runs} runs, {accepted} of them accepted, from {periods[0].name} to {periods[-1].name}."
    )
    return chart(ident, width, bottom + 22, title, description, *parts)
