"""The stages of a Run with the time spent in each, by this site's clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from judge.domain import Status
from webapp.submissions.models import Run
from webapp.submissions.transitions import STAGES


class Reach(StrEnum):
    """Where a stage lies, seen from where the Run is."""

    PAST = "past"
    NOW = "now"
    AHEAD = "ahead"
    #: A Run that ended early never came here.
    MISSED = "missed"


@dataclass(frozen=True)
class StageSpan:
    """One stage; ``seconds`` is how long it took, or takes so far, None where nobody knows."""

    status: Status
    reach: Reach
    seconds: float | None

    @property
    def is_running(self) -> bool:
        return self.reach is Reach.NOW and self.seconds is not None


def stages_of(run: Run, now: datetime) -> list[StageSpan]:
    """All stages of the attempt under way, done included; ``seconds`` up to ``now``."""
    entered = _entered(run)
    end = run.finished_at or now
    furthest = max((STAGES.index(status) for status in entered), default=0)
    here = furthest if run.is_done else STAGES.index(Status(run.status))
    spans = []
    for place, status in enumerate(STAGES):
        later = [entered[other] for other in STAGES[place + 1 :] if other in entered]
        start = entered.get(status)
        seconds = None if start is None else (min([*later, end]) - start).total_seconds()
        spans.append(StageSpan(status, _reach(run, place, here), seconds))
    done = Reach.NOW if run.is_done else Reach.AHEAD
    return [*spans, StageSpan(Status.DONE, done, None)]


def _reach(run: Run, place: int, here: int) -> Reach:
    if run.is_done:
        return Reach.PAST if place <= here else Reach.MISSED
    if place == here:
        return Reach.NOW
    return Reach.PAST if place < here else Reach.AHEAD


def _entered(run: Run) -> dict[Status, datetime]:
    """When this site first heard that the Run was in each stage."""
    entered = {Status.QUEUED: run.queued_at}
    events = run.events.filter(attempt=run.attempt, type="stage").order_by("received_at")
    for status, received_at in events.values_list("payload__status", "received_at"):
        if status in STAGES[1:]:
            entered.setdefault(Status(status), received_at)
    return entered
