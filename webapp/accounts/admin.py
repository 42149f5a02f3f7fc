from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest

from webapp.accounts.models import ApiToken, User
from webapp.accounts.tokens import revoke_token
from webapp.read_only_admin import ReadOnlyAdmin

admin.site.register(User, UserAdmin)


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    list_display = ("prefix", "user", "name", "scopes", "created_at", "last_used_at", "revoked_at")
    search_fields = ("prefix", "user__username")
    exclude = ("digest",)
    actions = ("revoke",)

    @admin.action(description="Revoke the selected tokens")
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        for token in queryset:
            revoke_token(token)
