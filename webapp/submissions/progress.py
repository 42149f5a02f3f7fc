"""One sentence about where a Run is: shown on its page and read out by screen readers."""

from __future__ import annotations

from judge.domain import Status, Verdict
from webapp.submissions.models import Run


def progress_of(run: Run) -> str:
    """What is happening to ``run`` now, or its verdict in words."""
    if run.verdict:
        return f"{run.verdict}: {Verdict(run.verdict).phrase}."
    again = f" Attempt {run.attempt}: an earlier worker was lost." if run.attempt > 1 else ""
    return _stage(run) + again


def _stage(run: Run) -> str:
    match Status(run.status):
        case Status.QUEUED:
            return _waiting(run)
        case Status.COMPILING:
            return "Compiling."
        case Status.CHECKING:
            if not run.stage_total:  # a library call is checked as it is timed
                return "Checking."
            return f"Checking: {run.cases.count()} of {run.stage_total} cases judged."
        case Status.TIMING:
            return (
                f"Timing: {run.timings.count()} of {run.stage_total} workloads done.{_samples(run)}"
            )
        case Status.DONE:
            return "Done."


def _waiting(run: Run) -> str:
    if run.dispatched_at is None:
        return "Saved. It will be judged when the queue can be reached again."
    if not run.device.live_workers:
        return f"Queued. No worker for {run.device.name} is there now; one will take it."
    ahead = Run.objects.filter(
        device=run.device, status=Status.QUEUED.value, queued_at__lt=run.queued_at
    ).count()
    return f"Queued for {run.device.name}, {ahead} before it."


def _samples(run: Run) -> str:
    if not run.progress:
        return ""
    count = run.progress["samples"]
    return (
        f" {run.progress['workload']}: {count} sample{'' if count == 1 else 's'}, process "
        f"{run.progress['process'] + 1} of {run.progress['processes']}."
    )
