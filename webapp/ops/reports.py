"""Storing what workers say about themselves."""

from __future__ import annotations

import re
from typing import Any

from django.db import transaction
from django.utils import timezone
from pydantic import ValidationError

from judge.domain import EMULATED_DEVICE, DeviceKind
from judge.messages import WorkerReport
from webapp.ops.models import DEVICE_NAME_PATTERN, Device, Worker
from webapp.ops.refusals import refuse
from webapp.text import cleaned, storable


def store_worker(message: object) -> bool:
    """Stores one ``WorkerReport`` in wire form; False when it was refused or is old news."""
    try:
        report = WorkerReport.model_validate(cleaned(message))
    except ValidationError as error:
        refuse("worker report does not match its schema", _summary(error))
        return False
    kind = report.environment.device_kind
    if not re.match(DEVICE_NAME_PATTERN, report.device):
        refuse("device name of a worker report", repr(report.device))
        return False
    if (report.device == EMULATED_DEVICE) is not (kind is DeviceKind.EMULATED):
        refuse("device kind of a worker report", f"{report.device} reported as {kind}")
        return False
    with transaction.atomic():
        device, _ = Device.objects.get_or_create(name=report.device, defaults={"kind": kind.value})
        values: dict[str, Any] = {
            "device": device,
            "state": report.state,
            "sent_at": report.sent_at,
            "last_seen_at": timezone.now(),
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
