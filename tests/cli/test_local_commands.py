"""`warpboard judge` and `verify` as a person runs them: output, --json and exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from judge.execution import SandboxUnavailable
from judge.sandbox import default_executor

DATA = Path(__file__).resolve().parent.parent / "data" / "problems"
ADD = DATA / "vector-add" / "submissions" / "accepted" / "one_thread_an_element.cu"
SUBTRACT = DATA / "vector-add" / "submissions" / "wrong_answer" / "subtracts.cu"


@pytest.fixture(scope="module", autouse=True)
def _needs_a_sandbox() -> None:
    try:
        default_executor()
    except SandboxUnavailable as error:
        pytest.skip(str(error))


def warpboard(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        (str(Path(sys.executable).parent / "warpboard"), *map(str, arguments)),
        env={**os.environ, "WARPBOARD_PROBLEMS": str(DATA), "WARPBOARD_CONFIG": "/nonexistent"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_judging_a_right_kernel_exits_0_and_prints_one_json_object() -> None:
    done = warpboard("judge", ADD, "--problem", "vector-add", "--json")

    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["verdict"] == "AC"
    assert report["score_ms"] > 0
    assert report["environment"]["device"] == "emulated"
    assert [case["verdict"] for case in report["cases"]] == ["AC"] * 5
    (workload,) = report["workloads"]
    assert workload["ci_low_ms"] <= workload["median_ms"] <= workload["ci_high_ms"]
    assert {"e_us", "t_us", "f_residual_us"} <= set(workload)


def test_a_wrong_kernel_exits_1_and_says_what_is_wrong() -> None:
    done = warpboard("judge", SUBTRACT, "--problem", "vector-add")

    assert done.returncode == 1
    assert done.stdout.startswith("WA wrong answer\nCase `one element`: C[0] is ")
    assert done.stderr == "", "progress is for terminals only"


def test_an_unknown_problem_exits_2_and_names_what_there_is() -> None:
    done = warpboard("judge", ADD, "--problem", "no-such-problem")

    assert done.returncode == 2
    assert "no-such-problem" in done.stderr
    assert "vector-add" in done.stderr


def test_an_unknown_device_exits_2_and_names_what_there_is() -> None:
    done = warpboard("judge", ADD, "--problem", "vector-add", "--device", "h9000")

    assert done.returncode == 2
    assert "h9000" in done.stderr
    assert "emulated" in done.stderr


def test_a_file_that_is_no_text_exits_2(tmp_path: Path) -> None:
    binary = tmp_path / "kernel.cu"
    binary.write_bytes(b"\x7fELF\x00\x00")

    done = warpboard("judge", binary, "--problem", "vector-add")

    assert done.returncode == 2
    assert "NUL byte on line 1" in done.stderr


def test_submitting_without_a_token_exits_4() -> None:
    done = warpboard("submit", ADD, "--problem", "vector-add")

    assert done.returncode == 4
    assert "WARPBOARD_TOKEN" in done.stderr


def test_a_site_that_is_down_is_a_judge_fault() -> None:
    done = warpboard("board", "vector-add", "--site", "http://127.0.0.1:9")

    assert done.returncode == 3
    assert "cannot be reached" in done.stderr


def test_verify_judges_every_example_and_catches_every_mutant() -> None:
    done = warpboard("verify", DATA / "vector-add", "--json")

    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["ok"] is True
    found = {finding["what"]: finding["detail"] for finding in report["findings"]}
    assert found["example wrong_answer/subtracts.cu"].startswith("WA")
    assert "rejected by" in found["mutant: all NaN"]
    assert "rejected by" in found["mutant: inputs rounded to TF32"]
    assert found["workload 32 Ki elements: the answer to other inputs"] == "rejected"


def test_verify_refuses_a_checker_that_lets_a_mutant_pass(tmp_path: Path) -> None:
    lax = tmp_path / "vector-add"
    for file in (DATA / "vector-add").rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            copy = lax / file.relative_to(DATA / "vector-add")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
    toml = lax / "problem.toml"
    toml.write_text(toml.read_text().replace("atol = 1e-6", "atol = 1e30"))

    done = warpboard("verify", lax, "--json")

    assert done.returncode == 1
    findings = {f["what"]: f["ok"] for f in json.loads(done.stdout)["findings"]}
    assert findings["mutant: all zeros"] is False
    assert findings["mutant: all NaN"] is True
    assert findings["workload 32 Ki elements: the answer to other inputs"] is False


def test_verify_shows_what_is_broken_in_a_package(tmp_path: Path) -> None:
    broken = tmp_path / "vector-add"
    broken.mkdir()
    (broken / "problem.toml").write_text('slug = "vector-add"\ntitel = "Vector addition"\n')

    done = warpboard("verify", broken)

    assert done.returncode == 2
    assert "problem.toml:2" in done.stderr
    assert "titel" in done.stderr
