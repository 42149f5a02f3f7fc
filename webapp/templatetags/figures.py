"""Numbers as pages print them: four significant digits, units said once in the column's head."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from judge.domain import Verdict

register = template.Library()

_SIGNIFICANT = 4
_LARGEST_PLAIN = 1e6
_SMALLEST_PLAIN = 1e-4

#: Marks beside the words, so that a verdict is told by shape as well as by colour.
_MARKS = {Verdict.AC: "✓", Verdict.JE: "!", Verdict.TNC: "?", Verdict.UNS: "–", Verdict.AB: "–"}


@register.filter
def figure(value: float | None) -> str:
    """``value`` with four significant digits; empty for None."""
    if value is None:
        return ""
    if not math.isfinite(value):
        return str(value)
    if value and not _SMALLEST_PLAIN <= abs(value) < _LARGEST_PLAIN:
        return f"{value:.{_SIGNIFICANT - 1}e}"
    decimals = 0 if not value else max(0, _SIGNIFICANT - 1 - math.floor(math.log10(abs(value))))
    return f"{value:.{decimals}f}"


@register.filter
def measured(value: object) -> str:
    """A figure out of a worker's message, where NaN and infinities are words."""
    try:
        return figure(float(str(value)))
    except ValueError:
        return ""


@register.filter
def elapsed(seconds: float | None) -> str:
    """A time spent waiting or judging: 1.2 s, 45 s, 3:07 min; empty for None."""
    if seconds is None:
        return ""
    if seconds < 10:
        return f"{max(seconds, 0.0):.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d} min"


@register.filter
def percentile(value: float | None) -> str:
    """A percentile with one decimal."""
    return "" if value is None else f"{value:.1f}"


@register.filter
def times(value: float | None) -> str:
    """A speed-up: 12.30×, or 0.0022× where two decimals would say nothing."""
    if value is None:
        return ""
    return f"{value:.2f}×" if value >= 0.1 else f"{value:.2g}×"


@register.filter
def sizes(value: Mapping[str, int]) -> str:
    """Sizes of a case or workload: M=64, N=32."""
    return ", ".join(f"{name}={size}" for name, size in value.items())


@register.filter
def moment(value: datetime | None) -> SafeString:
    """A point in time, machine-readable beside the text."""
    if value is None:
        return SafeString("")
    return format_html(
        '<time datetime="{}">{} UTC</time>', value.isoformat(), value.strftime("%Y-%m-%d %H:%M:%S")
    )


@register.filter
def verdict_mark(value: str | Verdict | None) -> SafeString:
    """A verdict as mark, code and words: ``✓ AC accepted``."""
    if not value:
        return SafeString("")
    verdict = Verdict(value)
    return format_html(
        '<span class="verdict verdict-{}"><span aria-hidden="true">{}</span> {} '
        '<span class="phrase">{}</span></span>',
        verdict.value.lower(),
        _MARKS.get(verdict, "✗"),
        verdict.value,
        verdict.phrase,
    )


@dataclass(frozen=True)
class Stage:
    """A stage of a Run as its page lists it; ``state`` is past, now or ahead."""

    name: str
    state: str


@register.filter
def stages(names: str, current: str) -> list[Stage]:
    """The stages named in ``names``, each told whether it is past, now or ahead of ``current``."""
    ordered = names.split()
    here = ordered.index(current)
    states = ["past"] * here + ["now"] + ["ahead"] * (len(ordered) - here - 1)
    return [Stage(name, state) for name, state in zip(ordered, states, strict=True)]
