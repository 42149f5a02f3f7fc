"""What a watcher sees of a Run under way, whether a site tells of it or this machine judges it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judge.domain import Status, Verdict


@dataclass(frozen=True)
class Samples:
    """The latest word on the workload that is being timed; ``process`` counts from 1."""

    workload: str
    process: int
    processes: int
    count: int
    median_ms: float


@dataclass(frozen=True)
class Sight:
    """One look at a Run. ``total`` is what the stage under way has in all: cases or workloads."""

    status: Status
    sentence: str = ""
    verdict: Verdict | None = None
    total: int = 0
    cases: tuple[tuple[str, Verdict], ...] = ()
    #: Workloads that are finished, with their median in ms.
    timed: tuple[tuple[str, float], ...] = ()
    samples: Samples | None = None

    @property
    def first_failure(self) -> tuple[str, Verdict] | None:
        """Name and verdict of the first case that was not accepted."""
        return next((case for case in self.cases if case[1] is not Verdict.AC), None)


def sight_of(run: Mapping[str, Any]) -> Sight:
    """A Run as the API tells of it."""
    progress = run["progress"]
    return Sight(
        status=Status(run["status"]),
        sentence=run["progress_text"],
        verdict=Verdict(run["verdict"]) if run["verdict"] else None,
        total=run["stage_total"],
        cases=tuple((case["name"], Verdict(case["verdict"])) for case in run["cases"]),
        timed=tuple((timing["workload"], timing["median_ms"]) for timing in run["workloads"]),
        samples=Samples(
            progress["workload"],
            progress["process"] + 1,
            progress["processes"],
            progress["samples"],
            progress["median_ms"],
        )
        if progress
        else None,
    )
