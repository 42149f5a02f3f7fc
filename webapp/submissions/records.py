"""How far a user got with each problem: solved or tried."""

from __future__ import annotations

from django.db.models import F

from judge.domain import Verdict
from webapp.accounts.models import User
from webapp.submissions.models import CompetitorKind, Run

SOLVED = "solved"
TRIED = "tried"


def states_of(user: User) -> dict[str, str]:
    """By slug, for each problem that ``user`` submitted to: solved when a Run of its current
    version was accepted on any device, else tried. One query.
    """
    states: dict[str, str] = {}
    runs = (
        Run.objects.filter(
            submission__owner=user,
            submission__kind=CompetitorKind.USER,
            submission__version=F("submission__version__problem__current"),
        )
        .order_by()
        .values_list("submission__version__problem", "verdict")
        .distinct()
    )
    for slug, verdict in runs:
        if verdict == Verdict.AC or slug not in states:
            states[slug] = SOLVED if verdict == Verdict.AC else TRIED
    return states
