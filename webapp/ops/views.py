"""The page of devices and their workers."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from webapp.ops.models import Device, RefusedMessages


def device_list(request: HttpRequest) -> HttpResponse:
    """Devices for everybody; for staff also each worker, and what was refused."""
    is_staff = request.user.is_staff
    context = {
        "devices": Device.objects.prefetch_related("workers"),
        "refused": RefusedMessages.objects.order_by("-last_at") if is_staff else [],
    }
    return render(request, "ops/devices.html", context)
