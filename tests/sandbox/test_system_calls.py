"""What no program may ask of the kernel, and what a runner may not ask once it is set up."""

from __future__ import annotations

import errno
import os
import subprocess
from pathlib import Path

import pytest

from judge.execution import Mount
from judge.runner import SYSTEM_CALLS

_PROBE = Path(__file__).with_name("system_calls_probe.cpp")
_INSIDE = Path("/probe")

_OF_A_PROCESS = {"execve", "execveat", "clone_process", "bind", "listen", "accept", "accept4"}
_OF_A_SUBMISSION = {
    "socket_unix",
    "connect",
    "sched_setscheduler",
    "sched_setparam",
    "sched_setattr",
    "sched_setaffinity",
    "setpriority",
    "prlimit64_new",
    "setrlimit",
    "prctl_dumpable",
    "prctl_mm",
    "prctl_ptracer",
}


@pytest.fixture(scope="session")
def probe(tmp_path_factory):
    folder = tmp_path_factory.mktemp("probe")
    folder.chmod(0o755)
    program = folder / "probe"
    flags = ["-std=c++20", "-O1", "-static", "-pthread", f"-I{SYSTEM_CALLS.parent}"]
    subprocess.run(["g++", *flags, str(_PROBE), "-o", str(program)], check=True)
    return folder


@pytest.fixture
def results(sandboxed, probe):
    """``results(*levels)`` tells what each call of the probe came to under these filters."""

    def run(*levels: str) -> dict[str, str]:
        outcome = sandboxed.executor.run(
            sandboxed.command(str(_INSIDE / "probe"), *levels, mounts=(Mount(probe, _INSIDE),))
        )
        assert outcome.exit_code == 0, outcome.stderr
        lines = (line.split() for line in outcome.stdout.decode().splitlines())
        return {name: errno.errorcode.get(int(number), number) for name, number in lines}

    return run


def _refused(results: dict[str, str]) -> set[str]:
    return {name for name, result in results.items() if result == "EPERM"}


def _allowed(results: dict[str, str]) -> dict[str, str]:
    return {name: result for name, result in results.items() if name.startswith("may_")}


def test_no_program_reaches_the_kernels_side_doors(results):
    seen = results()
    assert seen.pop("clone3") == "ENOSYS"
    later = _OF_A_PROCESS | _OF_A_SUBMISSION | _allowed(seen).keys()
    assert seen.keys() - later <= _refused(seen)
    assert len(seen.keys() - later) > 40


def test_a_compiler_may_still_start_programs_and_use_unix_sockets(results):
    seen = results()
    assert not (_OF_A_PROCESS | _OF_A_SUBMISSION - {"prctl_mm"}) & _refused(seen)
    assert seen["clone_process"] == seen["socket_unix"] == "0"


def test_a_linked_in_submission_can_start_nothing_before_main(results):
    seen = results("process")
    assert _refused(seen) >= _OF_A_PROCESS
    assert seen["socket_unix"] == "0"
    assert set(_allowed(seen).values()) == {"0"}


def test_a_submission_gets_no_process_no_socket_and_no_favour(results):
    seen = results("process", "submission")
    assert _refused(seen) >= _OF_A_PROCESS | _OF_A_SUBMISSION
    assert seen["clone3"] == "ENOSYS"


def test_a_submission_has_threads_and_may_ask_for_its_limits(results):
    allowed = _allowed(results("submission"))
    assert allowed.keys() >= {"may_thread", "may_prlimit64_old", "may_socketpair"}
    assert set(allowed.values()) == {"0"}


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="one convention only")
def test_other_calling_conventions_lead_around_nothing(results):
    seen = results("submission")
    assert seen["x32_getpid"] == seen["i386_getpid"] == "EPERM"
