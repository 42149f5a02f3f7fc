"""The timing of one Workload: fresh processes, fresh inputs, every output compared.

First the empty bracket F0 is measured with a trusted runner, then the submission in several fresh
runners, then F0 again. Short calls are revealed, run and snapshotted in batches. The theory is in
docs/measurement.md, the arithmetic in judge.timing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from judge.devices.interface import Bracket, RunnerFailure, Session, SessionLimits
from judge.domain import TimeBasis, Timing, Verdict, Workload
from judge.events import SamplesTaken
from judge.machine import Machine
from judge.pipeline.aborting import Checkpoint
from judge.pipeline.calls import call_bytes
from judge.pipeline.examination import Examiner
from judge.problems.expressions import evaluate
from judge.problems.oracle import Oracle
from judge.problems.package import ProblemPackage
from judge.timing.credibility import (
    CredibilityReport,
    assess,
    assess_batches,
    baseline_ns,
    choose_basis,
    sample_ms,
)
from judge.timing.statistics import combine, median
from judge.timing.stopping import StopCriteria, StopRule

#: Untimed calls in each fresh process; their outputs are compared like all others.
WARM_UP_CALLS = 2

#: Brackets of the trusted runner, before the submission and again after it.
EMPTY_BRACKETS = 10

#: Word of progress goes out between two brackets at most this often, so as not to disturb them.
PROGRESS_SECONDS = 0.5


class TimingNotCredible(Exception):
    """The clocks disagree; the text says by how much."""


@dataclass(frozen=True)
class TimedProgram:
    """A submission's artifact and the trusted empty one of the same prototype."""

    artifact: Path
    empty_artifact: Path


