"""`make bench-timing`: our clocks beside nvbench's and triton's, on this machine's GPU.

Every kernel is timed in many fresh processes, all in random order. Writes
``bench/results/timing-<device>.json`` and the table of docs/measurement.md.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from bench import recording
from bench.timing_kernels import EMPTY, KERNELS, PROBLEM, TimedKernel
from judge.compiler.interface import CompileRequest
from judge.devices.interface import Bracket, Session, SessionLimits
from judge.domain import AUTO, TimeBasis
from judge.execution import MIB
from judge.machine import Machine, this_machine
from judge.pipeline.brackets import VOUCHING_BATCHES, WARM_UP_CALLS
from judge.pipeline.calls import call_bytes, make_call
from judge.problems.prototype import header, signature
from judge.timing.credibility import (
    ClockRules,
    CredibilityReport,
    assess,
    assess_batches,
    baseline_ns,
    event_cost_us,
    needs_batches,
    vouch,
)
from judge.timing.stopping import shared_out
from stack.local import ROOT

LIMITS = SessionLimits(call_seconds=5.0, start_seconds=20.0, memory_bytes=1024 * MIB)
#: Single calls in each process, by the longest call that takes so many, in µs.
SINGLES = ((1000.0, 45), (5000.0, 15), (math.inf, 7))
EMPTY_BRACKETS = 10
#: A judging is so many processes.
JUDGING = 3

TWO_PERCENT_APART = (
    ("spin 100 µs", "spin 102 µs"),
    ("tiled SGEMM 4096³", "tiled SGEMM 4096³ + 2 %"),
)

DOCUMENT = ROOT / "docs" / "measurement.md"


@dataclass
class Measured:
    """One kernel's brackets, by process, and those of the empty program with its buffers."""

    batch: int
    processes: list[list[Bracket]] = field(default_factory=list)
    empty: list[Bracket] = field(default_factory=list)

    def e_us(self) -> list[float]:
        """Each process's median of E, single calls."""
        return [
            statistics.median(b.event_ns / 1e3 for b in process if b.calls == 1)
            for process in self.processes
        ]

    def t_us(self) -> list[float]:
        """Each process's median of T, with the events' cost; empty without batches."""
        if self.batch == 1:
            return []
        f0_ns = baseline_ns(_of(self.empty, self.batch))
        cost_us = event_cost_us(_of(self.empty, 1))
        return [
            statistics.median(
                (b.fence_ns - f0_ns) / b.calls / 1e3 + cost_us for b in _of(process, self.batch)
            )
            for process in self.processes
        ]

    def believe(self, brackets: Sequence[Bracket], machine: Machine) -> CredibilityReport:
        """What the judge would say of a Run that took ``brackets``."""
        limits = machine.device.timing
        report = assess(_of(brackets, 1), _of(self.empty, 1), limits)
        if self.batch > 1:
            batches = assess_batches(_of(brackets, self.batch), _of(self.empty, self.batch), limits)
            cost_us = event_cost_us(_of(self.empty, 1))
            report = vouch(report, batches, cost_us, ClockRules.of(limits, self.batch))
        return report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=20)
    parser.add_argument("--others", type=int, default=20, help="processes of each other tool")
    parser.add_argument("--judgings", type=int, default=20, help="of each kernel of a close pair")
    parser.add_argument(
        "--pair-budget", type=float, default=600.0, help="seconds for the judgings of one pair"
    )
    parser.add_argument("--budget", type=float, default=3600.0, help="begin no process after, s")
    parser.add_argument("--output", type=Path, help="instead of bench/results/")
    parser.add_argument("--recorded", type=Path, help="measure nothing, make the table of this")
    arguments = parser.parse_args()
    if arguments.recorded is not None:
        document = json.loads(arguments.recorded.read_text("utf-8"))
        replace_table(DOCUMENT, document["environment"]["device"], table(document))
        return
    deadline = time.monotonic() + arguments.budget
    machine = this_machine(AUTO)
    # First: what it lacks is better known before the minutes of measuring than after them.
    environment = recording.environment(machine)
    libraries = {kernel.name: _compile(kernel.source, machine) for kernel in KERNELS}
    others = {
        tool: _other_tool(tool, libraries, arguments.others)
        for tool in (("nvbench", "do_bench") if arguments.others else ())
    }
    measured, remarks = _measure(machine, libraries, arguments.processes, deadline)
    ordering = {
        f"{faster} before {slower}": _ordering(
            machine, libraries, (faster, slower), arguments.judgings, arguments.pair_budget
        )
        for faster, slower in TWO_PERCENT_APART
    }
    document = {
        "environment": environment,
        "processes": min(len(kernel.processes) for kernel in measured.values()),
        "processes_of_other_tools": {tool: len(runs) for tool, runs in others.items()},
        "remarks": remarks,
        "ordering": ordering,
        "rows": [_row(kernel, measured[kernel.name], machine, others) for kernel in KERNELS],
    }
    output = arguments.output or recording.RESULTS / f"timing-{machine.device.name}.json"
    recording.write(output, document)
    print(table(document))
    print(json.dumps(document["ordering"]))
    if arguments.output is None:
        replace_table(DOCUMENT, machine.device.name, table(document))


