"""The authoring guide's worked example, as a package on disk that tests may bend."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "authoring.md"


@pytest.fixture
def row_sum(tmp_path: Path) -> Path:
    """A fresh folder ``row-sum`` with the four files of the guide's worked example."""
    blocks = dict(re.findall(r"```(toml|python|cuda)\n(.*?)```", GUIDE.read_text(), re.DOTALL))
    directory = tmp_path / "problems" / "row-sum"
    directory.mkdir(parents=True)
    (directory / "problem.toml").write_text(blocks["toml"])
    (directory / "reference.py").write_text(blocks["python"])
    (directory / "starter.cu").write_text(blocks["cuda"])
    (directory / "statement.md").write_text("Sum every row.\n")
    return directory
