"""The ladder as charts: published figures apart from measured ones, each device by itself.

Times of different devices, or of other people's stop-watches, do not share an axis.
"""

from __future__ import annotations

from dataclasses import dataclass

from webapp.charts import Role, Step, Svg, ladder, responsive
from webapp.leaderboards.ladders import Ladder
from webapp.leaderboards.models import Entry
from webapp.submissions.models import CompetitorKind

_ROLES = {
    CompetitorKind.REFERENCE: Role.REFERENCE,
    CompetitorKind.BASELINE: Role.BASELINE,
    CompetitorKind.USER: Role.YOU,
}


@dataclass(frozen=True)
class Figure:
    """A chart with its caption; ``label`` is what must stand beside its times, if anything."""

    caption: str
    label: str
    svg: Svg


def ladder_figures(shown: Ladder) -> list[Figure]:
    """A figure for each device with times, GPUs first, and one for each published device."""
    figures = []
    for index, device in enumerate(shown.devices):
        steps = [
            _measured(row.name, entry)
            for row in shown.rows
            if (entry := row.measured[index]) is not None
        ]
        figures.append(
            _figure(
                f"ladder-{device.name}", f"Measured here on {device.name}", device.time_label, steps
            )
        )
    for number, origin in enumerate(_origins(shown)):
        steps = [
            Step(row.name, time, time, time)
            for row in shown.rows
            if row.published
            and row.published.published_device == origin
            and (time := row.published.published_ms)
        ]
        caption = f"As published, on {origin or 'an unnamed GPU'}"
        figures.append(_figure(f"published-{number}", caption, "not measured here", steps))
    return figures


def _measured(name: str, entry: Entry) -> Step:
    role = _ROLES[CompetitorKind(entry.kind)]
    shown = "you" if role is Role.YOU else name
    return Step(shown, entry.score_ms, entry.ci_low_ms, entry.ci_high_ms, role)


def _origins(shown: Ladder) -> list[str]:
    return list(
        dict.fromkeys(
            row.published.published_device
            for row in shown.rows
            if row.published and row.published.published_ms
        )
    )


def _figure(ident: str, caption: str, label: str, steps: list[Step]) -> Figure:
    ordered = sorted(steps, key=lambda step: -step.value)
    title = f"{caption} ({label})" if label else caption
    return Figure(
        caption,
        label,
        responsive(ident, lambda part, width: ladder(part, width, ordered, title=title)),
    )
