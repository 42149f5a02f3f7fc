"""Starting, waiting, killing, and leaving nothing behind."""

from __future__ import annotations

import gc
import os
import select
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from judge.execution import Command, Ending, ExecutionLimits, Mount, SandboxUnavailable


def _sleeper(sandboxed):
    return sandboxed.executor.spawn(sandboxed.command("/bin/sleep", "1000"))


def _pipe(folder: Path, name: str) -> Path:
    """A named pipe that a sandboxed program may write to."""
    pipe = folder / name
    os.mkfifo(pipe)
    pipe.chmod(0o666)
    return pipe


def _is_readable(descriptor: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def test_death_shows_on_the_descriptor(sandboxed):
    process = _sleeper(sandboxed)
    assert not _is_readable(process.death_fd, 0)
    process.kill()
    assert _is_readable(process.death_fd, 30)


def test_killing_is_idempotent_and_keeps_the_first_outcome(sandboxed):
    process = _sleeper(sandboxed)
    first = process.kill()
    assert first.ending is Ending.KILLED
    assert process.kill() is first
    assert process.wait() is first


def test_killing_after_the_end_returns_how_it_ended(sandboxed):
    process = sandboxed.executor.spawn(sandboxed.command("/bin/sh", "-c", "exit 5"))
    ended = process.wait(30)
    assert process.kill() is ended
    assert ended.exit_code == 5


def test_waiting_times_out_while_it_runs(sandboxed):
    process = _sleeper(sandboxed)
    with pytest.raises(TimeoutError):
        process.wait(0.05)
    assert process.kill().ending is Ending.KILLED


def test_many_may_wait_for_one_program(sandboxed):
    process = _sleeper(sandboxed)
    outcomes = []
    waiters = [threading.Thread(target=lambda: outcomes.append(process.wait())) for _ in range(4)]
    for waiter in waiters:
        waiter.start()
    process.kill()
    for waiter in waiters:
        waiter.join(30)
    assert len(outcomes) == 4


def test_children_left_behind_die_with_the_program(sandboxed, folder):
    pipe = _pipe(folder, "alive")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        outcome = sandboxed.shell(
            "exec 3>/mounted/alive; echo up >&3; setsid sleep 1000 >/dev/null 2>&1 & exit 0",
            mounts=(Mount(folder, Path("/mounted")),),
        )
        assert outcome.exit_code == 0
        # End of file: no process holds the other end any more.
        assert os.read(reader, 100) in (b"up\n", b"")
        assert os.read(reader, 100) == b""
    finally:
        os.close(reader)


def test_a_program_that_ignores_every_signal_is_killed_with_its_children(sandboxed):
    process = sandboxed.executor.spawn(
        sandboxed.command(
            "/bin/sh",
            "-c",
            "trap '' TERM INT HUP; (trap '' TERM; sleep 1000) & echo up; sleep 1000",
        )
    )
    assert process.kill().ending is Ending.KILLED


def test_output_until_the_kill_is_kept(sandboxed, folder):
    ready = _pipe(folder, "ready")
    process = sandboxed.executor.spawn(
        sandboxed.command(
            "/bin/sh",
            "-c",
            "echo before; echo up > /mounted/ready; sleep 1000",
            mounts=(Mount(folder, Path("/mounted")),),
        )
    )
    with ready.open() as file:
        file.read()
    assert process.kill().stdout == b"before\n"


def test_a_program_started_by_a_short_lived_thread_lives_on(sandboxed):
    started = []
    starter = threading.Thread(target=lambda: started.append(_sleeper(sandboxed)))
    starter.start()
    starter.join()
    assert not _is_readable(started[0].death_fd, 0.2)
    assert started[0].kill().ending is Ending.KILLED


def test_a_dropped_process_is_killed(sandboxed):
    process = _sleeper(sandboxed)
    watched = os.dup(process.death_fd)
    try:
        del process
        gc.collect()
        assert _is_readable(watched, 30)
    finally:
        os.close(watched)


def test_a_program_dies_with_its_judge(executor, folder):
    alive = _pipe(folder, "alive")
    reader = os.open(alive, os.O_RDONLY | os.O_NONBLOCK)
    judge = textwrap.dedent(
        f"""
        import os, sys
        from pathlib import Path
        from judge.execution import Command, ExecutionLimits, Mount
        from judge.sandbox import default_executor
        process = default_executor().spawn(Command(
            argv=("/bin/sh", "-c", "exec 3>/mounted/alive; echo up >&3; sleep 1000"),
            limits=ExecutionLimits(wall_seconds=1000),
            mounts=(Mount(Path({str(folder)!r}), Path("/mounted")),),
        ))
        print("spawned", flush=True)
        sys.stdin.read()
        """
    )
    with subprocess.Popen(
        [sys.executable, "-c", judge],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ
        | {
            "WARPBOARD_SANDBOX": executor.name,
            "WARPBOARD_SANDBOX_IMAGE": executor.image_digest,
        },
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"spawned\n"
        try:
            assert _is_readable(reader, 30)
            assert os.read(reader, 100) == b"up\n"
            process.kill()
            process.wait()
            # Readable at end of file, when the last writer is gone.
            assert _is_readable(reader, 30)
            assert os.read(reader, 100) == b""
        finally:
            os.close(reader)


def test_twenty_programs_leave_no_descriptor_thread_or_zombie(sandboxed):
    def descriptors() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    def children() -> list[str]:
        threads = Path("/proc/self/task").iterdir()
        return [pid for t in threads for pid in (t / "children").read_text().split()]

    sandboxed.shell("true")
    gc.collect()
    before = descriptors(), threading.active_count(), children()
    for number in range(20):
        process = sandboxed.executor.spawn(sandboxed.command("/bin/sh", "-c", "sleep 0.001 & :"))
        if number % 2:
            process.kill()
        else:
            process.wait()
        del process
    gc.collect()
    for thread in threading.enumerate():
        if thread.name == "sandbox":
            thread.join(30)
    assert (descriptors(), threading.active_count(), children()) == before


def test_programs_run_side_by_side(sandboxed):
    processes = [
        sandboxed.executor.spawn(sandboxed.command("/bin/sh", "-c", f"echo {n}")) for n in range(8)
    ]
    assert [int(process.wait(30).stdout) for process in processes] == list(range(8))


def test_a_missing_mount_is_named(sandboxed, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        sandboxed.shell("true", mounts=(Mount(tmp_path / "nowhere", Path("/mounted")),))


def test_a_sandbox_that_cannot_be_set_up_runs_nothing_and_says_why(sandboxed, folder):
    command = Command(
        argv=("/bin/true",),
        limits=ExecutionLimits(wall_seconds=10),
        mounts=(Mount(folder, Path("/proc/not/a/place")),),
    )
    with pytest.raises(SandboxUnavailable, match="/proc/not"):
        sandboxed.executor.spawn(command)
