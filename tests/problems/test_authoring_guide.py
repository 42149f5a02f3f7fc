"""The authoring guide's worked example is a package that loads."""

from __future__ import annotations

import re
from pathlib import Path

from judge.domain import DeviceKind, ToleranceRule
from judge.problems import prototype
from judge.problems.content import EXAMPLE_FOLDERS
from judge.problems.distributions import Distribution
from judge.problems.package import load_package

GUIDE = Path(__file__).parents[2] / "docs" / "authoring.md"


def write_worked_example(directory: Path) -> None:
    blocks = dict(re.findall(r"```(toml|python|cuda)\n(.*?)```", GUIDE.read_text(), re.DOTALL))
    directory.mkdir()
    (directory / "problem.toml").write_text(blocks["toml"])
    (directory / "reference.py").write_text(blocks["python"])
    (directory / "starter.cu").write_text(blocks["cuda"])
    (directory / "statement.md").write_text("Sum every row.\n")


def test_the_worked_example_of_the_guide_loads(tmp_path: Path) -> None:
    write_worked_example(tmp_path / "row-sum")
    package = load_package(tmp_path / "row-sum")
    problem = package.problem
    assert problem.size_names == ("M", "N")
    assert problem.tolerance.rule is ToleranceRule.REDUCTION
    assert [w.sizes["M"] for w in problem.workloads_for(DeviceKind.EMULATED)] == [256]
    assert prototype.signature(problem) in package.starter


def test_the_guide_names_every_distribution_and_verdict_folder() -> None:
    guide = GUIDE.read_text()
    for word in (*(name.value for name in Distribution), *EXAMPLE_FOLDERS):
        assert f"`{word}`" in guide
