"""`warpboard doctor` as a person runs it: lines, --json and exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from judge.execution import SandboxUnavailable
from judge.sandbox import default_executor


def doctor(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        (str(Path(sys.executable).parent / "warpboard"), "doctor", *arguments),
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def findings(done: subprocess.CompletedProcess[str]) -> dict[str, dict[str, str]]:
    return {one["what"]: one for one in json.loads(done.stdout)["findings"]}


def test_a_machine_with_all_it_needs_can_judge():
    try:
        default_executor()
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    done = doctor("--device", "emulated", "--json")
    assert done.returncode == 0, done.stdout
    told = findings(done)
    assert json.loads(done.stdout)["ok"] is True
    assert told["sandbox bubblewrap"]["state"] == "ok"
    assert told["emulated device"]["state"] == "ok"
    assert {"seccomp", "Landlock", "control groups", "cache", "broker"} <= told.keys()


def test_what_is_missing_is_a_fault_that_says_what_to_do(tmp_path: Path):
    done = doctor("--json", PATH=str(tmp_path))
    assert done.returncode == 3
    compiler = findings(done)["g++"]
    assert compiler["state"] == "fault"
    assert "apt-get install g++" in compiler["to_do"]


def test_a_broker_that_does_not_answer_is_told_in_words():
    done = doctor("--device", "emulated", WARPBOARD_BROKER_URL="redis://127.0.0.1:1/0")
    (line,) = [line for line in done.stdout.splitlines() if "broker:" in line]
    assert not line.startswith("ok"), line
