"""Gathers a Run's events into what `warpboard judge` prints."""

from __future__ import annotations

import dataclasses
from typing import Any

from judge.domain import CaseResult, Environment, Score, Timing, Verdict
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
        self.verdict: Verdict = Verdict.JE
        self.message = "The judge stopped before it reached a verdict."
        self.detail = ""
        self.compiler_output = ""
        self.cases: list[CaseResult] = []
        self.timings: list[Timing] = []
        self.score: Score | None = None
        self.environment: Environment | None = None

    def add(self, event: Event) -> None:
        match event:
            case Compiled():
                self.compiler_output = event.output
            case CaseJudged():
                self.cases.append(event.result)
            case WorkloadTimed():
                self.timings.append(event.timing)
            case Finished():
                self.verdict = event.verdict
                self.message = event.message
                self.detail = event.detail
                self.score = event.score
                self.environment = event.environment
            case _:
                pass

    def progress(self, event: Event) -> str:
        """One line for the person who watches, or nothing."""
        match event:
            case StageEntered():
                return f"{event.status} …"
            case Compiled(ok=True):
                source = "from the build cache" if event.cached else f"in {event.seconds:.2f} s"
                return f"compiled {source}"
            case CaseJudged():
                return f"case {event.index + 1}/{event.total} {event.result.verdict}"
            case SamplesTaken():
                return (
                    f"{event.workload}: process {event.process + 1}/{event.processes}, "
                    f"{event.samples} samples, median {event.median_ms:.4g} ms"
                )
            case _:
                return ""

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
