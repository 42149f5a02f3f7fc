"""A version of a problem that is published gets baselines of its own."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from webapp.problems.models import ProblemVersion
from webapp.problems.signals import version_published
from webapp.submissions.baselines import devices_with_baselines, request_baselines


@receiver(version_published, sender=ProblemVersion)
def time_the_library(sender: type[ProblemVersion], version: ProblemVersion, **kwargs: Any) -> None:
    request_baselines([version], devices_with_baselines())
