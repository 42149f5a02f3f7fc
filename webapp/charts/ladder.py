"""The ladder: one row for each step, its time on a logarithmic axis, the reader between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.charts.axes import time_axis
from webapp.charts.marks import Role, diamond
from webapp.charts.scales import LogScale, log_domain, short
from webapp.charts.svg import (
    NARROW,
    Svg,
    chart,
    element,
    group,
    line,
    shorten,
    text,
    text_width,
)

_ROW = 22.0
_TOP = 8.0
_NAME_ROOM = 190.0
_NARROW_NAME_ROOM = 96.0
_VALUE_ROOM = 78.0


@dataclass(frozen=True)
class Step:
    """A row: a time in ms with its interval. ``role`` is REFERENCE, BASELINE or YOU."""

    name: str
    value: float
    low: float
    high: float
    role: Role = Role.REFERENCE


def ladder(ident: str, width: int, steps: Sequence[Step], *, title: str) -> Svg:
    """``steps`` from top to bottom as given (slowest first climbs down to the fastest)."""
    room = _NARROW_NAME_ROOM if width <= NARROW else _NAME_ROOM
    # The value is printed beside its mark, so the axis leaves room for it at the right.
    bottom = _TOP + _ROW * len(steps) + 4
    domain = log_domain([end for step in steps for end in (step.low, step.high)])
    across = LogScale(*domain, room, width - _VALUE_ROOM)
    longest = int((room - 10) / text_width("x"))
    rows = [_row(step, _TOP + _ROW * (i + 0.5), across, longest) for i, step in enumerate(steps)]
    description = "; ".join(f"{step.name}: {short(step.value)} ms" for step in steps) + "."
    return chart(
        ident, width, bottom + 38, title, description, time_axis(across, bottom, _TOP), *rows
    )


def _row(step: Step, y: float, across: LogScale, longest: int) -> Svg:
    x = across(step.value)
    role = step.role.value
    parts = [
        text(
            across.start - 8,
            y + 4,
            shorten(step.name, longest),
            f"chart-flag chart-{role}-name",
            "end",
        ),
        line(across.start, y, x, y, f"chart-stem chart-{role}-stem"),
        line(across(step.low), y, across(step.high), y, "chart-interval"),
    ]
    if step.role is Role.YOU:
        parts.append(element("circle", cx=x, cy=y, r=5.5, class_="chart-you"))
    elif step.role is Role.BASELINE:
        parts.append(line(x, y - 8, x, y + 8, "chart-baseline"))
    else:
        parts.append(diamond(x, y, 5, "chart-reference"))
    parts.append(text(across(step.high) + 9, y + 4, f"{short(step.value)} ms", "chart-tick"))
    return group(*parts, class_="chart-row")
