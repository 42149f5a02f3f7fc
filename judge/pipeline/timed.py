"""The timing of one Workload: which clock to ask, when it is enough, whether to believe it.

First the empty bracket F0 is measured with a trusted runner, then the submission in several fresh
runners, then F0 again. Short calls are also revealed, run and snapshotted in batches. The theory is
in docs/measurement.md, the arithmetic in judge.timing.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from judge.devices.interface import Bracket, SessionLimits
from judge.domain import TimeBasis, Timing, Workload
from judge.events import SamplesTaken
from judge.machine import Machine
from judge.pipeline.aborting import Checkpoint
from judge.pipeline.brackets import BracketSource
from judge.problems.expressions import evaluate
from judge.problems.oracle import Oracle
from judge.problems.package import ProblemPackage
from judge.timing.credibility import (
    ClockRules,
    CredibilityReport,
    Peaks,
    assess,
    assess_batches,
    baseline_ns,
    below_floor,
    event_cost_us,
    needs_batches,
    sample_ms,
    vouch,
)
from judge.timing.statistics import combine, median
from judge.timing.stopping import StopRule, shared_out

#: Word of progress goes out between two brackets at most this often, so as not to disturb them.
PROGRESS_SECONDS = 0.5


class TimingNotCredible(Exception):
    """The clocks disagree, or the time is beyond the hardware; the text says by how much."""


@dataclass(frozen=True)
class TimedProgram:
    """A submission's artifact and the trusted empty one of the same prototype."""

    artifact: Path
    empty_artifact: Path


@dataclass(frozen=True)
class _Shapes:
    """Calls in the brackets that are reported and in those that vouch for them (1: none do)."""

    reported: int
    vouching: int


