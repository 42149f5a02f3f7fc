"""`make test-gpu`: the tests that only a GPU can run, and a record of their outcome.

Writes ``bench/results/test-gpu-<device>.json``; arguments after ``--`` go to pytest.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

from bench import recording
from judge.domain import AUTO
from judge.machine import this_machine
from stack.local import ROOT


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, help="instead of bench/results/")
    parser.add_argument("pytest", nargs="*", help="arguments for pytest, after --")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.xml"
        run = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-m", "gpu", "tests/gpu"),
                f"--junit-xml={report}",
                *arguments.pytest,
            ],
            cwd=ROOT,
        )
        outcome = read_outcome(report) if report.exists() else {"tests": 0}
    # Only now: the tests want the device to themselves.
    machine = this_machine(AUTO)
    output = arguments.output or recording.RESULTS / f"test-gpu-{machine.device.name}.json"
    recording.write(
        output,
        {
            "environment": recording.environment(machine),
            "pytest_status": run.returncode,
            **outcome,
        },
    )
    print(f"written to {output}")
    return run.returncode


def read_outcome(report: Path) -> dict[str, Any]:
    """Counts, seconds and one row a test, out of pytest's JUnit report."""
    rows = []
    for case in ElementTree.parse(report).iter("testcase"):
        states = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
        rows.append(
            {
                "test": f"{case.get('classname', '')}::{case.get('name', '')}",
                "outcome": states[0] if states else "passed",
                "seconds": float(case.get("time", "0")),
            }
        )
    counts = {
        state: sum(row["outcome"] == state for row in rows)
        for state in ("passed", "failure", "error", "skipped")
    }
    return {"tests": len(rows), **counts, "rows": rows}


if __name__ == "__main__":
    sys.exit(main())
