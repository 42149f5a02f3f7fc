"""How many values fall where: bars over a logarithmic axis, and the bar that one's own is in."""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass

from webapp.charts.axes import side_axis, time_axis
from webapp.charts.marks import Mark, Role, down_pointer
from webapp.charts.scales import LinearScale, LogScale, linear_ticks, log_domain, short
from webapp.charts.svg import Svg, chart, element, line, number, text, text_width

_LEFT = 40.0
_RIGHT = 12.0
_TOP = 34.0
_HEIGHT = 130.0
_MOST_BINS = 30
_FEWEST_BINS = 6


@dataclass(frozen=True)
class Bin:
    """``count`` values from ``low`` up to and without ``high`` (the last bin has its ``high``)."""

    low: float
    high: float
    count: int


def log_bins(values: Sequence[float], domain: tuple[float, float] | None = None) -> list[Bin]:
    """Bins of equal ratio over ``domain`` (the values' own range by default).

    Their number grows with the square root of how many values there are, from 6 to 30.
    """
    low, high = domain or log_domain(values)
    bins = min(_MOST_BINS, max(_FEWEST_BINS, math.ceil(math.sqrt(len(values)))))
    ratio = (high / low) ** (1 / bins)
    edges = [low * ratio**index for index in range(bins)] + [high]
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, max(0, bisect.bisect_right(edges, value) - 1))] += 1
    return [Bin(edges[i], edges[i + 1], counts[i]) for i in range(bins)]


def histogram(
    ident: str,
    width: int,
    bins: Sequence[Bin],
    marks: Sequence[Mark] = (),
    *,
    title: str,
    axis: str = "time, ms (log scale)",
    unit: str = "ms",
    own_label: str = "you are here",
) -> Svg:
    """Bars for ``bins`` (adjacent, at least one); marks that are YOU or BASELINE are pointed at."""
    bottom = _TOP + _HEIGHT
    across = LogScale(bins[0].low, bins[-1].high, _LEFT, width - _RIGHT)
    highest = max(1, *(bin_.count for bin_ in bins))
    up = LinearScale(0.0, highest * 1.05, bottom, _TOP)
    own = next((mark for mark in marks if mark.role is Role.YOU), None)
    ticks = [tick for tick in linear_ticks(0.0, highest, 5) if tick == int(tick)]
    parts: list[str] = [
        time_axis(across, bottom, _TOP, axis),
        side_axis(up, _LEFT, across.end, ticks),
    ]
    here = next((b for b in bins if own and b.low <= own.value < b.high), None)
    others = [bin_ for bin_ in bins if bin_.count and bin_ is not here]
    parts.append(_bars(others, across, up, "chart-bar"))
    if here is not None:
        parts.append(_bars([here], across, up, "chart-bar chart-bar-own"))
    for mark in marks:
        x = across(mark.value)
        if mark.role is Role.BASELINE:
            parts.append(line(x, _TOP - 8, x, bottom, "chart-baseline"))
    if own is not None:
        x = across(own.value)
        top = up(here.count) if here else bottom
        anchor = _anchor(x, own_label, width)
        parts += [
            down_pointer(x, top - 3, 5, "chart-you"),
            text(x, top - 17, own_label, "chart-flag chart-you-name", anchor),
        ]
    total = sum(bin_.count for bin_ in bins)
    fullest = max(bins, key=lambda bin_: bin_.count)
    description = (
        f"{total} values in {len(bins)} bins; the fullest holds {fullest.count}, "
        f"from {short(fullest.low)} to {short(fullest.high)} {unit}."
    )
    if own is not None:
        description += f" {own.name}: {short(own.value)} {unit}."
    return chart(ident, width, bottom + 38, title, description, *parts)


def _bars(bins: Sequence[Bin], across: LogScale, up: LinearScale, class_: str) -> Svg:
    base = up(0.0)
    path = "".join(
        f"M{number(across(b.low) + 0.5)} {number(base)}V{number(up(b.count))}"
        f"H{number(across(b.high) - 0.5)}V{number(base)}Z"
        for b in bins
    )
    return element("path", d=path, class_=class_) if path else Svg()


def _anchor(x: float, words: str, width: float) -> str:
    half = text_width(words) / 2
    if x - half < 0:
        return "start"
    return "end" if x + half > width else "middle"
