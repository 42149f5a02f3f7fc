"""Meeting a runner: the socket it connects to, the set-up message, its answer.

Knows nothing of what runs in the sandbox; everything that arrives is untrusted.
"""

from __future__ import annotations

import select
import shutil
import socket
import tempfile
import time
from enum import Enum
from pathlib import Path

from judge.runner.protocol import MAGIC, VERSION, Ready, Setup

_SOCKET_NAME = "judge.sock"


class Meeting(Enum):
    """How waiting for the runner ended."""

    READY = "ready"
    DIED = "died"
    TIMED_OUT = "timed out"
    BROKEN = "broken protocol"


class Reception:
    """One private folder with one listening socket for exactly one runner; close it after use.

    ``directory`` is to be shown to the sandbox, read-only will do. The folder above it is closed
    to other users of the host; it is itself open, as the sandbox runs under another user.
    """

    def __init__(self) -> None:
        self._private = Path(tempfile.mkdtemp(prefix="warpboard-run-"))
        self.directory = self._private / "s"
        self._connection: socket.socket | None = None
        self._listener: socket.socket | None = None
        try:
            self.directory.mkdir()
            self.directory.chmod(0o755)
            self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._listener.bind(str(self.directory / _SOCKET_NAME))
            (self.directory / _SOCKET_NAME).chmod(0o666)
            self._listener.listen(1)
        except BaseException:
            self.close()
            raise

    @staticmethod
    def socket_path(mounted_at: Path) -> Path:
        """The socket's path where ``directory`` is mounted at ``mounted_at``."""
        return mounted_at / _SOCKET_NAME

    @property
    def connection_fd(self) -> int:
        """The connection's descriptor, once ``meet`` has returned READY."""
        if self._connection is None:
            raise RuntimeError("no runner has connected")
        return self._connection.fileno()

    def meet(
        self, setup: Setup, descriptors: tuple[int, ...], death_fd: int, timeout_seconds: float
    ) -> Meeting:
        """Accept the runner, hand it ``setup`` and ``descriptors``, wait until it is ready."""
        deadline = time.monotonic() + timeout_seconds
        if self._listener is None:
            raise RuntimeError("a reception meets one runner only")
        waited = _wait_readable(self._listener, death_fd, deadline)
        if waited is not Meeting.READY:
            return waited
        self._connection, _ = self._listener.accept()
        self._dismiss_listener()
        # A hostile runner need not read; the message fits into an empty socket buffer.
        self._connection.setblocking(False)
        try:
            socket.send_fds(self._connection, [bytes(setup)], list(descriptors))
        except OSError:
            return Meeting.BROKEN
        waited = _wait_readable(self._connection, death_fd, deadline)
        if waited is not Meeting.READY:
            return waited
        return self._read_ready(self._connection)

    def close(self) -> None:
        """Close both sockets and remove the folder (idempotent)."""
        self._dismiss_listener()
        if self._connection is not None:
            self._connection.close()
        if self._private.exists():
            shutil.rmtree(self._private)

    def _dismiss_listener(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None
            (self.directory / _SOCKET_NAME).unlink(missing_ok=True)

    @staticmethod
    def _read_ready(connection: socket.socket) -> Meeting:
        try:
            # recv, not recvmsg: descriptors that a runner attaches are never taken in.
            message = connection.recv(4096)
        except OSError:
            return Meeting.BROKEN
        expected = bytes(Ready(MAGIC, VERSION))
        return Meeting.READY if message == expected else Meeting.BROKEN


def _wait_readable(waited_for: socket.socket, death_fd: int, deadline: float) -> Meeting:
    poller = select.poll()
    poller.register(waited_for, select.POLLIN)
    poller.register(death_fd, select.POLLIN)
    remaining_ms = max(0.0, deadline - time.monotonic()) * 1000
    events = dict(poller.poll(remaining_ms))
    if waited_for.fileno() in events:
        return Meeting.READY
    return Meeting.DIED if events else Meeting.TIMED_OUT
