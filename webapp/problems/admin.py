"""What an admin may set of a problem. Its content comes from its package alone."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from webapp.problems.models import Problem
from webapp.read_only_admin import ReadOnlyAdmin


@admin.register(Problem)
class ProblemAdmin(ReadOnlyAdmin):
    list_display = ("slug", "opens_sources", "created_at")
    list_filter = ("opens_sources",)
    search_fields = ("slug",)
    fields = ("slug", "current", "opens_sources", "created_at")
    readonly_fields = ("slug", "current", "created_at")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("problems.change_problem")
