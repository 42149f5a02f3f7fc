"""Submissions, their Runs, and what the judge said about each.

Rows only: what may change them, and when, is in ``events``, ``dispatch``, ``reaper`` and
``services``.
"""

from __future__ import annotations

import re
import secrets
import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from judge.domain import Score, Status, TimeBasis, Verdict
from webapp.ops.models import Device
from webapp.problems.models import ProblemVersion

_STATUSES = [(s.value, s.value) for s in Status]
_VERDICTS = [(v.value, v.phrase) for v in Verdict]


#: The library whose calls baselines are.
LIBRARY = "torch"


class CompetitorKind(models.TextChoices):
    """As whom a time competes on a board."""

    USER = "user", "user"
    REFERENCE = "reference", "reference"
    BASELINE = "baseline", "library call"


class Submission(models.Model):
    """One user's source for one problem. Never changes once made, but for who may read it.

    A baseline is nobody's: its source is what the problem's package says is called (``baselines``).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="submissions"
    )
    version = models.ForeignKey(
        ProblemVersion, on_delete=models.PROTECT, related_name="submissions"
    )
    source = models.TextField()
    kind = models.CharField(
        max_length=16, choices=CompetitorKind.choices, default=CompetitorKind.USER
    )
    #: The step of the ladder that a reference is, such as ``v01_naive``; empty for users.
    reference = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    #: When its author opened the source to everybody; None while it is private (``visibility``).
    published_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-created_at"]
        permissions: ClassVar = [("submit_reference", "Can submit reference kernels")]
        indexes: ClassVar = [models.Index(fields=["owner", "-created_at"])]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(kind="reference") ^ Q(reference=""),
                name="submission_reference_names_its_step",
            ),
            models.CheckConstraint(
                condition=Q(kind="baseline", owner=None)
                | (~Q(kind="baseline") & Q(owner__isnull=False)),
                name="submission_has_an_owner_unless_baseline",
            ),
            models.UniqueConstraint(
                fields=["version"],
                condition=Q(kind="baseline"),
                name="one_baseline_for_each_version",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.competitor_name} for {self.version}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("A Submission never changes; make a new one.")
        super().save(*args, **kwargs)

    @property
    def is_baseline(self) -> bool:
        return self.kind == CompetitorKind.BASELINE

    @property
    def competitor_name(self) -> str:
        """The name on the board; a baseline's Runs know which torch it was."""
        if self.owner is None:
            return LIBRARY
        return self.reference or self.owner.get_username()


def new_key() -> str:
    """The secret of an attempt."""
    return secrets.token_urlsafe(32)


