"""What a sandboxed program may use, and what it is said to have died of."""

from __future__ import annotations

import os

import pytest

from judge.execution import MIB, Ending

FORK_BOMB = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\n"


def test_an_endless_sleep_hits_the_wall_limit(sandboxed):
    outcome = sandboxed.shell("sleep 1000", wall_seconds=0.3)
    assert outcome.ending is Ending.WALL_LIMIT
    assert outcome.exit_code is None
    assert outcome.wall_seconds >= 0.3


def test_an_endless_loop_hits_the_cpu_limit(sandboxed):
    outcome = sandboxed.shell("while :; do :; done", cpu_seconds=1.0)
    assert outcome.ending is Ending.CPU_LIMIT
    assert outcome.cpu_seconds >= 0.9


def test_ignoring_the_cpu_limits_signal_does_not_help(sandboxed):
    outcome = sandboxed.shell("trap '' XCPU; while :; do :; done", cpu_seconds=1.0)
    assert outcome.ending is Ending.CPU_LIMIT


def test_cpu_time_of_all_processes_counts_together(sandboxed):
    outcome = sandboxed.shell(
        "for i in 1 2 3 4; do while :; do :; done & done; wait", cpu_seconds=1.0
    )
    assert outcome.ending is Ending.CPU_LIMIT


def test_memory_that_is_touched_hits_the_memory_limit(sandboxed):
    outcome = sandboxed.python("b = bytearray(b'x') * (600 << 20)", memory_bytes=128 * MIB)
    assert outcome.ending is Ending.MEMORY_LIMIT
    assert outcome.peak_memory_bytes > 128 * MIB


def test_memory_of_all_processes_counts_together(sandboxed):
    outcome = sandboxed.python(
        "import os, time\n"
        "for _ in range(5):\n"
        "    if os.fork() == 0: break\n"
        "block = bytearray(b'x') * (60 << 20)\n"
        "time.sleep(1000)\n",
        memory_bytes=200 * MIB,
    )
    assert outcome.ending is Ending.MEMORY_LIMIT


def test_memory_shared_by_forked_processes_counts_once(sandboxed):
    outcome = sandboxed.python(
        "import os, time\n"
        "block = bytearray(b'x') * (100 << 20)\n"
        "children = [os.fork() for _ in range(3)]\n"
        "time.sleep(0.5)\n",
        memory_bytes=250 * MIB,
    )
    assert (outcome.ending, outcome.exit_code) == (Ending.EXITED, 0)


def test_more_memory_than_can_be_is_never_had(sandboxed):
    outcome = sandboxed.python("bytearray(8 << 30)", memory_bytes=128 * MIB)
    # Refused at once where address space is capped, else stopped on the way.
    assert b"MemoryError" in outcome.stderr or outcome.ending is Ending.MEMORY_LIMIT


def test_a_fork_bomb_is_contained_and_ends(sandboxed):
    outcome = sandboxed.python(FORK_BOMB, processes=16, wall_seconds=1.0)
    # A control group counts what the kernel itself spends on forks that fail.
    assert outcome.ending in (Ending.WALL_LIMIT, Ending.MEMORY_LIMIT)


def test_one_sandboxs_fork_bomb_leaves_another_its_processes(sandboxed):
    bomb = sandboxed.executor.spawn(
        sandboxed.command(
            "/usr/bin/env", "python3", "-c", FORK_BOMB, processes=16, cpu_seconds=None
        )
    )
    try:
        outcome = sandboxed.shell("(:) && (:) && echo fine", processes=4)
        assert outcome.stdout == b"fine\n"
    finally:
        bomb.kill()


def test_threads_count_as_processes(sandboxed):
    outcome = sandboxed.python(
        "import threading, time\n"
        "try:\n"
        "    for n in range(64):\n"
        "        threading.Thread(target=time.sleep, args=(100,), daemon=True).start()\n"
        "except RuntimeError: print(n)\n",
        processes=16,
    )
    assert int(outcome.stdout) == 15  # and the main thread


def test_a_flood_of_output_is_cut_off(sandboxed):
    outcome = sandboxed.shell("yes", output_bytes=1000, output_limit_bytes=100_000)
    assert outcome.ending is Ending.OUTPUT_LIMIT
    assert outcome.stdout == b"y\n" * 500
    assert outcome.stdout_total_bytes > 100_000


