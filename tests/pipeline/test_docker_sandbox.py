"""A Run whose compilers and runners all live in containers."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import pipeline
from judge.cli.report import Report
from judge.domain import Verdict
from judge.machine import Machine, this_machine
from judge.problems.package import load_package

PROBLEM = Path(__file__).resolve().parents[1] / "data" / "problems" / "vector-add"
RIGHT = PROBLEM / "submissions" / "accepted" / "one_thread_an_element.cu"


@pytest.fixture
def contained(sandbox_image: str, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setenv("WARPBOARD_SANDBOX", "docker")
    monkeypatch.setenv("WARPBOARD_SANDBOX_IMAGE", sandbox_image)
    return this_machine("emulated")


def test_a_right_kernel_is_accepted_and_the_image_recorded(
    contained: Machine, sandbox_image: str
) -> None:
    report = Report.of(pipeline.judge(RIGHT.read_text(), load_package(PROBLEM), contained))
    assert report.verdict is Verdict.AC, report.detail or report.message
    assert report.environment is not None
    assert report.environment.sandbox == "docker"
    assert report.environment.image_digest == sandbox_image