class Run(models.Model):
    """One judging of a Submission on one Device.

    ``attempt`` counts from 1 and grows each time the Run goes back to the queue; results belong to
    the attempt under way. A Run in the queue has no lease. Once its worker speaks, each event
    renews the lease, and a lease that runs out sends the Run back (``reaper``).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="runs")
    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="runs")
    status = models.CharField(max_length=16, choices=_STATUSES, default=Status.QUEUED.value)
    verdict = models.CharField(max_length=3, choices=_VERDICTS, null=True)
    #: For the owner: what happened, where, what to do.
    message = models.TextField(blank=True)
    #: For admins: a judge error's traceback.
    detail = models.TextField(blank=True)

    attempt = models.PositiveSmallIntegerField(default=1)
    #: Sent with the job and told to nobody else; empty for jobs older than it.
    attempt_key = models.CharField(max_length=64, blank=True, default=new_key, editable=False)
    worker = models.CharField(max_length=128, blank=True)
    lease_expires_at = models.DateTimeField(null=True)
    queued_at = models.DateTimeField(default=timezone.now)
    dispatched_at = models.DateTimeField(null=True)
    #: Which Redis holds the job: a Redis that lost its data has another epoch (``dispatch``).
    broker_epoch = models.CharField(max_length=32, blank=True)
    #: Sequence of the event that finished the Run; None when the site itself did.
    final_sequence = models.PositiveIntegerField(null=True)

    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    #: What is to come in this stage (cases or workloads), and the latest word on samples.
    stage_total = models.PositiveIntegerField(default=0)
    progress = models.JSONField(null=True)

    score_ms = models.FloatField(null=True)
    ci_low_ms = models.FloatField(null=True)
    ci_high_ms = models.FloatField(null=True)
    environment = models.JSONField(null=True)

    class Meta:
        ordering: ClassVar = ["-created_at"]
        indexes: ClassVar = [
            models.Index(fields=["status", "dispatched_at"]),
            models.Index(fields=["status", "lease_expires_at"]),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(status="done", verdict__isnull=False)
                | (~Q(status="done") & Q(verdict__isnull=True)),
                name="run_has_a_verdict_when_done",
            ),
            models.CheckConstraint(
                condition=Q(status__in=[s.value for s in Status]), name="run_status_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.id} ({self.verdict or self.status})"

    @property
    def competitor_name(self) -> str:
        """The name on the board, once judged with the version of the library that was called."""
        if not self.submission.is_baseline:
            return self.submission.competitor_name
        # It is a worker's word, and stands on everybody's board.
        said = str((self.environment or {}).get("torch", ""))
        version = re.sub(r"[^0-9A-Za-z.+_-]", "", said)[:32]
        if self.device.is_emulated:
            return f"{LIBRARY} {version.partition('+')[0]}".rstrip() + " on the CPU"
        return f"{LIBRARY} {version}".rstrip()

    @property
    def is_done(self) -> bool:
        return self.status == Status.DONE

    @property
    def verdict_phrase(self) -> str:
        return Verdict(self.verdict).phrase if self.verdict else ""

    @property
    def score(self) -> Score | None:
        if self.score_ms is None or self.ci_low_ms is None or self.ci_high_ms is None:
            return None
        return Score(self.score_ms, self.ci_low_ms, self.ci_high_ms)


class Compilation(models.Model):
    """What the compiler said about a Run."""

    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="compilation")
    ok = models.BooleanField()
    seconds = models.FloatField()
    cached = models.BooleanField()
    output = models.TextField(blank=True)
    output_dropped_bytes = models.PositiveBigIntegerField(default=0)
    diagnostics = models.JSONField(default=list)
    resources = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"compilation of {self.run_id}"


class DeviceCode(models.Model):
    """What the compiler made of a Run's source: PTX or SASS. Apart, because it is large."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="device_code")
    kind = models.CharField(max_length=8)
    text = models.TextField()
    dropped_bytes = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("run", "kind"), name="one_device_code_per_kind"),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.run_id}"


class CaseResult(models.Model):
    """One TestCase's outcome for one seed."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="cases")
    index = models.PositiveIntegerField()
    case = models.CharField(max_length=128)
    verdict = models.CharField(max_length=3, choices=_VERDICTS)
    sizes = models.JSONField()
    distribution = models.CharField(max_length=64)
    hidden = models.BooleanField()
    max_abs_error = models.FloatField(null=True)
    max_rel_error = models.FloatField(null=True)
    mismatch = models.JSONField(null=True)
    message = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["index"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run", "index"], name="one_result_for_each_case")
        ]

    def __str__(self) -> str:
        return f"{self.case}: {self.verdict}"


class WorkloadTiming(models.Model):
    """One Workload's samples and figures; units as in ``judge.domain.Timing``."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="timings")
    index = models.PositiveIntegerField()
    workload = models.CharField(max_length=128)
    sizes = models.JSONField()
    basis = models.CharField(max_length=1, choices=[(b.value, b.value) for b in TimeBasis])
    samples_ms = models.JSONField()
    sample_count = models.PositiveIntegerField()
    median_ms = models.FloatField()
    ci_low_ms = models.FloatField()
    ci_high_ms = models.FloatField()
    spread_pct = models.FloatField()
    e_us = models.FloatField()
    t_us = models.FloatField(null=True)
    f_residual_us = models.FloatField()
    flops = models.FloatField()
    bytes = models.FloatField()

    class Meta:
        ordering: ClassVar = ["index"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run", "index"], name="one_timing_for_each_workload")
        ]

    def __str__(self) -> str:
        return f"{self.workload}: {self.median_ms} ms"

    @property
    def gflop_per_s(self) -> float | None:
        return self.flops / self.median_ms / 1e6 if self.flops and self.median_ms else None

    @property
    def gbyte_per_s(self) -> float | None:
        return self.bytes / self.median_ms / 1e6 if self.bytes and self.median_ms else None


class StoredEvent(models.Model):
    """An event as its worker sent it. The unique key makes storing safe to repeat."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="events")
    attempt = models.PositiveSmallIntegerField()
    sequence = models.PositiveIntegerField()
    type = models.CharField(max_length=16)
    worker = models.CharField(max_length=128)
    sent_at = models.DateTimeField()
    received_at = models.DateTimeField(auto_now_add=True)
    payload = models.JSONField()

    class Meta:
        ordering: ClassVar = ["run", "attempt", "sequence"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["run", "attempt", "sequence"], name="an_event_is_stored_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.run_id}/{self.attempt}/{self.sequence} {self.type}"
