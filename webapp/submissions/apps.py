from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class SubmissionsConfig(AppConfig):
    name = "webapp.submissions"
    label = "submissions"

    def ready(self) -> None:
        import_module("webapp.submissions.receivers")
