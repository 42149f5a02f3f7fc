"""`make bench`: how long judging takes on this machine and where the time goes. A report.

Prints three tables and writes them to ``build/bench/end_to_end.json``: from submit to verdict with
a cold and a warm build cache, what judging adds to one sample beyond ``solve``, and runs an hour.
"""

from __future__ import annotations

import dataclasses
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from judge import pipeline
from judge.cli.output import print_rich
from judge.domain import Verdict
from judge.events import Compiled, Event, Finished, StageEntered, WorkloadTimed
from judge.machine import Machine, emulated_machine
from judge.problems.package import ProblemPackage, load_package
from stack.local import ROOT

PROBLEM = "matmul"
STEP = "v02"
REPEATS = 5


@dataclass(frozen=True)
class Judging:
    """One judging's seconds by stage, and its timed samples."""

    cache: str
    compiling_s: float
    checking_s: float
    timing_s: float
    total_s: float
    samples: int
    solve_ms: float

    @property
    def overhead_per_sample_ms(self) -> float:
        """What a timed sample costs beyond ``solve``: inputs, oracle, copies, comparison, start."""
        return 1e3 * self.timing_s / self.samples - self.solve_ms


def judge_once(source: str, package: ProblemPackage, machine: Machine, cache: str) -> Judging:
    entered: dict[str, float] = {}
    began = time.monotonic()
    timing = None
    last: Event | None = None
    for event in pipeline.judge(source, package, machine):
        if isinstance(event, StageEntered):
            entered[event.status] = time.monotonic()
        elif isinstance(event, WorkloadTimed):
            timing = event.timing
        last = event
    ended = time.monotonic()
    if not isinstance(last, Finished) or last.verdict is not Verdict.AC or timing is None:
        raise RuntimeError(f"the benchmark's kernel was not accepted: {last}")
    return Judging(
        cache=cache,
        compiling_s=entered["checking"] - began,
        checking_s=entered["timing"] - entered["checking"],
        timing_s=ended - entered["timing"],
        total_s=ended - began,
        samples=timing.sample_count,
        solve_ms=timing.median_ms,
    )


@contextmanager
def cold_machine() -> Iterator[Machine]:
    """A machine with an empty build cache, its toolchain's own parts already built.

    What a worker builds once per toolchain (runtime, precompiled header) is made by a first
    submission, which is not counted.
    """
    with tempfile.TemporaryDirectory() as directory:
        yield emulated_machine(Path(directory))


def main() -> None:
    package = load_package(ROOT / "problems" / PROBLEM)
    (step,) = (ROOT / "reference_kernels" / PROBLEM).glob(f"{STEP}_*.cu")
    source = step.read_text("utf-8")
    rows: list[Judging] = []
    with cold_machine() as machine:
        for event in pipeline.judge(package.starter, package, machine):
            if isinstance(event, Compiled):
                break
        for repeat in range(REPEATS):
            # A comment makes it a new source: a cold cache for this submission.
            fresh = f"{source}\n// {repeat}\n"
            rows.append(judge_once(fresh, package, machine, "cold"))
            rows.append(judge_once(fresh, package, machine, "warm"))
        environment = pipeline.environment(machine)
    report(step.stem, rows)
    out = ROOT / "build" / "bench" / "end_to_end.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    result = {
        "environment": dataclasses.asdict(environment),
        "kernel": f"{PROBLEM}/{step.stem}",
        "rows": [dataclasses.asdict(row) for row in rows],
    }
    out.write_text(json.dumps(result, indent=2) + "\n")


def report(step: str, rows: list[Judging]) -> None:
    table = Table(title=f"{PROBLEM} {step}: seconds from submit to verdict, median of {REPEATS}")
    for heading in ("cache", "compile", "check", "time", "total", "overhead a sample ms", "runs/h"):
        table.add_column(heading, justify="right")
    for cache in ("cold", "warm"):
        of_cache = [row for row in rows if row.cache == cache]
        seconds = [
            statistics.median(getattr(row, field) for row in of_cache)
            for field in ("compiling_s", "checking_s", "timing_s", "total_s")
        ]
        overhead = statistics.median(row.overhead_per_sample_ms for row in of_cache)
        table.add_row(
            cache,
            *(f"{value:.2f}" for value in seconds),
            f"{overhead:.2f}",
            f"{3600 / seconds[-1]:.0f}",
        )
    print_rich(table)


if __name__ == "__main__":
    main()
