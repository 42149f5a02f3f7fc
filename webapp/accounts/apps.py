from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AccountsConfig(AppConfig):
    name = "webapp.accounts"
    label = "accounts"

    def ready(self) -> None:
        from webapp.accounts.roles import make_groups

        # For every app that was migrated: permissions of later apps do not exist before.
        post_migrate.connect(make_groups, dispatch_uid="accounts.roles")
