from __future__ import annotations

from django.contrib import admin

from webapp.read_only_admin import ReadOnlyAdmin
from webapp.submissions.models import Run


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    exclude = ("attempt_key",)
    list_display = (
        "id",
        "submission",
        "device",
        "status",
        "verdict",
        "attempt",
        "worker",
        "created_at",
    )
    list_filter = (
        "verdict",
        "status",
        "device",
        "submission__kind",
        "submission__version__problem",
    )
    list_select_related = ("submission__version", "submission__owner", "device")
    search_fields = ("id", "submission__owner__username")
