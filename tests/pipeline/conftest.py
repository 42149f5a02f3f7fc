"""A real machine: real sandbox, compiler and runner on the emulated device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from judge import pipeline
from judge.cli.report import Report
from judge.devices.emulated import EmulatedDevice
from judge.execution import SandboxUnavailable
from judge.machine import Machine, this_machine
from judge.problems.package import ProblemPackage, load_package


class HastyDevice(EmulatedDevice):
    timing = replace(EmulatedDevice.timing, max_seconds=0.5)


DATA = Path(__file__).resolve().parent.parent / "data"


@pytest.fixture(scope="session")
def machine() -> Machine:
    """With fewer samples than a Run deserves: what these tests ask does not hang on them."""
    try:
        machine = this_machine("emulated")
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    return replace(machine, device=HastyDevice())


@pytest.fixture(scope="session")
def vector_add() -> ProblemPackage:
    return load_package(DATA / "problems" / "vector-add")


@pytest.fixture
def judged(machine: Machine, vector_add: ProblemPackage) -> Callable[[str], Report]:
    """Judges a source as a submission to vector-add; the finished report."""

    def judge(source: str) -> Report:
        return Report.of(pipeline.judge(source, vector_add, machine))

    return judge
