"""Storing what workers say about themselves."""

from __future__ import annotations

import re
from typing import Any

from django.db import transaction
from django.utils import timezone
from pydantic import ValidationError

from judge.domain import EMULATED_DEVICE, DeviceKind
from judge.messages import MAX_REPORT_BYTES, WorkerReport
from webapp.ops.models import DEVICE_NAME_PATTERN, Device, Worker
from webapp.ops.refusals import refuse
from webapp.text import cleaned, is_larger, storable

#: Each has a board of every problem; more than this are made up.
MAX_DEVICES = 64


def store_worker(message: object) -> bool:
    """Stores one ``WorkerReport`` in wire form; False when it was refused or is old news."""
    if is_larger(message, MAX_REPORT_BYTES):
        refuse("worker report larger than any worker sends", f"over {MAX_REPORT_BYTES} bytes")
        return False
    try:
        report = WorkerReport.model_validate(cleaned(message))
    except ValidationError as error:
        refuse("worker report does not match its schema", _summary(error))
        return False
    kind = report.environment.device_kind
    if not re.fullmatch(DEVICE_NAME_PATTERN, report.device):
        refuse("device name of a worker report", repr(report.device))
        return False
    if (report.device == EMULATED_DEVICE) is not (kind is DeviceKind.EMULATED):
        refuse("device kind of a worker report", f"{report.device} reported as {kind}")
        return False
    known = Device.objects.filter(pk=report.device).exists()
    if not known and Device.objects.count() >= MAX_DEVICES:
        refuse("worker report of one device too many", report.device)
        return False
    now = timezone.now()
    with transaction.atomic():
        device, _ = Device.objects.get_or_create(name=report.device, defaults={"kind": kind.value})
        values: dict[str, Any] = {
            "device": device,
            "state": report.state,
            # A clock that is ahead must not make the reports of a right one old news.
            "sent_at": min(report.sent_at, now),
            "last_seen_at": now,
            "environment": storable(report.to_wire()["environment"]),
        }
        worker, created = Worker.objects.select_for_update().get_or_create(
            name=report.worker, defaults=values
        )
        if created:
            return True
        if worker.sent_at > report.sent_at:
            return False
        Worker.objects.filter(pk=worker.pk).update(**values)
    return True


def _summary(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']} ({error.error_count()} in all)"
