"""Boards follow verdicts."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from judge.domain import Verdict
from webapp.leaderboards.entries import refresh_entry
from webapp.submissions.models import Run
from webapp.submissions.signals import run_finished


@receiver(run_finished, sender=Run)
def enter_board(sender: type[Run], run: Run, **kwargs: Any) -> None:
    if run.verdict == Verdict.AC:
        refresh_entry(run)