def _compile(source: str, machine: Machine) -> Path:
    result = machine.compiler.compile(
        CompileRequest(
            source=source,
            prototype=header(PROBLEM, "solve"),
            signature=signature(PROBLEM),
            entry="solve",
            target=machine.device.target,
            limits=PROBLEM.limits,
        )
    )
    if result.artifact is None:
        raise RuntimeError(f"a kernel of the benchmark does not compile: {result.output}")
    return result.artifact


def _measure(
    machine: Machine, libraries: dict[str, Path], processes: int, deadline: float
) -> tuple[dict[str, Measured], list[str]]:
    """Brackets of all kernels, and what the device's sensors remarked meanwhile."""
    empty = _compile(EMPTY, machine)
    measured, singles, remarks = {}, {}, set()
    for kernel in KERNELS:
        (probe,) = _brackets(machine, libraries[kernel.name], kernel, 1, 1, 0)
        limits = machine.device.timing
        short = needs_batches(probe.event_ns / 1e3, limits)
        fitting = limits.batch_bytes // call_bytes(make_call(PROBLEM, {"N": kernel.floats}, {}))
        batch = max(1, min(limits.batch_calls, fitting)) if short else 1
        measured[kernel.name] = Measured(batch)
        singles[kernel.name] = next(n for us, n in SINGLES if probe.event_ns / 1e3 <= us)

    def take_empty() -> None:
        taken: dict[tuple[int, int], list[Bracket]] = {}
        for kernel in KERNELS:
            kept = measured[kernel.name]
            key = (kernel.floats, kept.batch)
            if key not in taken:
                taken[key] = _brackets(machine, empty, kernel, EMPTY_BRACKETS, *_batches(kept, 10))
            kept.empty += taken[key]

    take_empty()
    # Whole rounds in random order: an early end leaves every kernel with about as many.
    order = [kernel for _ in range(processes) for kernel in random.sample(KERNELS, len(KERNELS))]
    for kernel in order:
        if time.monotonic() > deadline and measured[kernel.name].processes:
            continue
        kept = measured[kernel.name]
        with machine.device.watch() as window:
            kept.processes.append(
                _brackets(
                    machine,
                    libraries[kernel.name],
                    kernel,
                    singles[kernel.name],
                    *_batches(kept, VOUCHING_BATCHES),
                )
            )
        remarks.update(f"{kernel.name}: {clause}" for clause in window.disturbances())
    take_empty()
    return measured, sorted(remarks)


def _batches(measured: Measured, count: int) -> tuple[int, int]:
    return measured.batch, count if measured.batch > 1 else 0


def _brackets(
    machine: Machine, artifact: Path, kernel: TimedKernel, singles: int, batch: int, batches: int
) -> list[Bracket]:
    """One fresh process: so many single calls, then so many batches of ``batch``."""
    call = make_call(PROBLEM, {"N": kernel.floats}, {})
    with machine.device.open(artifact, call, batch, LIMITS, machine.executor) as session:
        taken = _take(session, kernel, 1, singles)
        return taken + _take(session, kernel, batch, batches)


def _take(session: Session, kernel: TimedKernel, calls: int, count: int) -> list[Bracket]:
    brackets = []
    for _ in range(WARM_UP_CALLS + count if count else 0):
        for slot in range(calls):
            fresh = torch.randn(kernel.floats, device="cuda")
            session.stage(slot, {"A": fresh, "B": fresh})
        brackets.append(session.bracket(range(calls)))
    return brackets[WARM_UP_CALLS:]


def _other_tool(tool: str, libraries: dict[str, Path], count: int) -> list[dict[str, float]]:
    """What ``count`` fresh processes of ``tool`` say; fewer where it fails, which is told."""
    kernels = [
        {"name": k.name, "library": str(libraries[k.name]), "floats": k.floats} for k in KERNELS
    ]
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "kernels.json"
        file.write_text(json.dumps(kernels))
        command = [sys.executable, "-m", "bench.timing_others", tool, str(file), str(count)]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if run.returncode != 0:
        print(f"{tool} failed: {run.stderr.strip()[-600:]}", file=sys.stderr)
    return [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]


