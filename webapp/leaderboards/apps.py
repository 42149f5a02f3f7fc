from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class LeaderboardsConfig(AppConfig):
    name = "webapp.leaderboards"
    label = "leaderboards"

    def ready(self) -> None:
        import_module("webapp.leaderboards.receivers")