class WorkloadTimer:
    """Times one Workload of a problem for one submission on one machine."""

    def __init__(
        self,
        package: ProblemPackage,
        oracle: Oracle,
        workload: Workload,
        machine: Machine,
        limits: SessionLimits,
        budget_seconds: float,
        proceed: Checkpoint,
    ) -> None:
        self._package = package
        self._workload = workload
        self._machine = machine
        self._limits = limits
        self._budget_seconds = budget_seconds
        self._proceed = proceed
        self._examiner = Examiner(package, oracle, workload, machine.device.torch_device)
        self._rng = np.random.default_rng()

    def time(self, program: TimedProgram) -> Iterator[SamplesTaken | Timing]:
        """Progress, then the Timing as the last item.

        Raises RunnerFailure when the submission crashes, hangs or computes a wrong answer,
        TimingNotCredible when the clocks disagree, and Aborted.
        """
        basis = self._probe(program.artifact)
        timing = yield from self._measure_twice_if_in_doubt(program, basis)
        # The probe is the submission's word too. One that took its time there and none in the
        # samples is timed again in batches, where a short call has nothing to hide behind.
        if basis is TimeBasis.E and self._choose(timing.e_us) is TimeBasis.T:
            timing = yield from self._measure_twice_if_in_doubt(program, TimeBasis.T)
        yield timing

    def _measure_twice_if_in_doubt(
        self, program: TimedProgram, basis: TimeBasis
    ) -> Generator[SamplesTaken, None, Timing]:
        """A disturbance of the host passes, a cheat stays: only two disagreements make a TNC."""
        try:
            return (yield from self._measure(program, basis))
        except TimingNotCredible:
            return (yield from self._measure(program, basis))

    def _probe(self, artifact: Path) -> TimeBasis:
        """Which clock to report, by the event times of a few single calls."""
        with self._session(artifact, 1) as session:
            single = [self._sample(session, (0,)) for _ in range(WARM_UP_CALLS + 1)]
        return self._choose(median([bracket.event_ns / 1e3 for bracket in single[1:]]))

    def _choose(self, e_us: float) -> TimeBasis:
        return choose_basis(e_us, self._machine.device.timing)

    def _measure(
        self, program: TimedProgram, basis: TimeBasis
    ) -> Generator[SamplesTaken, None, Timing]:
        device = self._machine.device.timing
        calls = self._calls(basis)
        empty = self._empty_brackets(program.empty_artifact, calls)
        f0_ns = baseline_ns(empty)
        brackets: list[Bracket] = []
        processes: list[tuple[float, ...]] = []
        for process in range(device.processes):
            taken: list[float] = []
            told = time.monotonic()
            for bracket in self._process(program.artifact, calls, f0_ns, basis):
                brackets.append(bracket)
                taken.append(sample_ms(bracket, f0_ns, basis, device))
                if time.monotonic() - told > PROGRESS_SECONDS:
                    yield self._progress(process, taken)
                    told = time.monotonic()
            processes.append(tuple(taken))
            yield self._progress(process, taken)
        empty += self._empty_brackets(program.empty_artifact, calls)
        judge_clocks = assess if calls == 1 else assess_batches
        report = judge_clocks(brackets, empty, device)
        if not report.credible:
            raise TimingNotCredible(report.reason)
        return self._timing(basis, processes, report)

    def _progress(self, process: int, taken: Sequence[float]) -> SamplesTaken:
        processes = self._machine.device.timing.processes
        return SamplesTaken(self._workload.name, process, processes, len(taken), median(taken))

    def _calls(self, basis: TimeBasis) -> int:
        """How many calls a bracket holds: one on E; on T as many as the device has room for."""
        if basis is TimeBasis.E:
            return 1
        limits = self._machine.device.timing
        fitting = limits.batch_bytes // max(call_bytes(self._examiner.call), 1)
        return max(1, min(limits.batch_calls, fitting))

    def _process(
        self, artifact: Path, calls: int, f0_ns: float, basis: TimeBasis
    ) -> Iterator[Bracket]:
        """The timed brackets of one fresh process, until the stop rule has enough."""
        device = self._machine.device.timing
        rule = StopRule(self._criteria(), self._rng)
        slots = range(calls)
        with self._session(artifact, calls) as session:
            for _ in range(WARM_UP_CALLS):
                self._sample(session, (0,))
            while True:
                bracket = self._sample(session, slots)
                yield bracket
                if rule.feed(sample_ms(bracket, f0_ns, basis, device)).stop:
                    return

    def _criteria(self) -> StopCriteria:
        """The Workload's rule, shared out among its processes."""
        processes = self._machine.device.timing.processes
        whole = StopCriteria(max_seconds=self._budget_seconds)
        return StopCriteria(
            max_seconds=whole.max_seconds / processes,
            min_samples=math.ceil(whole.min_samples / processes),
            min_samples_slow=math.ceil(whole.min_samples_slow / processes),
        )

    def _empty_brackets(self, artifact: Path, calls: int) -> list[Bracket]:
        """Brackets of the trusted runner with the same footprint and an empty ``solve``."""
        trial = self._examiner.draw()
        with self._session(artifact, calls) as session:
            brackets = []
            for _ in range(WARM_UP_CALLS + EMPTY_BRACKETS):
                self._proceed()
                for slot in range(calls):
                    session.stage(slot, trial.tensors)
                brackets.append(session.bracket(range(calls)))
        return brackets[WARM_UP_CALLS:]

    def _sample(self, session: Session, slots: Sequence[int]) -> Bracket:
        """One bracket over fresh inputs, all its outputs compared."""
        self._proceed()
        trials = [self._examiner.draw() for _ in slots]
        for slot, trial in zip(slots, trials, strict=True):
            session.stage(slot, trial.tensors)
        bracket = session.bracket(slots)
        for slot, trial in zip(slots, trials, strict=True):
            outcome = self._examiner.examine(trial, session, slot)
            if not outcome.ok:
                raise RunnerFailure(
                    Verdict.WA,
                    f"Right in the tests, wrong in a timed call of workload "
                    f"`{self._workload.name}`: {outcome.message}",
                )
        return bracket

    def _session(self, artifact: Path, slots: int) -> AbstractContextManager[Session]:
        machine = self._machine
        return machine.device.open(
            artifact, self._examiner.call, slots, self._limits, machine.executor
        )

    def _timing(
        self,
        basis: TimeBasis,
        processes: Sequence[tuple[float, ...]],
        report: CredibilityReport,
    ) -> Timing:
        combined = combine(processes, self._rng)
        problem, sizes = self._package.problem, self._workload.sizes
        return Timing(
            workload=self._workload.name,
            sizes=sizes,
            basis=basis,
            samples_ms=tuple(processes),
            median_ms=combined.median,
            ci_low_ms=combined.low,
            ci_high_ms=combined.high,
            spread_pct=combined.spread_pct,
            e_us=report.e_us,
            t_us=report.t_us,
            f_residual_us=report.residual_us,
            flops=float(evaluate(problem.flops, sizes)),
            bytes=float(evaluate(problem.bytes, sizes)),
        )