class WorkloadTimer:
    """Times one Workload of a problem for one submission on one machine.

    ``disturbances`` are clauses on what the device's sensors saw while what was kept was timed.
    """

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
        self.disturbances: tuple[str, ...] = ()
        self._package = package
        self._workload = workload
        self._device = machine.device
        self._limits = machine.device.timing
        self._budget_seconds = budget_seconds
        self._source = BracketSource(package, oracle, workload, machine, limits, proceed)
        self._rng = np.random.default_rng()
        self._repeated = False

    def time(self, program: TimedProgram) -> Iterator[SamplesTaken | Timing]:
        """Progress, then the Timing as the last item.

        Raises RunnerFailure when the submission crashes, hangs or computes a wrong answer,
        TimingNotCredible when its time is not to be believed, and Aborted.
        """
        probe = self._source.probe(program.artifact)
        short = self._is_short(median([bracket.event_ns / 1e3 for bracket in probe]))
        timing = yield from self._measure_twice_if_in_doubt(program, short)
        # The probe is the submission's word too. One that took its time there and none in the
        # samples is timed again in batches, where a short call has nothing to hide behind.
        if not short and self._is_short(timing.e_us):
            timing = yield from self._measure_twice_if_in_doubt(program, short=True)
        impossible = below_floor(
            timing.median_ms * 1e3, timing.flops, timing.bytes, Peaks.of(self._device.peaks())
        )
        if impossible is not None:
            raise TimingNotCredible(impossible)
        yield timing

    def _is_short(self, e_us: float) -> bool:
        return needs_batches(e_us, self._limits)

    def _measure_twice_if_in_doubt(
        self, program: TimedProgram, short: bool
    ) -> Generator[SamplesTaken, None, Timing]:
        """A disturbance of the host passes, a cheat stays: only two disagreements make a TNC."""
        try:
            return (yield from self._measure(program, self._shapes(short)))
        except TimingNotCredible:
            return (yield from self._measure(program, self._shapes(short)))

    def _shapes(self, short: bool) -> _Shapes:
        if not short:
            return _Shapes(reported=1, vouching=1)
        batch = self._source.batch_calls
        if self._limits.batches_vouch:
            return _Shapes(reported=1, vouching=batch)
        return _Shapes(reported=batch, vouching=1)

    def _measure(
        self, program: TimedProgram, shapes: _Shapes
    ) -> Generator[SamplesTaken, None, Timing]:
        both = (shapes.reported, shapes.vouching)
        empty = self._source.empty(program.empty_artifact, both)
        f0_ns = baseline_ns(_of(empty, shapes.reported))
        processes = []
        for number in range(self._limits.processes):
            brackets = yield from self._process(program.artifact, shapes, f0_ns, number)
            processes.append(brackets)
        empty += self._source.empty(program.empty_artifact, both)
        report = self._believe([b for process in processes for b in process], empty, shapes)
        return self._timing(processes, empty, report, shapes)

    def _process(
        self, artifact: Path, shapes: _Shapes, f0_ns: float, number: int
    ) -> Generator[SamplesTaken, None, list[Bracket]]:
        """One fresh process's brackets, once more if the device's sensors saw a disturbance.

        A Workload is repeated once: a kernel that drives the chip to its power limit does so
        every time. What is disturbed still is kept, and the Run says so.
        """
        while True:
            with self._device.watch() as window:
                brackets = yield from self._brackets(artifact, shapes, f0_ns, number)
            seen = window.disturbances()
            if not seen or self._repeated:
                self.disturbances += tuple(
                    clause for clause in seen if clause not in self.disturbances
                )
                return brackets
            self._repeated = True

    def _brackets(
        self, artifact: Path, shapes: _Shapes, f0_ns: float, number: int
    ) -> Generator[SamplesTaken, None, list[Bracket]]:
        basis = TimeBasis.E if shapes.reported == 1 else TimeBasis.T
        vouched = shapes.reported == 1 and shapes.vouching > 1
        criteria = shared_out(self._budget_seconds, self._limits.processes, vouched)
        rule = StopRule(criteria, self._rng)
        told = time.monotonic()
        brackets: list[Bracket] = []

        def enough(bracket: Bracket) -> bool:
            return rule.feed(sample_ms(bracket, f0_ns, basis, self._limits)).stop

        def progress() -> SamplesTaken:
            taken = rule.samples
            processes = self._limits.processes
            return SamplesTaken(self._workload.name, number, processes, len(taken), median(taken))

        for bracket in self._source.process(artifact, shapes.reported, shapes.vouching, enough):
            brackets.append(bracket)
            if rule.samples and time.monotonic() - told > PROGRESS_SECONDS:
                yield progress()
                told = time.monotonic()
        yield progress()
        return brackets

    def _believe(
        self, brackets: Sequence[Bracket], empty: Sequence[Bracket], shapes: _Shapes
    ) -> CredibilityReport:
        """What the clocks say together; raises TimingNotCredible."""
        judge_clocks = assess if shapes.reported == 1 else assess_batches
        report = judge_clocks(
            _of(brackets, shapes.reported), _of(empty, shapes.reported), self._limits
        )
        if shapes.vouching > 1:
            report = vouch(
                report,
                assess_batches(
                    _of(brackets, shapes.vouching), _of(empty, shapes.vouching), self._limits
                ),
                event_cost_us(_of(empty, 1)),
                ClockRules.of(self._limits, shapes.vouching),
            )
        if not report.credible:
            raise TimingNotCredible(report.reason)
        return report

    def _timing(
        self,
        processes: Sequence[Sequence[Bracket]],
        empty: Sequence[Bracket],
        report: CredibilityReport,
        shapes: _Shapes,
    ) -> Timing:
        calls, events_us = shapes.reported, 0.0
        if report.basis is TimeBasis.T and shapes.vouching > 1:
            calls, events_us = shapes.vouching, event_cost_us(_of(empty, 1))
        f0_ns = baseline_ns(_of(empty, calls))
        samples = tuple(
            tuple(
                sample_ms(bracket, f0_ns, report.basis, self._limits, events_us)
                for bracket in _of(process, calls)
            )
            for process in processes
        )
        combined = combine(samples, self._rng)
        problem, sizes = self._package.problem, self._workload.sizes
        return Timing(
            workload=self._workload.name,
            sizes=sizes,
            basis=report.basis,
            samples_ms=samples,
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


def _of(brackets: Sequence[Bracket], calls: int) -> list[Bracket]:
    return [bracket for bracket in brackets if bracket.calls == calls]
