"""From how a runner ended to verdict and words."""

from __future__ import annotations

import signal

import pytest

from judge.domain import Verdict
from judge.execution import Ending, Outcome
from judge.runner import autopsy
from judge.runner.autopsy import Phase


def outcome(
    ending: Ending, *, exit_code: int | None = None, number: int | None = None, stderr: bytes = b""
) -> Outcome:
    return Outcome(
        ending=ending,
        exit_code=exit_code,
        signal=number,
        wall_seconds=1.0,
        cpu_seconds=1.0,
        peak_memory_bytes=1,
        stdout=b"",
        stderr=stderr,
        stdout_total_bytes=0,
        stderr_total_bytes=len(stderr),
    )


@pytest.mark.parametrize(
    ("ending", "verdict"),
    [
        (Ending.WALL_LIMIT, Verdict.TLE),
        (Ending.CPU_LIMIT, Verdict.TLE),
        (Ending.MEMORY_LIMIT, Verdict.MLE),
        (Ending.OUTPUT_LIMIT, Verdict.OLE),
        (Ending.KILLED, Verdict.RTE),
    ],
)
def test_a_cap_of_the_sandbox_decides_the_verdict(ending, verdict):
    assert autopsy.of_death(outcome(ending), Phase.CALLING).verdict is verdict


@pytest.mark.parametrize("number", [*signal.Signals, 200])
def test_every_signal_has_words(number):
    failed = autopsy.of_death(outcome(Ending.SIGNALLED, number=number), Phase.CALLING)
    assert failed.verdict in {Verdict.RTE, Verdict.TLE, Verdict.OLE}
    assert failed.message


def test_what_the_program_wrote_is_quoted_without_control_characters_and_cut():
    stderr = b"\x1b[31mAssertion failed\xff\n" + b"x" * 100_000
    failed = autopsy.of_death(
        outcome(Ending.SIGNALLED, number=signal.SIGABRT, stderr=stderr), Phase.CALLING
    )
    assert "Assertion failed" in failed.message
    assert "\x1b" not in failed.message
    assert len(failed.message) < 3000


def test_a_diagnosis_needs_the_emulation_s_exit_code():
    stderr = b"warpboard-diagnosis: all is well\n"
    failed = autopsy.of_death(outcome(Ending.EXITED, exit_code=0, stderr=stderr), Phase.CALLING)
    assert failed.message.startswith("The program exited inside solve (exit code 0)")


def test_an_exit_with_the_diagnosis_code_but_no_diagnosis_is_an_exit():
    failed = autopsy.of_death(outcome(Ending.EXITED, exit_code=86), Phase.CALLING)
    assert "exit code 86" in failed.message


def test_a_runner_that_cannot_start_says_why():
    stderr = b"warpboard-runner: cannot map the buffers: no memory\n"
    failed = autopsy.of_death(outcome(Ending.EXITED, exit_code=97, stderr=stderr), Phase.STARTING)
    assert failed.message.endswith("cannot map the buffers: no memory")
