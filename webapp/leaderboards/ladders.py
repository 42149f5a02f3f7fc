"""A problem's ladder: the steps as published elsewhere beside the times measured here.

Published figures come from the package and are never mixed with ours: they have a column and a
chart of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

from judge.domain import LadderStep
from webapp.accounts.models import User
from webapp.leaderboards.models import Entry
from webapp.ops.models import Device
from webapp.problems.models import ProblemVersion
from webapp.submissions.models import CompetitorKind


@dataclass(frozen=True)
class LadderRow:
    """A competitor of the ladder. ``measured`` has an Entry, or None, for each of its devices."""

    name: str
    kind: CompetitorKind
    published: LadderStep | None
    measured: tuple[Entry | None, ...]


@dataclass(frozen=True)
class Ladder:
    """Steps in their order, then baselines, then the reader where there is an Entry."""

    devices: tuple[Device, ...]
    rows: tuple[LadderRow, ...]

    @property
    def has_published_times(self) -> bool:
        return any(row.published and row.published.published_ms for row in self.rows)


def read_ladder(
    version: ProblemVersion, steps: tuple[LadderStep, ...], reader: User | None
) -> Ladder:
    """The ladder of ``version``; ``steps`` are those of its definition. One query."""
    found = Entry.objects.filter(version=version).exclude(kind=CompetitorKind.USER)
    if reader is not None:
        found |= Entry.objects.filter(version=version, owner=reader)
    entries = list(found.select_related("device", "owner"))
    devices = tuple(sorted({entry.device for entry in entries}, key=_device_order))
    published = {step.step: step for step in steps}
    keys = {(CompetitorKind.REFERENCE, step.step): step.step for step in steps}
    keys |= {(CompetitorKind(entry.kind), entry.competitor): entry.name for entry in entries}
    rows = [
        LadderRow(
            name,
            kind,
            published.get(competitor) if kind is CompetitorKind.REFERENCE else None,
            tuple(_entry(entries, kind, competitor, device) for device in devices),
        )
        for (kind, competitor), name in keys.items()
    ]
    rows.sort(key=lambda row: (_KIND_ORDER[row.kind], row.name))
    return Ladder(devices, tuple(rows))


_KIND_ORDER = {
    CompetitorKind.REFERENCE: 0,
    CompetitorKind.BASELINE: 1,
    CompetitorKind.USER: 2,
}


def _device_order(device: Device) -> tuple[bool, str]:
    return device.is_emulated, device.name


def _entry(
    entries: list[Entry], kind: CompetitorKind, competitor: str, device: Device
) -> Entry | None:
    return next(
        (
            entry
            for entry in entries
            if (entry.kind, entry.competitor, entry.device) == (kind, competitor, device)
        ),
        None,
    )