def test_stdout_and_stderr_count_together_against_the_flood_limit(sandboxed):
    outcome = sandboxed.shell(
        "head -c 6000 /dev/zero; head -c 6000 /dev/zero >&2", output_limit_bytes=10_000
    )
    assert outcome.ending is Ending.OUTPUT_LIMIT


def test_output_is_kept_to_its_bound_and_counted_in_full(sandboxed):
    outcome = sandboxed.shell("head -c 5000 /dev/zero; echo oops >&2", output_bytes=100)
    assert outcome.ending is Ending.EXITED
    assert (len(outcome.stdout), outcome.stdout_total_bytes) == (100, 5000)
    assert (outcome.stderr, outcome.stderr_total_bytes) == (b"oops\n", 5)


def test_a_file_may_only_grow_so_far(sandboxed):
    outcome = sandboxed.python(
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
        "open('/tmp/big', 'wb').write(b'x' * 2_000_000)",
        file_bytes=1_000_000,
    )
    assert (outcome.ending, outcome.signal) == (Ending.SIGNALLED, 25)


def test_descriptors_run_out(sandboxed):
    outcome = sandboxed.python(
        "try:\n    files = [open('/dev/null') for _ in range(100)]\n"
        "except OSError as error: print(error.errno)",
        open_files=32,
    )
    assert outcome.stdout == b"24\n"


def test_no_core_is_dumped(sandboxed):
    assert sandboxed.shell("ulimit -c; ulimit -Hc").stdout == b"0\n0\n"


def test_a_program_is_pinned_to_its_cores_from_the_start(sandboxed):
    core = min(os.sched_getaffinity(0))
    outcome = sandboxed.shell("nproc", cpus=frozenset({core}))
    assert outcome.stdout == b"1\n"
    assert os.sched_getaffinity(0) != {core} or os.cpu_count() == 1


@pytest.mark.parametrize("code", [0, 1, 3, 127, 139, 255])
def test_exit_codes_are_reported_as_they_are(sandboxed, code):
    outcome = sandboxed.shell(f"exit {code}")
    assert (outcome.ending, outcome.exit_code, outcome.signal) == (Ending.EXITED, code, None)


@pytest.mark.parametrize(("name", "number"), [("SEGV", 11), ("ABRT", 6), ("KILL", 9), ("TERM", 15)])
def test_death_by_signal_is_reported_with_its_number(sandboxed, name, number):
    outcome = sandboxed.shell(f"kill -{name} $$")
    assert (outcome.ending, outcome.exit_code, outcome.signal) == (Ending.SIGNALLED, None, number)


def test_a_program_that_is_not_there_exits_with_127_and_says_so(sandboxed):
    outcome = sandboxed.executor.run(sandboxed.command("/no/such/program"))
    assert outcome.exit_code == 127
    assert b"cannot execute /no/such/program: No such file" in outcome.stderr


def test_a_data_limit_caps_memory_to_write_to_and_not_address_space(sandboxed):
    reserve = "import mmap; m = mmap.mmap(-1, 8 << 30, mmap.MAP_PRIVATE, mmap.PROT_READ)\n"
    outcome = sandboxed.python(reserve, memory_bytes=None, data_bytes=256 * MIB)
    assert outcome.exit_code == 0, outcome
    greedy = reserve + "bytearray(512 << 20)"
    outcome = sandboxed.python(greedy, memory_bytes=None, data_bytes=256 * MIB)
    assert outcome.exit_code == 1
    assert b"MemoryError" in outcome.stderr


def test_cpu_time_and_memory_of_children_are_accounted(sandboxed):
    outcome = sandboxed.python(
        "import subprocess, sys\n"
        "program = 'b = bytearray(b\"x\") * (80 << 20); sum(range(3_000_000))'\n"
        "subprocess.run([sys.executable, '-c', program])",
        processes=8,
    )
    assert outcome.exit_code == 0
    assert outcome.cpu_seconds > 0.02
    assert 80 * MIB < outcome.peak_memory_bytes < 200 * MIB
