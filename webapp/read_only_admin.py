"""The base of the admin's pages: they show rows and change none.

What changes a row goes through a service, which knows the rules; the admin must not go round them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Model]
else:
    Base = admin.ModelAdmin


class ReadOnlyAdmin(Base):
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
