"""How much one user may submit: so many to one problem an hour, so many unfinished at once.

A sliding window over what the database holds: nothing to reset, nothing to lose in a restart. Who
may submit references is not limited; that is the caller's to know.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from judge.domain import Status
from webapp.accounts.models import User
from webapp.submissions.models import Run, Submission

WINDOW = timedelta(hours=1)


@dataclass(frozen=True)
class Allowance:
    """What is left of one user's hour for one problem. ``reset_s``: until one more is free."""

    limit: int
    used: int
    reset_s: int

    @property
    def remaining(self) -> int:
        return max(self.limit - self.used, 0)

    @property
    def headers(self) -> dict[str, str]:
        """As HTTP tells programs, so that they need not run into the limit to learn of it."""
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset_s),
        }


def allowance(owner: User, problem: str, now: datetime) -> Allowance:
    """How many more submissions to ``problem`` the hour before ``now`` leaves ``owner``."""
    limit = settings.WARPBOARD_SUBMISSIONS_AN_HOUR
    recent = (
        Submission.objects.filter(
            owner=owner, version__problem=problem, created_at__gt=now - WINDOW
        )
        .order_by("-created_at")
        .values_list("created_at", flat=True)
    )
    # The oldest of the last ``limit`` is the one whose leaving makes room.
    counted = list(recent[:limit])
    reset = counted[-1] + WINDOW - now if counted else timedelta()
    return Allowance(limit, len(counted), math.ceil(reset.total_seconds()))


def unfinished_runs(owner: User) -> int:
    """Runs of ``owner`` that wait or are being judged."""
    runs = Run.objects.filter(submission__owner=owner)
    return runs.exclude(status=Status.DONE.value).count()


def in_words(seconds: int) -> str:
    """``12 min 5 s``: a span rather than a time of day, which would need the reader's zone."""
    minutes, rest = divmod(seconds, 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
