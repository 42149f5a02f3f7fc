"""PTX or SASS as numbered lines that can be searched."""

from __future__ import annotations

from dataclasses import dataclass

from django.shortcuts import get_object_or_404

from webapp.submissions.models import DeviceCode, Run

#: Lines a page shows; a search looks through all that is kept.
MAX_SHOWN_LINES = 3000

KINDS = {"ptx": "PTX", "sass": "SASS"}


@dataclass(frozen=True)
class CodeLine:
    number: int
    text: str


@dataclass(frozen=True)
class Found:
    """The lines that hold ``query`` (all of them for an empty one), and how many there are."""

    lines: list[CodeLine]
    matching: int
    total: int


def search(text: str, query: str) -> Found:
    """Look for ``query`` in each line, whatever the case of its letters."""
    lines = text.removesuffix("\n").split("\n")
    wanted = query.casefold()
    matching = [
        CodeLine(number, line) for number, line in enumerate(lines, 1) if wanted in line.casefold()
    ]
    return Found(matching[:MAX_SHOWN_LINES], len(matching), len(lines))


def code_of(run: Run, kind: str) -> DeviceCode:
    """Raises Http404 when the compiler left none of this kind."""
    return get_object_or_404(DeviceCode, run=run, kind=kind)


def kinds_of(run: Run) -> list[tuple[str, str]]:
    """The kinds there are of ``run``: key and name."""
    kept = DeviceCode.objects.filter(run=run).order_by("kind").values_list("kind", flat=True)
    return [(kind, KINDS[kind]) for kind in kept if kind in KINDS]
