"""Supervision of one sandboxed program, whichever back end has wrapped it.

A back end makes a ``Confinement`` whose process 1 is the launcher (launcher.cpp);
``SupervisedProcess`` starts it, captures its output within bounds, holds the program to its limits,
and reports how it ended. Nothing here knows how the confinement is made.

A thread of its own starts and watches each program; it is the same for both because some back
ends' sandboxes live only as long as the thread that started them.
"""

from __future__ import annotations

import os
import select
import socket
import struct
import threading
import time
import weakref

from judge.execution import Command, Ending, Outcome, SandboxUnavailable
from judge.sandbox import accounting
from judge.sandbox.capture import Capture
from judge.sandbox.confinement import Confinement
from judge.sandbox.limits import Usage, ending

#: How often totals over all processes are summed.
_ACCOUNTING_SECONDS = 0.1
#: How long process 1 has to report after it was told to kill, before the sandbox is torn down.
_GRACE_SECONDS = 2.0
_SETUP_SECONDS = 30.0
_DRAIN_BYTES = 256 * 1024
_STARTED = b"S"
_KILL = b"K"
_REPORT = struct.Struct("=iiqq")
_CREDENTIALS = struct.Struct("=iII")


class SupervisedProcess:
    """A running program; implements ``judge.execution.Process``.

    ``death_fd`` stays valid until this object is dropped.
    """

    def __init__(self, command: Command, confinement: Confinement) -> None:
        """Start it; returns once untrusted code is about to run, under its limits.

        Raises ``SandboxUnavailable`` with the back end's words when it could not be confined.
        """
        self._supervisor = _Supervisor(command, confinement)
        thread = threading.Thread(target=self._supervisor.run, name="sandbox", daemon=True)
        thread.start()
        self._supervisor.started.wait()
        if self._supervisor.failure is not None:
            thread.join()
            raise self._supervisor.failure
        self._finalizer = weakref.finalize(self, self._supervisor.abandon)

    @property
    def death_fd(self) -> int:
        """Readable once the program and all it started are dead."""
        return self._supervisor.death_fd

    def wait(self, timeout_seconds: float | None = None) -> Outcome:
        """Wait for the end. Raises TimeoutError if it is still running after the timeout."""
        return self._supervisor.outcome(timeout_seconds)

    def kill(self) -> Outcome:
        """End it and everything it started, now; returns how it ended (idempotent)."""
        self._supervisor.request_kill()
        return self._supervisor.outcome(None)


