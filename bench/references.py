"""`make reference-results`: judge every reference kernel and baseline here, and record the times.

Writes ``reference_kernels/results/<device>.json``, through the ordinary pipeline. Rows are in the
order of the ladders; the library's call is the row with step ``baseline``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench import recording
from judge import pipeline
from judge.cli.report import Report
from judge.domain import AUTO, Timing, Verdict
from judge.events import Event
from judge.machine import Machine, this_machine
from judge.problems.package import ProblemPackage, load_package
from stack.local import ROOT

LADDERS = ROOT / "reference_kernels"


@dataclass(frozen=True)
class Judged:
    """A Run that is over, with its seconds from submit to verdict."""

    report: Report
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("problems", nargs="*", help="slugs; all without")
    parser.add_argument("--device", default=AUTO)
    parser.add_argument("--budget", type=float, default=3600.0, help="begin no step after, seconds")
    parser.add_argument("--output", type=Path, help="instead of reference_kernels/results/")
    arguments = parser.parse_args()
    machine = this_machine(arguments.device)
    output = arguments.output or LADDERS / "results" / f"{machine.device.name}.json"
    slugs = arguments.problems or sorted(
        folder.name for folder in LADDERS.glob("*/") if folder.name != "results"
    )
    deadline = time.monotonic() + arguments.budget
    rows: list[dict[str, Any]] = []
    for row in judged_rows(slugs, machine, deadline):
        rows.append(row)
        print(_line(row), flush=True)
        # After every row: what was measured is kept whatever happens to the rest.
        document = {"environment": recording.environment(machine), "rows": rows}
        recording.write(output, document)
    accepted = sum(row["verdict"] == Verdict.AC for row in rows)
    print(f"{accepted} of {len(rows)} rows accepted, written to {output}")


def judged_rows(
    slugs: Iterable[str], machine: Machine, deadline: float
) -> Iterator[dict[str, Any]]:
    """A row for each Workload of each baseline and step; begins none past ``deadline``."""
    for slug in slugs:
        package = load_package(ROOT / "problems" / slug)
        # Nobody submitted it, so it has no time from submit to verdict.
        library = replace(_judged(pipeline.judge_baseline(package, machine)), seconds=0.0)
        baseline_ms = {timing.workload: timing.median_ms for timing in library.report.timings}
        yield from _rows(package, "baseline", "", library, baseline_ms, machine)
        for file in sorted((LADDERS / slug).glob("v*.cu")):
            if time.monotonic() > deadline:
                return
            run = _judged(pipeline.judge(file.read_text("utf-8"), package, machine))
            name = str(file.relative_to(ROOT))
            yield from _rows(package, file.stem, name, run, baseline_ms, machine)


def _judged(events: Iterable[Event]) -> Judged:
    began = time.monotonic()
    report = Report.of(events)
    return Judged(report, time.monotonic() - began)


def _rows(
    package: ProblemPackage,
    step: str,
    file: str,
    run: Judged,
    baseline_ms: dict[str, float],
    machine: Machine,
) -> Iterator[dict[str, Any]]:
    report = run.report
    timed = {timing.workload: timing for timing in report.timings}
    remarks = report.environment.remarks if report.environment else ()
    for workload in package.problem.workloads_for(machine.device.kind):
        yield {
            "problem": package.problem.slug,
            "step": step,
            "file": file,
            "workload": workload.name,
            "verdict": str(report.verdict),
            **_figures(timed.get(workload.name), baseline_ms.get(workload.name)),
            "submit_to_verdict_s": round(run.seconds, 2),
            "compile_s": round(report.compile_seconds, 2),
            "message": "" if report.verdict is Verdict.AC else report.message,
            "remarks": list(remarks),
        }


def _figures(timing: Timing | None, baseline_ms: float | None) -> dict[str, Any]:
    if timing is None:
        return {"median_ms": None, "baseline_ms": baseline_ms}
    return {
        "median_ms": timing.median_ms,
        "ci_low_ms": timing.ci_low_ms,
        "ci_high_ms": timing.ci_high_ms,
        "samples": timing.sample_count,
        "baseline_ms": baseline_ms,
        "speedup_over_baseline": baseline_ms / timing.median_ms if baseline_ms else None,
        "gflops": timing.flops / timing.median_ms / 1e6,
        "gbytes_per_s": timing.bytes / timing.median_ms / 1e6,
        "basis": str(timing.basis),
        "spread_pct": timing.spread_pct,
        "e_us": timing.e_us,
        "t_us": timing.t_us,
        "f_residual_us": timing.f_residual_us,
    }


def _line(row: dict[str, Any]) -> str:
    head = f"{row['problem']}/{row['step']} [{row['workload']}] {row['verdict']}"
    if row["median_ms"] is None:
        return f"{head} {row['message'][:200]}"
    t_us = "" if row["t_us"] is None else f" T {row['t_us']:.2f}"
    return (
        f"{head} {row['median_ms']:.5f} ms on {row['basis']}, spread {row['spread_pct']:.2f} %, "
        f"n {row['samples']}, E {row['e_us']:.2f}{t_us} R {row['f_residual_us']:.2f} us, "
        f"x{row['speedup_over_baseline'] or 0:.3f} of the baseline, "
        f"{row['submit_to_verdict_s']} s {' '.join(row['remarks'])[:120]}"
    )


if __name__ == "__main__":
    main()
