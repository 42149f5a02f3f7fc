"""Devices, the workers that judge on them, and what was refused on the way in."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

from django.core.validators import RegexValidator
from django.db import models
from django.utils import timezone

from judge.domain import DeviceKind
from judge.messages import LEASE_SECONDS

DEVICE_NAME_PATTERN = r"^[a-z0-9][a-z0-9-]{0,63}$"

#: What stands beside every time of an emulated device.
EMULATED_LABEL = "emulated, not a GPU time"


class Device(models.Model):
    """A kind of hardware with its own board. Made when its first worker reports."""

    name = models.CharField(
        primary_key=True, max_length=64, validators=[RegexValidator(DEVICE_NAME_PATTERN)]
    )
    kind = models.CharField(max_length=16, choices=[(k.value, k.value) for k in DeviceKind])
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_emulated(self) -> bool:
        return self.kind == DeviceKind.EMULATED

    @property
    def time_label(self) -> str:
        """What to print beside this device's times; empty for a GPU."""
        return EMULATED_LABEL if self.is_emulated else ""

    @property
    def live_workers(self) -> int:
        """Workers that take jobs now: heard of within a lease, and not leaving."""
        since = timezone.now() - timedelta(seconds=LEASE_SECONDS)
        return self.workers.filter(last_seen_at__gte=since, state__in=["ready", "busy"]).count()


class Worker(models.Model):
    """A process that owns one physical device, as it last described itself."""

    name = models.CharField(primary_key=True, max_length=128)
    device = models.ForeignKey(Device, on_delete=models.PROTECT, related_name="workers")
    state = models.CharField(max_length=16)
    #: The worker's own clock, which orders its reports; ``last_seen_at`` is the site's.
    sent_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()
    environment = models.JSONField()

    class Meta:
        ordering: ClassVar = ["device", "name"]

    def __str__(self) -> str:
        return self.name


class RefusedMessages(models.Model):
    """How many messages of a worker were refused, by reason, and the latest of each."""

    reason = models.CharField(primary_key=True, max_length=64)
    count = models.PositiveBigIntegerField(default=0)
    last_at = models.DateTimeField()
    last_detail = models.TextField(blank=True)

    class Meta:
        verbose_name_plural = "refused messages"

    def __str__(self) -> str:
        return f"{self.reason}: {self.count}"
