"""What board, profile and home pages print: rates of a row, ages, shares."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from webapp.leaderboards.queries import BoardQuery
from webapp.leaderboards.rates import Work

register = template.Library()


@register.filter
def gflops(time_ms: float | None, work: Work) -> float | None:
    """GFLOP/s of a time."""
    return work.gflop_per_s(time_ms) if time_ms else None


@register.filter
def gbytes(time_ms: float | None, work: Work) -> float | None:
    """GB/s of a time."""
    return work.gbyte_per_s(time_ms) if time_ms else None


@register.filter
def of_peak(time_ms: float | None, work: Work) -> float | None:
    """Percent of the measured peaks."""
    return work.percent_of_peak(time_ms) if time_ms else None


@register.filter
def age(value: datetime | None) -> SafeString:
    """A day; a script of the site makes it "3 hours ago" in the reader's zone."""
    if value is None:
        return SafeString("")
    return format_html(
        '<time datetime="{}" data-age>{}</time>', value.isoformat(), value.strftime("%Y-%m-%d")
    )


@register.simple_tag
def board_url(query: BoardQuery, **changes: object) -> str:
    """The query string of a view of the board with ``changes``."""
    return query.url(**changes)