class _Supervisor:
    """The watching thread's state. Holds no reference to its SupervisedProcess."""

    def __init__(self, command: Command, confinement: Confinement) -> None:
        self._confinement = confinement
        self._limits = command.limits
        self.started = threading.Event()
        self.failure: BaseException | None = None
        self.death_fd = -1
        self._wake_fd = -1
        self._lock = threading.Lock()
        self._finished = threading.Event()
        self._outcome: Outcome | None = None
        self._stopped_for: Ending | None = None
        self._report: tuple[int, Usage] | None = None
        self._seen = Usage()

    # What other threads call.

    def request_kill(self) -> None:
        with self._lock:
            if not self._finished.is_set() and self._wake_fd >= 0:
                os.eventfd_write(self._wake_fd, 1)

    def outcome(self, timeout_seconds: float | None) -> Outcome:
        if not self._finished.wait(timeout_seconds):
            raise TimeoutError(f"still running after {timeout_seconds} s")
        if self.failure is not None:
            raise self.failure
        assert self._outcome is not None
        return self._outcome

    def abandon(self) -> None:
        """Nobody is interested any more: a program still running is killed."""
        self.request_kill()
        self._finished.wait()
        os.close(self.death_fd)

    # What the supervising thread does.

    def run(self) -> None:
        try:
            self._supervise()
        # The thread has no caller: whoever waits for the program gets the exception instead.
        except BaseException as error:  # noqa: BLE001
            self.failure = error
        finally:
            with self._lock:
                if self._wake_fd >= 0:
                    os.close(self._wake_fd)
                    self._wake_fd = -1
                self._finished.set()
            self.started.set()

    def _supervise(self) -> None:
        captures: list[Capture] = []
        try:
            out, err = self._pipe(captures), self._pipe(captures)
            try:
                started = self._confinement.start(out, err)
            finally:
                os.close(out)
                os.close(err)
            self.death_fd = started.death_fd
            self._wake_fd = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
            with started.control as control:
                self._watch(control, captures[0], captures[1])
        except BaseException:
            if self.death_fd >= 0 and not self.started.is_set():
                os.close(self.death_fd)
            raise
        finally:
            self._confinement.clean_up()
            for capture in captures:
                capture.close()

    def _pipe(self, captures: list[Capture]) -> int:
        read, write = os.pipe()
        captures.append(Capture(read, self._limits.output_bytes))
        return write

    def _watch(self, control: socket.socket, out: Capture, err: Capture) -> None:
        root = self._await_launcher(control, err)
        began = time.monotonic()
        deadline = began + self._limits.wall_seconds
        teardown: float | None = None
        self.started.set()

        poll = select.poll()
        open_captures = {capture.fileno(): capture for capture in (out, err)}
        for descriptor in (*open_captures, control.fileno(), self.death_fd, self._wake_fd):
            poll.register(descriptor, select.POLLIN)
        while True:
            now = time.monotonic()
            next_event = deadline if teardown is None else teardown
            if self._accounts(root) and teardown is None:
                next_event = min(next_event, now + _ACCOUNTING_SECONDS)
            ready = dict(poll.poll(max(0.0, next_event - now) * 1000))
            reason: Ending | None = None
            if self._wake_fd in ready:
                poll.unregister(self._wake_fd)
                reason = Ending.KILLED
            for descriptor in open_captures.keys() & ready.keys():
                if not open_captures[descriptor].drain(_DRAIN_BYTES):
                    poll.unregister(descriptor)
                    del open_captures[descriptor]
            if control.fileno() in ready and not self._receive_report(control):
                poll.unregister(control)
                self._confinement.on_hang_up()
            if self.death_fd in ready:
                break
            if teardown is None:
                reason = reason or self._limit_hit(root, deadline, out, err)
                if reason is not None:
                    self._stopped_for = reason
                    teardown = time.monotonic() + _GRACE_SECONDS
                    self._order_kill(control)
            elif time.monotonic() >= teardown:
                self._confinement.tear_down()
                teardown += _GRACE_SECONDS
        wall = time.monotonic() - began
        for capture in (out, err):
            capture.drain(self._limits.output_limit_bytes)
        if self._stopped_for is None and self._floods(out, err):
            self._stopped_for = Ending.OUTPUT_LIMIT
        self._receive_report(control)
        self._conclude(wall, out, err)

    def _await_launcher(self, control: socket.socket, err: Capture) -> int:
        """The launcher's process id, once it has announced that set-up is done.

        0 if it is in a PID namespace that the judge cannot see into.
        """
        control.settimeout(_SETUP_SECONDS)
        try:
            data, ancillary, _, _ = control.recvmsg(16, socket.CMSG_SPACE(_CREDENTIALS.size))
        except TimeoutError:
            raise SandboxUnavailable(
                f"the sandbox was not ready in {_SETUP_SECONDS:.0f} s"
            ) from None
        control.setblocking(False)
        if data == _STARTED:
            for level, kind, payload in ancillary:
                if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
                    pid, _, _ = _CREDENTIALS.unpack(payload)
                    return int(pid)
        why = self._confinement.why_it_ended()
        err.drain(_DRAIN_BYTES)
        text = err.kept.decode(errors="replace").strip() or why
        raise SandboxUnavailable(f"the sandbox could not be set up: {text}")

    def _accounts(self, root: int) -> bool:
        return root > 0 and (self._watches_memory or self._limits.cpu_seconds is not None)

    @property
    def _watches_memory(self) -> bool:
        """Whether keeping to the memory limit is up to us; a control group does it better."""
        return self._limits.memory_bytes is not None and not self._confinement.holds_memory

    def _floods(self, out: Capture, err: Capture) -> bool:
        return out.total_bytes + err.total_bytes > self._limits.output_limit_bytes

    def _limit_hit(self, root: int, deadline: float, out: Capture, err: Capture) -> Ending | None:
        limits = self._limits
        if self._floods(out, err):
            return Ending.OUTPUT_LIMIT
        if time.monotonic() >= deadline:
            return Ending.WALL_LIMIT
        if not self._accounts(root):
            return None
        now = accounting.snapshot(root)
        resident = now.resident_bytes
        over = self._watches_memory and self._exceeds_memory(resident)
        if over:
            resident = accounting.proportional_bytes(root)
            over = self._exceeds_memory(resident)
        self._seen = Usage(
            max(self._seen.cpu_seconds, now.cpu_seconds),
            max(self._seen.peak_memory_bytes, resident),
        )
        if over:
            return Ending.MEMORY_LIMIT
        if limits.cpu_seconds is not None and now.cpu_seconds > limits.cpu_seconds:
            return Ending.CPU_LIMIT
        return None

    def _exceeds_memory(self, peak_bytes: int) -> bool:
        limit = self._limits.memory_bytes
        return limit is not None and peak_bytes > limit

    def _order_kill(self, control: socket.socket) -> None:
        try:
            control.send(_KILL)
        except (BrokenPipeError, ConnectionResetError):
            # It is ending by itself; the pidfd says when.
            return

    def _receive_report(self, control: socket.socket) -> bool:
        """Take the launcher's report if it is there; False once nothing more can come."""
        try:
            data = control.recv(_REPORT.size)
        except BlockingIOError:
            return True
        except ConnectionResetError:
            # It went with our order to kill unread.
            return False
        if len(data) != _REPORT.size:
            return False
        status, _, cpu_us, peak = _REPORT.unpack(data)
        self._report = (status, Usage(cpu_us / 1e6, peak))
        return False

    def _conclude(self, wall: float, out: Capture, err: Capture) -> None:
        reported_status, reported = self._report or (None, Usage())
        account = self._confinement.account()
        if reported_status is None:
            status = account.status
            cpu_seconds = max(account.cpu_seconds, self._seen.cpu_seconds)
        else:
            status, cpu_seconds = reported_status, reported.cpu_seconds
        usage = Usage(
            cpu_seconds,
            max(
                reported.peak_memory_bytes, self._seen.peak_memory_bytes, account.peak_memory_bytes
            ),
        )
        if self._stopped_for is None and (
            (self._watches_memory and self._exceeds_memory(usage.peak_memory_bytes))
            or self._confinement.ran_out_of_memory(reported_status)
        ):
            self._stopped_for = Ending.MEMORY_LIMIT
        why = self._stopped_for or ending(status, usage, self._limits)
        self._outcome = Outcome(
            ending=why,
            exit_code=os.WEXITSTATUS(status) if why is Ending.EXITED else None,
            signal=os.WTERMSIG(status) if why is Ending.SIGNALLED else None,
            wall_seconds=wall,
            cpu_seconds=usage.cpu_seconds,
            peak_memory_bytes=usage.peak_memory_bytes,
            stdout=out.kept,
            stderr=err.kept,
            stdout_total_bytes=out.total_bytes,
            stderr_total_bytes=err.total_bytes,
        )
