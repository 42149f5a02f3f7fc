"""The samples of one Workload: a strip of dots for each runner process, in the order taken."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from webapp.charts.scales import LogScale, linear_ticks, short
from webapp.charts.svg import Svg, chart, element, group, line, number, text

_LEFT = 74.0
_RIGHT = 14.0
_TOP = 18.0
_STRIP = 34.0
_GAP = 8.0
#: Rows of dots within a strip: the first samples of a process are at its top.
_LANES = 7
_TICK_ROOM = 72.0
#: A range narrower than this share of its middle would show the clock's grain, not the kernel's.
_NARROWEST = 0.004


def samples(
    ident: str,
    width: int,
    processes: Sequence[Sequence[float]],
    *,
    title: str,
    median: float,
    interval: tuple[float, float],
) -> Svg:
    """Every sample in ms over a logarithmic time axis, one strip a process; none may be empty.

    Each strip's own median is a tick, ``median`` (of the medians) a line through all of them and
    its 95 % ``interval`` a band. Samples that fall on one dot are drawn once.
    """
    low, high = _domain([value for process in processes for value in process] + [*interval])
    across = LogScale(low, high, _LEFT, width - _RIGHT)
    bottom = _TOP + len(processes) * (_STRIP + _GAP)
    start, end = across(interval[0]), across(interval[1])
    parts: list[str] = [
        _axis(across, bottom),
        element(
            "rect",
            x=start,
            y=_TOP - 4,
            width=max(end - start, 1.0),
            height=bottom - _TOP + 4,
            class_="chart-band",
        ),
        line(across(median), _TOP - 4, across(median), bottom, "chart-median"),
    ]
    for index, process in enumerate(processes):
        parts.append(_strip(across, _TOP + index * (_STRIP + _GAP), index, process))
    count = sum(len(process) for process in processes)
    least, most = min(map(min, processes)), max(map(max, processes))
    description = (
        f"{count} samples of {len(processes)} processes from {_figure(least)} to "
        f"{_figure(most)} ms; median of the medians {_figure(median)} ms, 95 % "
        f"interval {_figure(interval[0])} to {_figure(interval[1])} ms."
    )
    return chart(ident, width, bottom + 38, title, description, *parts)


def _strip(across: LogScale, top: float, index: int, process: Sequence[float]) -> Svg:
    dots = {
        (round(across(value)), place * _LANES // len(process))
        for place, value in enumerate(process)
    }
    lane = (_STRIP - 8) / max(_LANES - 1, 1)
    path = "".join(f"M{x} {number(top + 4 + row * lane)}h0" for x, row in sorted(dots))
    middle = across(_median(process))
    return group(
        text(_LEFT - 8, top + _STRIP / 2 + 4, f"process {index + 1}", "chart-tick", "end"),
        element("path", d=path, class_="chart-samples"),
        line(middle, top, middle, top + _STRIP, "chart-own-median"),
        class_="chart-strip",
    )


def _axis(across: LogScale, y: float) -> Svg:
    """Ticks with as many digits as tell them apart; samples often differ by a percent or less."""
    room = max(3, int((across.end - across.start) / _TICK_ROOM))
    if across.high > 3 * across.low:
        ticks = [tick for tick in across.ticks(room) if tick >= across.low]
        labels = [short(tick) for tick in ticks]
    else:
        ticks = linear_ticks(across.low, across.high, room)
        if len(ticks) < 2:  # one number on an axis tells no scale
            ticks = linear_ticks(across.low, across.high, 2 * room)
        step = min((after - before for before, after in pairwise(ticks)), default=across.low)
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        labels = [f"{tick:.{decimals}f}" for tick in ticks]
    parts = []
    for tick, label in zip(ticks, labels, strict=True):
        x = across(tick)
        parts += [
            line(x, _TOP - 4, x, y, "chart-grid"),
            text(x, y + 15, label, "chart-tick", "middle"),
        ]
    parts += [
        line(across.start, y, across.end, y, "chart-axis"),
        text(
            (across.start + across.end) / 2, y + 31, "time, ms (log scale)", "chart-tick", "middle"
        ),
    ]
    return group(*parts, class_="chart-x")


def _domain(values: Sequence[float]) -> tuple[float, float]:
    """The range of ``values`` with a little to spare, never too narrow to draw."""
    low, high = min(values), max(values)
    spare = max(0.04 * (high / low - 1), (_NARROWEST - (high / low - 1)) / 2, 1e-6)
    return low / (1 + spare), high * (1 + spare)


def _median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _figure(value: float) -> str:
    return f"{value:.4g}"
