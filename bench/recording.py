"""What every committed result carries: environment, date, commit; and how it is written."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from judge import pipeline
from judge.machine import Machine
from stack.local import ROOT

RESULTS = ROOT / "bench" / "results"


def environment(machine: Machine) -> dict[str, Any]:
    """The Environment of a Run on ``machine`` now, with date and commit."""
    return {
        **dataclasses.asdict(pipeline.environment(machine)),
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit(),
    }


def commit() -> str:
    """The checkout's commit, with ``-dirty`` if files differ from it.

    A copy without its history takes it from WARPBOARD_COMMIT.
    """
    named = os.environ.get("WARPBOARD_COMMIT")
    if named:
        return named
    found = subprocess.run(
        ["git", "describe", "--always", "--abbrev=12", "--dirty"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    return found.stdout.strip() if found.returncode == 0 else "unknown"


def write(path: Path, document: Mapping[str, Any]) -> None:
    """``document`` as JSON that diffs well, one row a line under ``rows``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = document.get("rows", [])
    head = json.dumps({k: v for k, v in document.items() if k != "rows"}, indent=2)
    lines = ",\n".join(f"    {json.dumps(row)}" for row in rows)
    body = f'{head.rstrip().removesuffix("}").rstrip()},\n  "rows": [\n{lines}\n  ]\n}}\n'
    path.write_text(body, encoding="utf-8")
