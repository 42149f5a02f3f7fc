"""One container that waits for its program, and the host folder that it is fed through.

The launcher in it has connected to a socket of ours and handed over the folders that the program
may write to. Read-only files and folders of a command are put where the container has empty ones
mounted. Used once: whoever holds it ends it.
"""

from __future__ import annotations

import os
import select
import shutil
import socket
import stat
import struct
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from judge.execution import SandboxUnavailable
from judge.sandbox.docker_engine import Engine
from judge.sandbox.docker_shape import JUDGE_INSIDE, SOCKET_NAME, Shape

_READY_SECONDS = 30.0
_LOOK_SECONDS = 0.5
_DEATH_SECONDS = 10.0
_WAITING = b"W"
_MOST_FOLDERS = 16
_CREDENTIALS = struct.Struct("=iII")

#: Starts a container given targets and what to mount there; returns its ID.
StartContainer = Callable[[Mapping[Path, Path]], str]


class Container:
    """``folders`` are what the program may write to, in the shape's order."""

    def __init__(self, shape: Shape, workshop: Path, engine: Engine, start: StartContainer) -> None:
        """Make it and wait until it is ready. Raises ``SandboxUnavailable`` if it does not get so
        far; nothing of it is left then."""
        self._engine = engine
        self._slot = Path(tempfile.mkdtemp(prefix="slot-", dir=workshop))
        self._handed: dict[Path, Path] = {}
        self.identifier = ""
        self.folders: list[int] = []
        self.death_fd = -1
        self._control: socket.socket | None = None
        self._sees_process = False
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
                binds = self._lay_out(shape, listener)
                self.started_at = time.time()
                self.identifier = start(binds)
                self._meet(listener)
            # Nobody else is to knock there: the program will see the folder.
            (self._slot / "judge" / SOCKET_NAME).unlink()
        except BaseException:
            self.discard()
            raise

    @property
    def control(self) -> socket.socket:
        assert self._control is not None
        return self._control

    @property
    def is_waiting(self) -> bool:
        """Whether it is still there: an idle launcher says nothing unless it ends."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        return not poll.poll(0)

    def put(self, target: Path, source: Path) -> None:
        """Show a copy of ``source`` at ``target``, read-only; sockets and pipes are the same ones.

        Only what the shape announced as a file or folder of its own can be put.
        """
        place = self._handed[target]
        if source.is_dir():
            _copy_into(source, place)
        else:
            # In place: what is mounted is this very file.
            with source.open("rb") as data, place.open("wb") as copy:
                shutil.copyfileobj(data, copy, 1024 * 1024)
            place.chmod(_readable(source.stat().st_mode))

    def note_hang_up(self) -> None:
        """The launcher hangs up as it ends; where its process is hidden from us, ask the engine."""
        if not self._sees_process:
            self._engine.await_end(self.identifier)
            os.eventfd_write(self.death_fd, 1)

    def end(self) -> None:
        """Kill what still lives in it. Raises TimeoutError if something does not die."""
        self.control.close()
        if self._is_dead(0.0):
            return
        self._engine.remove(self.identifier)
        self.note_hang_up()
        if not self._is_dead(_DEATH_SECONDS):
            raise TimeoutError(f"processes of container {self.identifier[:12]} do not die")

    def _is_dead(self, timeout_seconds: float) -> bool:
        poll = select.poll()
        poll.register(self.death_fd, select.POLLIN)
        return bool(poll.poll(timeout_seconds * 1000))

    def discard(self) -> None:
        """End it, whatever it is doing, and remove what was made for it (idempotent)."""
        if self._control is not None:
            self._control.close()
            self._control = None
        if self.identifier and not self._died_by_itself():
            self._engine.remove(self.identifier)
        self.identifier = ""
        for descriptor in (*self.folders, *([self.death_fd] if self.death_fd >= 0 else [])):
            os.close(descriptor)
        self.folders, self.death_fd = [], -1
        if self._slot.exists():
            shutil.rmtree(self._slot)

    def _died_by_itself(self) -> bool:
        """It does, once the control socket is closed; then the engine removes it by itself."""
        return self._sees_process and self._is_dead(_LOOK_SECONDS)

    def _lay_out(self, shape: Shape, listener: socket.socket) -> dict[Path, Path]:
        judge = self._slot / "judge"
        judge.mkdir()
        judge.chmod(0o755)
        # Through a descriptor: a socket's path may be 107 bytes long, a folder's far longer.
        descriptor = os.open(judge, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            listener.bind(f"/proc/self/fd/{descriptor}/{SOCKET_NAME}")
        finally:
            os.close(descriptor)
        (judge / SOCKET_NAME).chmod(0o666)
        listener.listen(1)
        for number, target in enumerate((*shape.files, *shape.folders)):
            place = self._slot / str(number)
            if number < len(shape.files):
                place.touch(0o644)
            else:
                place.mkdir()
                place.chmod(0o755)
            self._handed[target] = place
        return {Path(JUDGE_INSIDE): judge, **self._handed}

    def _meet(self, listener: socket.socket) -> None:
        deadline = time.monotonic() + _READY_SECONDS
        poll = select.poll()
        poll.register(listener, select.POLLIN)
        while not poll.poll(_LOOK_SECONDS * 1000):
            if time.monotonic() >= deadline or not self._engine.is_running(self.identifier):
                raise SandboxUnavailable(
                    "the container's launcher did not connect: the image must run programs of "
                    "this machine's architecture, and the engine must be on this machine (or "
                    "share a folder with the judge, WARPBOARD_SANDBOX_SHARED)"
                )
        self._control, _ = listener.accept()
        self._control.settimeout(_READY_SECONDS)
        data, self.folders, _, _ = socket.recv_fds(self._control, 1, _MOST_FOLDERS)
        if data != _WAITING:
            raise SandboxUnavailable("the container's launcher went away before it was ready")
        self._control.settimeout(None)
        self._control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        peer = self._control.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        pid, _, _ = _CREDENTIALS.unpack(peer)
        self._sees_process = pid > 0
        if self._sees_process:
            # It waits for us, so the process that has this number is still that one.
            self.death_fd = os.pidfd_open(pid)
        else:
            self.death_fd = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)


def _copy_into(source: Path, place: Path) -> None:
    for entry in os.scandir(source):
        target = place / entry.name
        if entry.is_symlink():
            target.symlink_to(Path(entry.path).readlink())
        elif entry.is_dir():
            target.mkdir()
            target.chmod(0o755)
            _copy_into(Path(entry.path), target)
        elif entry.is_file():
            shutil.copyfile(entry.path, target)
            target.chmod(_readable(entry.stat().st_mode))
        else:
            _link(Path(entry.path), target)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError as error:
        raise SandboxUnavailable(
            f"{source} cannot be shown to a container from {target.parent}: {error}; the judge's "
            f"temporary folder (TMPDIR) and the folder it shares with the engine must be on one "
            f"file system"
        ) from error


def _readable(mode: int) -> int:
    return stat.S_IMODE(mode) & 0o777 | 0o444
