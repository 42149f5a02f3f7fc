"""Baselines: the problem's library call, timed by a worker as it times submissions.

Nobody submits them. An admin asks for them once on a device (a command, or the admin's list of
problems); what is published later, a new version or a new problem, then gets its own there.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from django.db import transaction
from django.db.models import QuerySet

from judge.domain import Status, Verdict
from judge.problems.archive import read_archive
from judge.problems.content import REFERENCE_FILE
from judge.problems.reference_source import BASELINE, function_text
from webapp.ops.models import Device
from webapp.problems.models import ProblemVersion
from webapp.submissions.dispatch import dispatch
from webapp.submissions.models import CompetitorKind, Run, Submission


def library_call(version: ProblemVersion) -> str:
    """The function that a worker calls, as the package has it; empty where it names none."""
    _, files = read_archive(bytes(version.archive))
    return function_text(files[REFERENCE_FILE].decode(), BASELINE)


def request_baselines(
    versions: Iterable[ProblemVersion], devices: Iterable[Device], again: bool = False
) -> list[Run]:
    """Queues a Run of the library call of each version on each device that has none yet.

    With ``again`` also where there is one; a Run under way is never doubled. Versions whose package
    names no library call are left out.
    """
    found = list(devices)
    if not found:
        return []
    return [
        run
        for version in versions
        if (call := library_call(version))
        for device in found
        if (run := _request(version, call, device, again))
    ]


@transaction.atomic
def _request(version: ProblemVersion, call: str, device: Device, again: bool) -> Run | None:
    # Of two requests at once, the second waits here and finds the first one's Run.
    ProblemVersion.objects.select_for_update().get(pk=version.pk)
    submission, _ = Submission.objects.get_or_create(
        version=version, kind=CompetitorKind.BASELINE, defaults={"owner": None, "source": call}
    )
    before = submission.runs.filter(device=device)
    if before.exclude(status=Status.DONE.value).exists():
        return None
    if before.filter(verdict=Verdict.AC.value).exists() and not again:
        return None
    run = Run.objects.create(submission=submission, device=device)
    transaction.on_commit(partial(dispatch, run.pk))
    return run


def devices_with_baselines() -> QuerySet[Device]:
    """Devices on which any library call was ever asked for."""
    return Device.objects.filter(runs__submission__kind=CompetitorKind.BASELINE).distinct()
