"""The authoring guide's worked example is a package that loads and whose oracle runs."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from judge.domain import DeviceKind, ToleranceRule
from judge.problems import prototype
from judge.problems.content import EXAMPLE_FOLDERS
from judge.problems.distributions import Distribution
from judge.problems.inputs import make_inputs
from judge.problems.oracle import load_oracle
from judge.problems.package import load_package

GUIDE = Path(__file__).parents[2] / "docs" / "authoring.md"


def test_the_worked_example_of_the_guide_loads(row_sum: Path) -> None:
    package = load_package(row_sum)
    problem = package.problem
    assert problem.size_names == ("M", "N")
    assert problem.tolerance.rule is ToleranceRule.REDUCTION
    assert [w.sizes["M"] for w in problem.workloads_for(DeviceKind.EMULATED)] == [256]
    assert prototype.signature(problem) in package.starter


def test_the_worked_example_computes_what_it_says(row_sum: Path) -> None:
    package = load_package(row_sum)
    case = package.problem.tests[2]
    inputs = make_inputs(package, case, torch.Generator().manual_seed(1))
    oracle = load_oracle(package)
    expected = oracle.reference(inputs, case.sizes, case.scalars)["y"]
    assert expected.tolist() == pytest.approx(
        [2.0 * sum(row) for row in inputs["x"].tolist()], rel=1e-9, abs=1e-6
    )
    magnitude = oracle.magnitude(inputs, case.sizes, case.scalars)
    assert magnitude is not None
    assert bool((magnitude["y"] >= expected.abs()).all())


def test_the_guide_names_every_distribution_and_verdict_folder() -> None:
    guide = GUIDE.read_text()
    for word in (*(name.value for name in Distribution), *EXAMPLE_FOLDERS):
        assert f"`{word}`" in guide
