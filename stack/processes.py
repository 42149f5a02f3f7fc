"""Child processes that never outlive their parent."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)

#: How long a child may take to end after SIGTERM before it is killed: a worker first finishes the
#: two Runs that it may have in hand.
GRACE_SECONDS = 90.0


class ChildFailed(Exception):
    """A child process ended with an error; the text names it and shows the end of its log."""


def _die_with_parent() -> None:
    # Runs in the forked child: the kernel ends it should the parent be killed outright.
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def tail(path: Path, lines: int = 20) -> str:
    """The last lines of a log, for error messages."""
    return "\n".join(path.read_text(errors="replace").splitlines()[-lines:])


class Children:
    """Starts named programs with their output in ``logs/<name>.log``; ends all of them on exit.

    Each child leads a process group of its own, so that a Ctrl-C at the terminal reaches only the
    parent, which then stops the children in reverse order: no half-finished Run is torn off.
    """

    def __init__(self, logs: Path, environment: Mapping[str, str], directory: Path) -> None:
        logs.mkdir(parents=True, exist_ok=True)
        self._logs = logs
        self._environment = dict(environment)
        self._directory = directory
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Children:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for name in reversed(list(self._running)):
            self.stop(name)

    def log(self, name: str) -> Path:
        return self._logs / f"{name}.log"

    def start(self, name: str, argv: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start ``argv`` in the background; raises ValueError if ``name`` is already running."""
        if name in self._running:
            raise ValueError(f"{name} is already running")
        with self.log(name).open("ab") as log:
            child = subprocess.Popen(
                list(argv),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self._environment,
                cwd=self._directory,
                start_new_session=True,
                preexec_fn=_die_with_parent,
            )
        self._running[name] = child
        return child

    def run(self, name: str, argv: Sequence[str]) -> str:
        """Run ``argv`` to its end and return its stdout; raises ChildFailed with its log's end."""
        with self.log(name).open("ab") as log:
            done = subprocess.run(
                list(argv),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                env=self._environment,
                cwd=self._directory,
                check=False,
            )
        if done.returncode != 0:
            text = done.stdout.decode(errors="replace")
            raise ChildFailed(
                f"{name} failed with status {done.returncode}:\n{tail(self.log(name))}\n{text}"
            )
        return done.stdout.decode()

    def check_alive(self) -> None:
        """Raise ChildFailed if any background child has ended by itself."""
        for name, child in self._running.items():
            status = child.poll()
            if status is not None:
                raise ChildFailed(
                    f"{name} ended by itself with status {status}:\n{tail(self.log(name))}"
                )

    def pid(self, name: str) -> int:
        return self._running[name].pid

    def stop(self, name: str) -> None:
        """SIGTERM to the child, then SIGKILL to its whole group once the grace has passed."""
        child = self._running.pop(name)
        with contextlib.suppress(ProcessLookupError):
            child.terminate()
        # A child that outstays its grace is killed with its group below.
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(GRACE_SECONDS)
        self._kill_group(child)

    def kill(self, name: str) -> None:
        """SIGKILL at once, as a machine that loses power would do it."""
        self._kill_group(self._running.pop(name))

    @staticmethod
    def _kill_group(child: subprocess.Popen[bytes]) -> None:
        """End what is left of a child's group; returns once the last of it is gone."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        with contextlib.suppress(ProcessLookupError):
            while True:  # grandchildren are reaped by process 1, in its own time
                os.killpg(child.pid, 0)
                time.sleep(0.01)
