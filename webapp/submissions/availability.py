"""Which devices take submissions now: their live workers, and what waits in front of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone

from judge.domain import Status
from judge.messages import LEASE_SECONDS
from webapp.ops.models import Device
from webapp.submissions.models import Run


@dataclass(frozen=True)
class Availability:
    """A device, its workers heard of within a lease, and its unfinished Runs."""

    device: Device
    live_workers: int
    waiting: int
    judging: int


def device_availability() -> list[Availability]:
    """Every device by name, in two queries."""
    since = timezone.now() - timedelta(seconds=LEASE_SECONDS)
    live = Count(
        "workers", filter=Q(workers__last_seen_at__gte=since, workers__state__in=["ready", "busy"])
    )
    counts = {
        device: (waiting, unfinished - waiting)
        for device, waiting, unfinished in Run.objects.exclude(status=Status.DONE.value)
        .order_by()
        .values_list("device")
        .annotate(waiting=Count("pk", filter=Q(status=Status.QUEUED.value)), unfinished=Count("pk"))
    }
    return [
        Availability(device, device.live, *counts.get(device.pk, (0, 0)))
        for device in Device.objects.annotate(live=live)
    ]


def first_choice(devices: list[Availability]) -> str | None:
    """The device to offer first: one with a worker, a GPU before the emulated one."""
    ordered = sorted(
        devices, key=lambda each: (each.live_workers == 0, each.device.is_emulated, each.device.pk)
    )
    return ordered[0].device.pk if ordered else None
