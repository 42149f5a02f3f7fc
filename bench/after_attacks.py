"""Attack, then an honest program, again and again: what comes next must not feel what came before.

Each round judges an honest program (the control: an honest one came before it), an attack, and the
honest program once more. Knows how to judge and to compare times; not what the corpus holds.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bench.attack_corpus import Attack
from judge import pipeline
from judge.cli.report import Report
from judge.domain import DeviceKind, Score, Verdict
from judge.machine import Machine
from judge.problems.package import ProblemPackage, load_package
from judge.ranking import tied
from judge.timing.statistics import median_interval
from stack.local import ROOT

HONEST_PROBLEM = ROOT / "tests" / "data" / "problems" / "vector-add"
HONEST = HONEST_PROBLEM / "submissions" / "accepted" / "one_thread_an_element.cu"

#: On a GPU every single time after an attack may be this far off at least, whatever the controls'.
NOISE = 0.02


@dataclass(frozen=True)
class Round:
    """One attack, and the honest program before and after it."""

    attack: Attack
    attack_verdict: Verdict
    control: Report
    after: Report


def rounds(
    machine: Machine,
    hostile: Sequence[Attack],
    count: int,
    choose: random.Random,
    try_attack: Callable[[Attack], Report],
) -> Iterator[Round]:
    """``count`` rounds with attacks drawn from ``hostile`` by ``choose``."""
    package = load_package(HONEST_PROBLEM)
    for _ in range(count):
        control = _judge_honest(machine, package)
        attack = choose.choice(hostile)
        verdict = try_attack(attack).verdict
        yield Round(attack, verdict, control, _judge_honest(machine, package))


def compare(
    machine: Machine,
    hostile: Sequence[Attack],
    count: int,
    seed: int,
    deadline: float,
    try_attack: Callable[[Attack], Report],
) -> int:
    """Print ``count`` rounds, and what they say together; 0 when nothing was left behind.

    Every honest run must be accepted. The medians of the times with and without an attack before
    must be tied by the board's own rule. On a GPU each time by itself must be within noise as well;
    an emulated one depends on what else its machine does.
    """
    print(f"{count} attacks in random order, seed {seed}")
    choose = random.Random(seed)
    controls: list[float] = []
    after: list[float] = []
    done = refused = 0
    for one in rounds(machine, hostile, count, choose, try_attack):
        done += 1
        pair = [_milliseconds(report) for report in (one.control, one.after)]
        refused += pair.count(None)
        controls += [ms for ms in pair[:1] if ms is not None]
        after += [ms for ms in pair[1:] if ms is not None]
        print(_line(one), flush=True)
        if time.monotonic() > deadline:
            break
    if done < count:
        print(f"{count - done} were not tried: the budget was spent")
    if refused or not after:
        print(f"after attacks: {done} rounds, {refused} honest runs were not accepted")
        return 1
    strays = _strays(controls, after) if machine.device.kind is DeviceKind.CUDA else 0
    before_all, after_all = _estimate(controls), _estimate(after)
    same = tied(before_all, after_all)
    print(
        f"after attacks: {done} rounds, every honest run accepted; median {_text(after_all)} after "
        f"an attack, {_text(before_all)} after an honest run: {'tied' if same else 'NOT TIED'}"
        + (f"; {strays} of them out of the controls' noise" if strays else "")
    )
    return 0 if same and not strays and done == count else 1


def _judge_honest(machine: Machine, package: ProblemPackage) -> Report:
    return Report.of(pipeline.judge(HONEST.read_text("utf-8"), package, machine))


def _milliseconds(report: Report) -> float | None:
    """The time of an accepted Run; None for any other."""
    if report.verdict is not Verdict.AC or report.score is None:
        return None
    return report.score.value_ms


def _strays(controls: Sequence[float], after: Sequence[float]) -> int:
    """Times after an attack that are further off than any control, and than NOISE."""
    usual = statistics.median(controls)
    noise = max(NOISE, max(abs(ms / usual - 1) for ms in controls))
    return sum(abs(ms / usual - 1) > noise for ms in after)


def _estimate(times_ms: Sequence[float]) -> Score:
    estimate = median_interval(times_ms, np.random.default_rng(0))
    return Score(estimate.median, estimate.low, estimate.high)


def _text(score: Score) -> str:
    return f"{score.value_ms:.5f} ms [{score.ci_low_ms:.5f}, {score.ci_high_ms:.5f}]"


def _line(one: Round) -> str:
    before, after = _milliseconds(one.control), _milliseconds(one.after)
    if before is None or after is None:
        broken = one.control if before is None else one.after
        told = f"the honest program got {broken.verdict}: {broken.message} {broken.detail}"
    else:
        told = f"{before:.5f} ms before, {after:.5f} ms after, {after / before - 1:+.2%}"
    good = "ok  " if before is not None and after is not None else "BAD "
    return f"{good} {one.attack.slug:<52} {one.attack_verdict!s:<4} {told}"