def _row(
    kernel: TimedKernel,
    measured: Measured,
    machine: Machine,
    others: dict[str, list[dict[str, float]]],
) -> dict[str, Any]:
    report = measured.believe([b for p in measured.processes for b in p], machine)
    e_us, t_us = measured.e_us(), measured.t_us()
    ours = t_us if report.basis is TimeBasis.T else e_us
    middle = statistics.median(ours)
    judged = [
        measured.believe([b for p in judging for b in p], machine)
        for judging in _judgings(measured.processes)
    ]
    said = {
        tool: statistics.median(run[kernel.name] for run in runs) if runs else None
        for tool, runs in others.items()
    }
    nvbench = said.get("nvbench")
    return {
        "kernel": kernel.name,
        "limited_by": kernel.limited_by,
        "ours_us": middle,
        "basis": str(report.basis),
        "e_us": statistics.median(e_us),
        "t_us": statistics.median(t_us) if t_us else None,
        "f_residual_us": report.residual_us,
        "f_allowed_us": report.allowed_us,
        "f0_us": report.f0_us,
        "spread_pct": 100 * (max(ours) - min(ours)) / middle,
        "nvbench_us": nvbench,
        "do_bench_us": said.get("do_bench"),
        "bias_us": middle - nvbench if nvbench else None,
        "batch": measured.batch,
        "judgings": len(judged),
        "judgings_doubted": sum(not one.credible for one in judged),
        "f_residual_us_by_judging": [round(one.residual_us, 3) for one in judged],
        "e_us_by_process": [round(value, 3) for value in e_us],
        "t_us_by_process": [round(value, 3) for value in t_us],
    }


def _judgings(processes: Sequence[list[Bracket]]) -> list[Sequence[list[Bracket]]]:
    """The processes in disjoint groups of as many as a judging has."""
    return [processes[at : at + JUDGING] for at in range(0, len(processes) - JUDGING + 1, JUDGING)]


def _ordering(
    machine: Machine,
    libraries: dict[str, Path],
    pair: tuple[str, str],
    judgings: int,
    budget_seconds: float,
) -> dict[str, int]:
    """How often two kernels 2 % apart come out in the right order.

    Each is judged ``judgings`` times, in turns: "right" counts neighbours in time, "of_all_pairs"
    every judging of the one against every judging of the other. No turn begins after the budget.
    """
    deadline = time.monotonic() + budget_seconds
    kernels = {kernel.name: kernel for kernel in KERNELS if kernel.name in pair}
    medians: dict[str, list[float]] = {name: [] for name in pair}
    singles = shared_out(0.0, JUDGING, vouched=False).min_samples
    for _ in range(judgings):
        if time.monotonic() > deadline:
            break
        for name in random.sample(pair, len(pair)):
            took = Measured(batch=1)
            for _ in range(JUDGING):
                took.processes.append(
                    _brackets(machine, libraries[name], kernels[name], singles, 1, 0)
                )
            medians[name].append(statistics.median(took.e_us()))
    faster, slower = (medians[name] for name in pair)
    return {
        "right": sum(a < b for a, b in zip(faster, slower, strict=True)),
        "pairs": len(faster),
        "right_of_all_pairs": sum(a < b for a, b in itertools.product(faster, slower)),
        "all_pairs": len(faster) * len(slower),
    }


def _of(brackets: Sequence[Bracket], calls: int) -> list[Bracket]:
    return [bracket for bracket in brackets if bracket.calls == calls]


def table(document: dict[str, Any]) -> str:
    """The rows as Markdown, times in µs."""
    lines = [
        "| kernel | limited by | ours | on | spread | E | T | F − F₀ − E | nvbench | do_bench |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in document["rows"]:
        spread_us = row["spread_pct"] * row["ours_us"] / 100
        cells = [
            row["kernel"],
            row["limited_by"],
            _us(row["ours_us"]),
            row["basis"],
            f"{row['spread_pct']:.2f} %" if row["ours_us"] > 20 else f"{spread_us:.2f} µs",
            _us(row["e_us"]),
            _us(row["t_us"]),
            f"{row['f_residual_us']:.1f}",
            _us(row["nvbench_us"]),
            _us(row["do_bench_us"]),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def replace_table(document: Path, device: str, text: str) -> None:
    """Put ``text`` between the document's two comments that name ``device``."""
    begin, end = f"<!-- bench-timing {device} -->\n", f"<!-- end of bench-timing {device} -->"
    content = document.read_text(encoding="utf-8")
    if begin not in content or end not in content:
        print(f"{document.name} has no place for {device}: put {begin.strip()} and {end} there")
        return
    head, rest = content.split(begin, 1)
    document.write_text(f"{head}{begin}{text}\n{end}{rest.split(end, 1)[1]}", encoding="utf-8")


def _us(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.2f}" if value < 1000 else f"{value:.1f}"


if __name__ == "__main__":
    main()
