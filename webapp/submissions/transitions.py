"""Moving a Run from one Status to another: the one place where a Run's status is written.

The allowed moves are ``judge.domain.ALLOWED_TRANSITIONS``. Each move is one UPDATE that names the
attempt and status it starts from, so that of two writers only one succeeds.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from judge.domain import ALLOWED_TRANSITIONS, Status
from webapp.submissions.models import Run

#: The stages of judging in order; a worker passes through them and never turns back.
STAGES = (Status.QUEUED, Status.COMPILING, Status.CHECKING, Status.TIMING)

if set(ALLOWED_TRANSITIONS) != set(Status) or any(
    after not in ALLOWED_TRANSITIONS[before] for before, after in pairwise(STAGES)
):
    raise AssertionError("ALLOWED_TRANSITIONS does not lead through the stages in order")


class ForbiddenTransition(ValueError):
    """Our own mistake: code asked for a move that no Run may make."""


def move(run: Run, target: Status, **values: Any) -> bool:
    """Moves ``run`` to ``target`` and sets ``values`` with it; False when somebody else was first.

    Raises ForbiddenTransition for a move that is not in the table.
    """
    status = Status(run.status)
    if target not in ALLOWED_TRANSITIONS[status]:
        raise ForbiddenTransition(f"{status} -> {target}")
    fields = {"status": target.value, **values}
    moved = Run.objects.filter(pk=run.pk, attempt=run.attempt, status=status.value).update(**fields)
    if moved:
        for name, value in fields.items():
            setattr(run, name, value)
    return bool(moved)


def advance(run: Run, stage: Status, **values: Any) -> bool:
    """Moves ``run`` forward to ``stage``, through the stages between; False when it is that far.

    A worker's stage events may arrive out of order: the one that is ahead implies the others.
    """
    ahead = STAGES[STAGES.index(Status(run.status)) + 1 : STAGES.index(stage) + 1]
    for status in ahead:
        if not move(run, status, **(values if status is stage else {})):
            return False
    return bool(ahead)
