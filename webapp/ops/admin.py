"""What admins may look at: workers with their last words, and the messages that were refused."""

from __future__ import annotations

from django.contrib import admin

from webapp.ops.models import RefusedMessages, Worker
from webapp.read_only_admin import ReadOnlyAdmin


@admin.register(Worker)
class WorkerAdmin(ReadOnlyAdmin):
    list_display = ("name", "device", "state", "last_seen_at", "remarks")
    list_filter = ("device", "state")
    search_fields = ("name",)

    @admin.display(description="remarks")
    def remarks(self, worker: Worker) -> str:
        """Why a worker gave up, in its own words."""
        return " ".join(map(str, worker.environment.get("remarks", ())))


@admin.register(RefusedMessages)
class RefusedMessagesAdmin(ReadOnlyAdmin):
    list_display = ("reason", "count", "last_at", "last_detail")
