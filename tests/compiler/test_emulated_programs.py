"""Kernels compiled for the emulated device and run: what they compute, and how they fail."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.compiler.cache import BuildCache
from judge.compiler.emulation.rewrite import rewrite
from judge.compiler.emulation.support import SupportBuilder
from judge.execution import MIB, Command, Ending, ExecutionLimits, Executor, Mount

PROGRAMS = Path(__file__).resolve().parent / "programs"
DIAGNOSED = 86

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def program(
    executor: Executor, support_cache: BuildCache, tmp_path_factory: pytest.TempPathFactory
) -> Run:
    """Builds one of ``programs/`` with its own main in place of the runner's, once, and runs it."""
    support = SupportBuilder(executor, support_cache).get()
    runtime = [part for part in support.objects if not Path(part).name.startswith("runner-")]
    built: dict[str, Path] = {}

    def build(name: str) -> Path:
        folder = tmp_path_factory.mktemp(name)
        text = (PROGRAMS / f"{name}.cu").read_text()
        (folder / "program.cpp").write_text(f'#line 1 "{name}.cu"\n{rewrite(text).text}')
        (folder / "expect.h").write_text((PROGRAMS / "expect.h").read_text())
        output = folder / "output"
        output.mkdir()
        outcome = executor.run(
            Command(
                argv=(*support.arguments, "/source/program.cpp", *runtime, "-o", "/output/program"),
                limits=ExecutionLimits(wall_seconds=120.0, memory_bytes=4096 * MIB),
                mounts=(
                    *support.mounts,
                    Mount(folder, Path("/source")),
                    Mount(output, Path("/output"), writable=True),
                ),
                environment={"PATH": "/usr/bin:/bin"},
            )
        )
        assert outcome.ending is Ending.EXITED
        assert outcome.exit_code == 0, outcome.stderr.decode()
        return output / "program"

    def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        if name not in built:
            built[name] = build(name)
        return subprocess.run(
            [str(built[name]), *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


@pytest.mark.parametrize("threads", [1, 2])
def test_learners_kernels_compute_what_they_should(program: Run, threads: int) -> None:
    done = program("learners", str(threads))
    assert (done.returncode, done.stdout) == (0, "0 expectations unmet\n"), done


def test_warp_operations_atomics_and_intrinsics_match_known_results(program: Run) -> None:
    done = program("intrinsics")
    assert (done.returncode, done.stdout) == (0, "0 expectations unmet\n"), done


def test_cub_and_warp_matrix_functions_compute_what_they_should(program: Run) -> None:
    done = program("libraries")
    assert (done.returncode, done.stdout) == (0, "0 expectations unmet\n"), done


def test_wrong_launches_and_calls_get_cudas_own_errors(program: Run) -> None:
    done = program("launching")
    assert (done.returncode, done.stdout) == (0, "0 expectations unmet\n"), done


@pytest.mark.parametrize(
    ("which", "told"),
    [
        (
            "read past",
            "thread (127,0,0) of block (1,0,0) in kernel `read_past` read just past the end of "
            "`A` (1024 bytes)",
        ),
        (
            "write past",
            "thread (124,0,0) of block (1,0,0) in kernel `write_past` wrote just past the end of "
            "`C` (1024 bytes)",
        ),
        ("write before", "wrote 3072 bytes past the end of `A` (1024 bytes)"),
        ("own array", "read just past the end of a device array of its own (1024 bytes)"),
        ("null", "in kernel `null_write` wrote through a null pointer (address 0x0)"),
        ("wild", "which is in no buffer it was given and none it allocated"),
        ("misaligned", "used a wild or misaligned pointer"),
        ("divide", "in kernel `divide` divided an integer by zero"),
        (
            "assert",
            "thread (3,0,0) of block (0,0,0) in kernel `assertion` failed assertion "
            "`in[threadIdx.x] < 3.0f` in line 22",
        ),
        ("trap", "thread (2,0,0) of block (0,0,0) in kernel `trap` called __trap()"),
        ("shared overflow", "wrote past the end of its dynamic shared memory: byte 128 of 128"),
        ("recursion", "in kernel `endless_recursion` used up its 64 KiB of stack"),
        (
            "deadlock",
            "deadlock in block (0,0,0) of kernel `divergent_warp`: 16 threads wait at "
            "__shfl_sync() in line 37, 48 threads wait at __syncthreads() in line 39",
        ),
        ("wrong mask", "with mask 0x00000001, which does not name its own lane 1"),
        ("host crash", "the host code of the submission wrote through a null pointer"),
        ("abort", "the host code of the submission called abort()"),
        ("canary", "wrote past the end of a device array that it allocated: byte 6 of 5"),
    ],
)
def test_a_failure_is_told_in_one_line_that_names_its_place(
    program: Run, which: str, told: str
) -> None:
    done = program("failing", which)
    lines = [line for line in done.stderr.splitlines() if line.startswith("warpboard-diagnosis: ")]
    assert done.returncode == DIAGNOSED, done
    assert len(lines) == 1
    assert told in lines[0]


def test_threads_that_meet_at_different_barriers_are_warned_of(program: Run) -> None:
    done = program("failing", "two barriers")
    assert done.returncode == 0
    assert "warpboard-warning: threads of one block met at different barriers, in line 44 and " \
        "line 46 of kernel `two_barriers`" in done.stderr  # fmt: skip
