"""A sandbox that is a child process of the judge: a wrapper program which ends in the launcher.

Nothing here knows which wrapper. The thread that starts it must live as long as it: the kernel's
parent-death signal, which takes a sandbox down with its judge, fires when the *thread* that
started it ends.
"""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable, Sequence

from judge.execution import Command
from judge.sandbox.cgroup import ControlGroup
from judge.sandbox.confinement import Account, Started

_IN_BACKGROUND = ("/usr/bin/nice", "-n", "10")


class Child:
    """Implements ``judge.sandbox.confinement.Confinement``."""

    def __init__(
        self,
        command: Command,
        argv: Callable[[int], Sequence[str]],
        group: ControlGroup | None,
    ) -> None:
        """``argv`` is built once the control socket's descriptor, which is inherited, is known.

        ``group``, if there is one, is the command's own; it is removed after the end.
        """
        self._command = command
        self._argv = argv
        self._group = group
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def holds_memory(self) -> bool:
        return self._group is not None

    def start(self, out: int, err: int) -> Started:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            with theirs:
                self._child = self._spawn(theirs.fileno(), out, err)
            return Started(ours, os.pidfd_open(self._child.pid))
        except BaseException:
            ours.close()
            raise

    def why_it_ended(self) -> str:
        assert self._child is not None
        return f"exit status {self._child.wait()}"

    def on_hang_up(self) -> None:
        """The pidfd tells the rest."""

    def tear_down(self) -> None:
        if self._group is not None:
            self._group.kill()
        if self._child is not None:
            self._child.kill()

    def account(self) -> Account:
        assert self._child is not None
        _, status, used = os.wait4(self._child.pid, 0)
        self._child.returncode = os.waitstatus_to_exitcode(status)
        # Torn down before it could report: then this is the wrapper's own death of SIGKILL.
        cpu_seconds = used.ru_utime + used.ru_stime
        return Account(status, cpu_seconds, self._group.peak_bytes() if self._group else 0)

    def ran_out_of_memory(self, reported_status: int | None) -> bool:
        return self._group is not None and self._group.ran_out_of_memory()

    def clean_up(self) -> None:
        if self._child is not None:
            self.tear_down()
            self._child.wait()
        if self._group is not None:
            self._group.remove()

    def _spawn(self, control: int, out: int, err: int) -> subprocess.Popen[bytes]:
        argv = self._argv(control)
        if self._group is not None:
            argv = self._group.entering(argv)
        if self._command.background:
            argv = (*_IN_BACKGROUND, *argv)
        own_cpus = os.sched_getaffinity(0)
        if self._command.cpus is not None:
            # A child inherits the starting thread's cores: pinned before its first instruction.
            os.sched_setaffinity(0, self._command.cpus)
        try:
            return subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env={},
                pass_fds=(control,),
                cwd="/",
            )
        finally:
            if self._command.cpus is not None:
                os.sched_setaffinity(0, own_cpus)
