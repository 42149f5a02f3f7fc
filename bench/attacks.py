"""`make attacks`: judge the attack corpus here, and say of every program whether it got its due.

Exits 0 only when every attack that applies to this machine's device got a verdict that it deserves
and every honest twin was accepted. "tried" counts both. ``--after-runs N`` judges an honest program
before and after each of N attacks in random order instead (bench.after_attacks).
``--record`` writes tests/attacks/results/<device>.json, where rows of other back ends are kept.
"""

from __future__ import annotations

import argparse
import dataclasses
import fnmatch
import json
import random
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import after_attacks, recording
from bench.attack_corpus import CORPUS, Attack, load_corpus, package_of
from judge import pipeline
from judge.cli.report import Report
from judge.domain import AUTO
from judge.machine import Machine, this_machine
from judge.problems.package import load_package


@dataclass(frozen=True)
class Tried:
    """One program of the corpus and what it got; ``complaint`` is empty where that was its due."""

    attack: Attack
    report: Report
    seconds: float
    complaint: str

    def row(self, backend: str) -> dict[str, Any]:
        """The row of a committed result; times in µs, None where nothing was timed."""
        timing = self.report.timings[0] if self.report.timings else None
        return {
            "attack": self.attack.slug,
            "backend": backend,
            "expected": "/".join(self.attack.verdicts),
            "verdict": str(self.report.verdict),
            "e_us": timing.e_us if timing else None,
            "f_residual_us": timing.f_residual_us if timing else None,
        }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default=AUTO)
    parser.add_argument("--only", default="*", help="a glob over kind/name")
    parser.add_argument("--after-runs", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, help="of the random order")
    parser.add_argument("--budget", type=float, default=3600.0, help="begin none after, seconds")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--output", type=Path, help="where --record writes instead")
    arguments = parser.parse_args()
    machine = this_machine(arguments.device)
    corpus = [
        attack
        for attack in load_corpus()
        if machine.device.kind in attack.devices and fnmatch.fnmatch(attack.slug, arguments.only)
    ]
    if not corpus:
        parser.error(f"no attack for the {machine.device.kind} device is called {arguments.only}")
    deadline = time.monotonic() + arguments.budget
    if arguments.after_runs:
        seed = arguments.seed if arguments.seed is not None else random.randrange(2**32)
        hostile = [attack for attack in corpus if not attack.twin_of]
        turn = threading.Lock()
        return after_attacks.compare(
            machine,
            hostile,
            arguments.after_runs,
            seed,
            deadline,
            lambda attack: try_one(machine, attack, turn).report,
        )
    backend, tried = machine.executor.name, []
    for outcome in judge_all(machine, corpus, deadline):
        tried.append(outcome)
        print(line(outcome, backend), flush=True)
    if arguments.record or arguments.output:
        default = CORPUS / "results" / f"{machine.device.name}.json"
        record(arguments.output or default, machine, [one.row(backend) for one in tried])
    skipped = len(corpus) - len(tried)
    if skipped:
        print(f"{skipped} were not tried: the budget of {arguments.budget:.0f} s was spent")
    escaped = [one for one in tried if one.complaint]
    for one in escaped:
        print(f"ESCAPED {one.attack.slug}: {one.complaint}")
    print(
        f"attacks: {len(tried)} tried, {len(tried) - len(escaped)} as expected, "
        f"{len(escaped)} escaped"
    )
    return 1 if escaped or skipped else 0


def judge_all(machine: Machine, corpus: Iterable[Attack], deadline: float) -> Iterator[Tried]:
    """Judge each of ``corpus`` in its order; one is compiled while another is on the device."""
    turn = threading.Lock()

    def one(attack: Attack) -> Tried | None:
        return try_one(machine, attack, turn) if time.monotonic() < deadline else None

    with ThreadPoolExecutor(max_workers=2) as pool:
        yield from (outcome for outcome in pool.map(one, corpus) if outcome is not None)


def try_one(machine: Machine, attack: Attack, turn: AbstractContextManager[object]) -> Tried:
    """Submit one program as a user would."""
    began, report, said = time.monotonic(), Report(), []
    package = load_package(package_of(attack))
    for event in pipeline.judge(attack.source, package, machine, turn=lambda: turn):
        report.add(event)
        said.append(json.dumps(dataclasses.asdict(event), default=str))
    return Tried(attack, report, time.monotonic() - began, _complaint(attack, report, said))


def _complaint(attack: Attack, report: Report, said: Sequence[str]) -> str:
    if report.verdict not in attack.verdicts:
        due = " or ".join(attack.verdicts)
        return f"{due} is its due, it got {report.verdict}: {report.message} {report.detail}"
    if attack.message and attack.message not in report.message + report.compiler_output:
        return f"{attack.message!r} is not in what the user reads: {report.message}"
    if attack.never and any(attack.never in text for text in said):
        return f"what the judge says contains {attack.never!r}"
    return ""


def line(one: Tried, backend: str) -> str:
    """One program's line of the table."""
    row = one.row(backend)
    times = "" if row["e_us"] is None else f"E {row['e_us']:.1f} R {row['f_residual_us']:.1f} µs"
    return (
        f"{'ok  ' if not one.complaint else 'BAD '} {row['attack']:<52} {backend:<11} "
        f"{row['expected']:<12} {row['verdict']:<4} {one.seconds:5.1f} s  {times}"
    )


def record(path: Path, machine: Machine, rows: Sequence[dict[str, Any]]) -> None:
    """Write ``rows``; those of back ends that were not tried now stay from an older record."""
    kept = json.loads(path.read_text("utf-8"))["rows"] if path.exists() else []
    tried_now = {row["backend"] for row in rows}
    others = [row for row in kept if row["backend"] not in tried_now]
    environment = recording.environment(machine)
    backends = sorted(tried_now | {row["backend"] for row in others})
    document = {"environment": {**environment, "sandbox": " and ".join(backends)}}
    recording.write(path, {**document, "rows": [*others, *rows]})
    print(f"written to {path}")


if __name__ == "__main__":
    sys.exit(main())
