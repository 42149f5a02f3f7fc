"""What a board lists: each competitor's best valid Run."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from judge.domain import Score
from webapp.ops.models import Device
from webapp.problems.models import ProblemVersion
from webapp.submissions.models import CompetitorKind, Run


class Entry(models.Model):
    """One competitor on the board of one ProblemVersion × Device.

    ``competitor`` is unique within its kind: a user's primary key, a reference's step, or the
    library and its version.
    """

    version = models.ForeignKey(ProblemVersion, on_delete=models.CASCADE, related_name="entries")
    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="entries")
    kind = models.CharField(max_length=16, choices=CompetitorKind.choices)
    competitor = models.CharField(max_length=64)
    #: None for references and baselines.
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="entries"
    )
    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="entry")
    score_ms = models.FloatField()
    ci_low_ms = models.FloatField()
    ci_high_ms = models.FloatField()
    #: By the latest of them, boards know that they changed (``boards``).
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar = ["score_ms", "pk"]
        verbose_name_plural = "entries"
        indexes: ClassVar = [models.Index(fields=["version", "device", "changed_at"])]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["version", "device", "kind", "competitor"],
                name="one_entry_for_each_competitor",
            ),
            models.UniqueConstraint(
                fields=["version", "device"],
                condition=models.Q(kind="baseline"),
                name="one_baseline_for_each_board",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} on {self.version_id}/{self.device_id}"

    @property
    def name(self) -> str:
        return self.owner.get_username() if self.owner else self.competitor

    @property
    def score(self) -> Score:
        return Score(self.score_ms, self.ci_low_ms, self.ci_high_ms)
