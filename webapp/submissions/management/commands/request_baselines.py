"""``manage.py request_baselines``: has workers time the library calls that entries compare with."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from webapp.ops.models import Device
from webapp.problems.models import Problem, ProblemVersion
from webapp.submissions.baselines import request_baselines


class Command(BaseCommand):
    help = (
        "Queue a run of each problem's library call on each device that has none yet, and print "
        "the runs' ids. Versions published later get their own by themselves."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--problem", action="append", help="Only this one; repeat for several.")
        parser.add_argument("--device", action="append", help="Only this one; repeat for several.")
        parser.add_argument(
            "--again", action="store_true", help="Also where there is an accepted one already."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        problems = Problem.objects.exclude(current=None)
        devices = Device.objects.all()
        if options["problem"]:
            _check("problem", options["problem"], problems.values_list("pk", flat=True))
            problems = problems.filter(pk__in=options["problem"])
        if options["device"]:
            _check("device", options["device"], devices.values_list("pk", flat=True))
            devices = devices.filter(pk__in=options["device"])
        versions = ProblemVersion.objects.filter(pk__in=problems.values("current"))
        for run in request_baselines(versions.order_by("problem"), devices, options["again"]):
            self.stdout.write(f"{run.pk} {run.submission.version.problem_id} {run.device_id}")


def _check(what: str, wanted: list[str], known: Any) -> None:
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        there = ", ".join(sorted(known)) or "none yet"
        raise CommandError(f"There is no {what} {unknown[0]!r} here. There is: {there}.")
