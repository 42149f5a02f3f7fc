"""`make bench-sandbox`: what each sandbox adds to a run of a program that does nothing.

From ``spawn`` to the outcome of a static program, against starting the same program with a plain
fork and exec, taken in turns. "docker" finds a container that was made ahead; "docker, cold" has
one made. Writes bench/results/sandbox.json; exits 1 when a back end misses its goal.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import recording
from judge.execution import MIB, Command, ExecutionLimits, Executor, Mount, SandboxUnavailable
from judge.sandbox.bubblewrap import BubblewrapSandbox
from judge.sandbox.docker import DockerSandbox

RESULT = recording.RESULTS / "sandbox.json"
#: Added time that a back end may take, in milliseconds.
GOALS_MS = {"bubblewrap": 30.0, "docker": 100.0}
_READY_SECONDS = 30.0
_SOURCE = "int main() { return 0; }\n"


@dataclass(frozen=True)
class Way:
    """One way to run the program; ``prepare`` is not timed."""

    name: str
    run: Callable[[], None]
    prepare: Callable[[], None] = lambda: None

    def milliseconds(self) -> float:
        self.prepare()
        began = time.perf_counter()
        self.run()
        return (time.perf_counter() - began) * 1000


def main() -> int:
    parser = argparse.ArgumentParser(prog="make bench-sandbox", description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    arguments = parser.parse_args()
    with _static_program() as program:
        ways = [Way("plain", lambda: _run_plain(program)), *_sandboxed(program)]
        samples: dict[str, list[float]] = {way.name: [] for way in ways}
        for way in ways:
            way.milliseconds()
        for _ in range(arguments.runs):
            for way in ways:
                samples[way.name].append(way.milliseconds())
    plain = statistics.median(samples["plain"])
    rows = [_row(name, taken, plain) for name, taken in samples.items()]
    for row in rows:
        print(
            f"{row['way']:<14} median {row['median_ms']:7.2f} ms, added {row['added_ms']:7.2f} ms; "
            f"5 to 95 %: {row['p5_ms']:.2f} to {row['p95_ms']:.2f} ms of {row['runs']} runs"
        )
    recording.write(RESULT, {"environment": _environment(), "rows": rows})
    return 0 if all(row["within_goal"] is not False for row in rows) else 1


def _row(name: str, taken: list[float], plain: float) -> dict[str, Any]:
    percent = statistics.quantiles(taken, n=20)
    added = statistics.median(taken) - plain
    goal = GOALS_MS.get(name)
    return {
        "way": name,
        "median_ms": round(statistics.median(taken), 3),
        "added_ms": round(added, 3),
        "p5_ms": round(percent[0], 3),
        "p95_ms": round(percent[-1], 3),
        "runs": len(taken),
        "goal_ms": goal,
        "within_goal": None if goal is None else added < goal,
    }


@contextmanager
def _static_program() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="warpboard-bench-") as folder:
        program = Path(folder) / "nothing"
        subprocess.run(
            ["g++", "-O1", "-static", "-x", "c++", "-", "-o", str(program)],
            input=_SOURCE,
            text=True,
            check=True,
        )
        yield program


def _run_plain(program: Path) -> None:
    subprocess.run([str(program)], check=True, close_fds=False)


def _sandboxed(program: Path) -> Iterator[Way]:
    command = Command(
        argv=("/program",),
        limits=ExecutionLimits(wall_seconds=30.0, cpu_seconds=10.0, memory_bytes=256 * MIB),
        mounts=(Mount(program, Path("/program")),),
    )
    try:
        bubblewrap = BubblewrapSandbox()
        yield Way("bubblewrap", lambda: _run(bubblewrap, command))
    except SandboxUnavailable as error:
        print(f"without bubblewrap: {error}", file=sys.stderr)
    image = os.environ.get("WARPBOARD_SANDBOX_IMAGE", "")
    try:
        pooled, cold = DockerSandbox(image), DockerSandbox(image, ahead=False)
    except SandboxUnavailable as error:
        print(f"without docker: {error}", file=sys.stderr)
        return
    # A kind of container is kept ready from the second time on that it is asked for.
    _run(pooled, command)
    yield Way("docker", lambda: _run(pooled, command), lambda: _await_ready(pooled, command))
    yield Way("docker, cold", lambda: _run(cold, command))


def _run(executor: Executor, command: Command) -> None:
    outcome = executor.run(command)
    if outcome.exit_code != 0:
        raise RuntimeError(f"{executor.name}: {outcome}")


def _await_ready(sandbox: DockerSandbox, command: Command) -> None:
    """All that the pool keeps of this kind is there, and its thread is idle."""
    pause = threading.Event()
    deadline = time.monotonic() + _READY_SECONDS
    while sandbox.ready(command) < 2 and time.monotonic() < deadline:
        pause.wait(0.005)


def _environment() -> dict[str, Any]:
    return {
        "processor": _processor(),
        "operating_system": platform.platform(),
        "date": datetime.now(UTC).date().isoformat(),
        "commit": recording.commit(),
    }


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


if __name__ == "__main__":
    sys.exit(main())
