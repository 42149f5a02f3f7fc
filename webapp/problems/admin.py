"""What an admin may set of a problem, or have done with it. Its content comes from its package."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from webapp.ops.models import Device
from webapp.problems.models import Problem, ProblemVersion
from webapp.read_only_admin import ReadOnlyAdmin
from webapp.submissions.baselines import request_baselines


@admin.register(Problem)
class ProblemAdmin(ReadOnlyAdmin):
    list_display = ("slug", "opens_sources", "created_at")
    list_filter = ("opens_sources",)
    search_fields = ("slug",)
    fields = ("slug", "current", "opens_sources", "created_at")
    readonly_fields = ("slug", "current", "created_at")
    actions = ("time_library_call",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("problems.change_problem")

    def has_submit_reference_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("submissions.submit_reference")

    @admin.action(
        description="Time the library call of selected problems on every device",
        permissions=["submit_reference"],
    )
    def time_library_call(self, request: HttpRequest, queryset: QuerySet[Problem]) -> None:
        """Queues a Run on each device, also where there is one already."""
        versions = ProblemVersion.objects.filter(pk__in=queryset.values("current"))
        runs = request_baselines(versions, Device.objects.all(), again=True)
        if not runs:
            why = "no device yet, no library call in these packages, or all of them under way"
            self.message_user(request, f"Nothing was queued: {why}.", messages.WARNING)
            return
        plural = "" if len(runs) == 1 else "s"
        self.message_user(request, f"{len(runs)} library call{plural} queued.", messages.SUCCESS)
