"""The project itself as an app: it holds what belongs to no single part (checks, template tags)."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "webapp"
    verbose_name = "Warpboard"

    def ready(self) -> None:
        import_module("webapp.checks")  # registers the system checks
