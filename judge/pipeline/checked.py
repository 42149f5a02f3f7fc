"""The correctness tests of a Run: every TestCase with its secret seeds, each in the real runner."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from judge.checking import OutputCheck
from judge.devices.interface import RunnerFailure, SessionLimits
from judge.domain import CaseResult, TestCase, Verdict
from judge.events import CaseJudged
from judge.machine import Machine
from judge.pipeline.aborting import Checkpoint
from judge.pipeline.examination import Examiner
from judge.problems.oracle import Oracle
from judge.problems.package import ProblemPackage


def check(
    package: ProblemPackage,
    oracle: Oracle,
    artifact: Path,
    machine: Machine,
    limits: SessionLimits,
    proceed: Checkpoint,
) -> Iterator[CaseJudged]:
    """Judge every case; each TestCase gets a fresh runner, each of its seeds fresh inputs.

    A wrong answer lets the remaining cases go on, so that the user sees which fail. Anything
    else (crash, time limit) ends the tests: the next case would most likely end the same way.
    """
    tests = package.problem.tests_for(machine.device.kind)
    total = sum(test.seeds for test in tests)
    index = 0
    for test in tests:
        examiner = Examiner(package, oracle, test, machine.device.torch_device)
        try:
            with machine.device.open(
                artifact, examiner.call, 1, limits, machine.executor
            ) as session:
                for _ in range(test.seeds):
                    proceed()
                    trial = examiner.draw()
                    session.stage(0, trial.tensors)
                    session.bracket((0,))
                    outcome = examiner.examine(trial, session, 0)
                    verdict = Verdict.AC if outcome.ok else Verdict.WA
                    result = _result(test, verdict, outcome.message, outcome)
                    yield CaseJudged(index, total, result)
                    index += 1
        except RunnerFailure as failure:
            yield CaseJudged(index, total, _result(test, failure.verdict, failure.message))
            return


def _result(
    test: TestCase, verdict: Verdict, message: str, outputs: OutputCheck | None = None
) -> CaseResult:
    return CaseResult(
        case=test.name,
        verdict=verdict,
        sizes=test.sizes,
        distribution=test.distribution,
        hidden=test.hidden,
        max_abs_error=outputs.max_abs_error if outputs else None,
        max_rel_error=outputs.max_rel_error if outputs else None,
        mismatch=outputs.mismatch if outputs else None,
        message=message,
    )
