"""A problem's library call is timed by the judge itself, and held to the problem's own check."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from judge.cli.report import Report
from judge.domain import Status, TimeBasis, Verdict
from judge.events import StageEntered
from judge.machine import Machine
from judge.pipeline import judge_baseline
from judge.problems.errors import PackageError
from judge.problems.package import ProblemPackage, load_package

SUM = "\n\ndef baseline(A, B):\n    return {}\n"


def with_baseline(package: ProblemPackage, into: Path, expression: str) -> ProblemPackage:
    """``package`` with a baseline that returns ``expression``."""
    shutil.copytree(package.directory, into)
    reference = into / "reference.py"
    reference.write_text(reference.read_text() + SUM.format(expression))
    return load_package(into)


def judged(package: ProblemPackage, machine: Machine) -> Report:
    return Report.of(judge_baseline(package, machine))


def test_a_right_baseline_gets_a_time_for_every_workload(machine, vector_add, tmp_path):
    package = with_baseline(vector_add, tmp_path / "vector-add", "A + B")
    events = list(judge_baseline(package, machine))
    stages = [event.status for event in events if isinstance(event, StageEntered)]
    assert stages == [Status.COMPILING, Status.CHECKING, Status.TIMING]
    report = Report.of(events)
    assert report.verdict is Verdict.AC, report.detail
    (timing,) = report.timings
    assert timing.basis is TimeBasis.E
    assert 0 < timing.ci_low_ms <= timing.median_ms <= timing.ci_high_ms
    assert report.score is not None


def test_a_wrong_baseline_is_the_package_s_fault(machine, vector_add, tmp_path):
    package = with_baseline(vector_add, tmp_path / "vector-add", "A - B")
    report = judged(package, machine)
    assert report.verdict is Verdict.JE
    assert "baseline of vector-add is wrong" in report.detail


def test_a_package_without_a_baseline_has_none_to_time(machine, vector_add):
    assert judged(vector_add, machine).verdict is Verdict.UNS


def test_a_baseline_is_checked_like_the_reference(vector_add, tmp_path):
    shutil.copytree(vector_add.directory, tmp_path / "vector-add")
    reference = tmp_path / "vector-add" / "reference.py"
    reference.write_text(reference.read_text() + "\n\ndef baseline(A, D):\n    return A\n")
    with pytest.raises(PackageError, match='baseline: unknown argument "D"'):
        load_package(tmp_path / "vector-add")


@pytest.mark.parametrize("slug", ["matmul", "mnist-matmul", "reduction", "transpose"])
def test_every_bundled_problem_has_a_right_baseline(machine, slug):
    package = load_package(Path(__file__).resolve().parents[2] / "problems" / slug)
    report = judged(package, machine)
    assert report.verdict is Verdict.AC, report.detail
