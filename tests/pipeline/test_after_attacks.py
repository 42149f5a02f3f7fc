"""After an attack the next run is judged as if there had been none.

Fifty rounds with their times are `python -m bench.attacks --after-runs 50`; here are a few that try
to leave something behind, for their verdicts.
"""

from __future__ import annotations

import random
import threading
from pathlib import Path

from bench.after_attacks import rounds
from bench.attack_corpus import Attack, load_corpus
from bench.attacks import try_one
from judge.cli.report import Report
from judge.domain import Verdict
from judge.machine import Machine

#: Each ends in a way of its own: a kernel that never does, a broken context, a process that heeds
#: no signal, an end that says success, threads left behind, a flood.
LEAVING = (
    "host/infinite_kernel",
    "host/sticky_error",
    "host/ignores_signals",
    "host/exit_in_solve",
    "host/thread_bomb",
    "host/output_flood",
)
ROUNDS = 6


def test_honest_programs_are_accepted_between_attacks(machine: Machine):
    seed = random.randrange(2**32)
    print(f"seed {seed}")  # pytest shows it when the test fails
    hostile = [attack for attack in load_corpus() if attack.slug in LEAVING]
    assert len(hostile) == len(LEAVING)
    complaints: list[str] = []

    def attacked(attack: Attack) -> Report:
        tried = try_one(machine, attack, threading.Lock())
        complaints.append(tried.complaint)
        return tried.report

    found = list(rounds(machine, hostile, ROUNDS, random.Random(seed), attacked))
    assert [one.after.verdict for one in found] == [Verdict.AC] * ROUNDS
    assert [one.control.verdict for one in found] == [Verdict.AC] * ROUNDS
    assert complaints == [""] * ROUNDS


def test_nothing_of_a_wedged_run_is_left(machine: Machine):
    (wedge,) = [attack for attack in load_corpus() if attack.slug == "host/ignores_signals"]
    before = _descendants()
    assert try_one(machine, wedge, threading.Lock()).report.verdict is Verdict.TLE
    assert _descendants() - before == set()


def _descendants() -> set[int]:
    """Process ids of everything that this process has started and that is not reaped."""
    found: list[Path] = [Path("/proc/self")]
    for process in found:
        for children in process.glob("task/*/children"):
            found += [Path("/proc", pid) for pid in children.read_text().split()]
    return {int(process.name) for process in found[1:]}
