"""Gathers a Run's events into what `warpboard judge` prints."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any, Self

from judge.cli.sight import Samples, Sight
from judge.domain import CaseResult, Environment, Score, Status, Timing, Verdict
from judge.events import (
    CaseJudged,
    Compiled,
    Event,
    Finished,
    SamplesTaken,
    StageEntered,
    WorkloadTimed,
)


class Report:
    """What is known of a Run so far; complete once ``Finished`` was added."""

    def __init__(self) -> None:
        self.status = Status.QUEUED
        self.verdict: Verdict = Verdict.JE
        self.message = "The judge stopped before it reached a verdict."
        self.detail = ""
        self.compiler_output = ""
        self.compile_seconds = 0.0
        self.cases: list[CaseResult] = []
        self.timings: list[Timing] = []
        self.score: Score | None = None
        self.environment: Environment | None = None
        self._total = 0
        self._samples: Samples | None = None

    @classmethod
    def of(cls, events: Iterable[Event]) -> Self:
        """The report of a Run, judged to its end."""
        report = cls()
        for event in events:
            report.add(event)
        return report

    def add(self, event: Event) -> None:
        match event:
            case StageEntered():
                self.status = event.status
                self._total = event.total
            case SamplesTaken():
                self._samples = Samples(
                    event.workload,
                    event.process + 1,
                    event.processes,
                    event.samples,
                    event.median_ms,
                )
            case Compiled():
                self.compiler_output = event.output
                self.compile_seconds = event.seconds
            case CaseJudged():
                self.cases.append(event.result)
            case WorkloadTimed():
                self.timings.append(event.timing)
            case Finished():
                self.status = Status.DONE
                self.verdict = event.verdict
                self.message = event.message
                self.detail = event.detail
                self.score = event.score
                self.environment = event.environment
            case _:
                pass

    def sight(self) -> Sight:
        """What a watcher sees of the Run now."""
        return Sight(
            status=self.status,
            sentence=f"{self.status.capitalize()}.",
            verdict=self.verdict if self.status is Status.DONE else None,
            total=self._total,
            cases=tuple((case.case, case.verdict) for case in self.cases),
            timed=tuple((timing.workload, timing.median_ms) for timing in self.timings),
            samples=self._samples,
        )

    def to_json(self) -> dict[str, Any]:
        """The one object of ``warpboard judge --json``; times in ms, residuals in µs."""
        return {
            "verdict": self.verdict,
            "message": self.message,
            "detail": self.detail,
            "compiler_output": self.compiler_output,
            "cases": [dataclasses.asdict(case) for case in self.cases],
            "workloads": [
                {**dataclasses.asdict(timing), "sample_count": timing.sample_count}
                for timing in self.timings
            ],
            "score_ms": self.score.value_ms if self.score else None,
            "score": dataclasses.asdict(self.score) if self.score else None,
            "environment": dataclasses.asdict(self.environment) if self.environment else None,
        }
