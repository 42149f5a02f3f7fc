"""Control groups (version 2): memory and process caps over a whole sandbox, kept by the kernel.

Used where part of the hierarchy has been handed to the judge: systemd marks what a unit with
``Delegate=`` owns, and that mark is looked for; a hierarchy that is merely writable belongs to
somebody else. Where there is none, accounting.py watches instead, and memory that no process has
mapped (files of a memory file system, memfds) goes uncounted.
"""

from __future__ import annotations

import itertools
import os
import secrets
import select
import time
from collections.abc import Sequence
from pathlib import Path

from judge.execution import ExecutionLimits, SandboxUnavailable

_CONTROLLERS = ("memory", "pids")
_DELEGATED = ("user.delegate", "trusted.delegate")
#: Where the judge itself goes: a group with members cannot hand controllers to its children.
_OWN_LEAF = "judge"
#: bubblewrap's monitor, the launcher, and its helper while it gives up root.
_OWN_PROCESSES = 3
_EMPTY_SECONDS = 10.0
_ENTER = 'echo 0 > "$1/cgroup.procs" && shift && exec "$@"'


class ControlGroup:
    """The group of one sandbox. Empty and useless once its processes are dead: ``remove`` it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def entering(self, argv: Sequence[str]) -> list[str]:
        """``argv`` run inside the group from its first instruction."""
        return ["/bin/sh", "-c", _ENTER, "sh", str(self._path), *argv]

    def kill(self) -> None:
        """Kill every member at once, those forked meanwhile included (Linux 5.14)."""
        (self._path / "cgroup.kill").write_text("1")

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel had to kill for memory in here."""
        events = (self._path / "memory.events").read_text().split()
        return int(events[events.index("oom_kill") + 1]) > 0

    def peak_bytes(self) -> int:
        """Most memory ever charged, caches included; 0 where the kernel does not say (< 5.19)."""
        peak = self._path / "memory.peak"
        return int(peak.read_text()) if peak.exists() else 0

    def remove(self) -> None:
        """Remove it once its members, who must be dying, are gone.

        Raises TimeoutError if they are not within seconds: something hangs in the kernel.
        """
        deadline = time.monotonic() + _EMPTY_SECONDS
        events = os.open(self._path / "cgroup.events", os.O_RDONLY | os.O_CLOEXEC)
        try:
            change = select.poll()
            change.register(events, select.POLLPRI)
            while b"populated 1" in os.pread(events, 4096, 0):
                if time.monotonic() >= deadline:
                    raise TimeoutError(f"{self._path} still has members: they do not die")
                change.poll(100)
        finally:
            os.close(events)
        self._path.rmdir()


class ControlGroups:
    """Makes groups under ``parent``, a group that is ours and has no members of its own."""

    def __init__(self, parent: Path) -> None:
        """Raises ``SandboxUnavailable`` if the kernel does not let us use it so."""
        try:
            (parent / "cgroup.subtree_control").write_text(
                " ".join(f"+{controller}" for controller in _CONTROLLERS)
            )
        except OSError as error:
            raise SandboxUnavailable(
                f"the control group {parent} was delegated to the judge, but its "
                f"{' and '.join(_CONTROLLERS)} controllers cannot be used: {error}; "
                f"see that the unit says Delegate=memory pids"
            ) from error
        self._parent = parent
        # Judges that share a parent, and one judge's sandboxes, must not collide.
        self._names = (f"sandbox-{secrets.token_hex(4)}-{n}" for n in itertools.count())

    def create(self, limits: ExecutionLimits) -> ControlGroup:
        """A new group that holds its members to ``limits``."""
        path = self._parent / next(self._names)
        path.mkdir()
        try:
            (path / "pids.max").write_text(str(limits.processes + _OWN_PROCESSES))
            if limits.memory_bytes is not None:
                (path / "memory.max").write_text(str(limits.memory_bytes))
                swap = path / "memory.swap.max"
                if swap.exists():  # a kernel may be built or booted without swap accounting
                    swap.write_text("0")
        except OSError:
            path.rmdir()
            raise
        return ControlGroup(path)


def find_delegated() -> ControlGroups | None:
    """Groups under what was delegated to this process's unit; None if nothing was.

    If the unit's group itself holds the judge (systemd before 254, or no DelegateSubgroup=), its
    members move into a leaf of it first, as systemd asks of who uses a delegation.
    """
    own = _own_group()
    if own is None:
        return None
    if _is_delegated(own):
        leaf = own / _OWN_LEAF
        leaf.mkdir(exist_ok=True)
        for pid in (own / "cgroup.procs").read_text().split():
            _move(pid, leaf)
        return ControlGroups(own)
    if _is_delegated(own.parent):
        return ControlGroups(own.parent)
    return None


def _move(pid: str, group: Path) -> None:
    try:
        (group / "cgroup.procs").write_text(pid)
    except ProcessLookupError:
        return  # it ended meanwhile


def _own_group() -> Path | None:
    """This process's group in the version 2 hierarchy, if that is mounted."""
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, mount_point, kind, *_ = line.split()
        if kind == "cgroup2":
            break
    else:
        return None
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        hierarchy, _, path = line.split(":", 2)
        if hierarchy == "0":
            return Path(mount_point, path.lstrip("/"))
    return None


def _is_delegated(group: Path) -> bool:
    for attribute in _DELEGATED:
        try:
            if os.getxattr(group, attribute) == b"1":
                return True
        except OSError:
            continue  # not marked, or marked for root's eyes only
    return False
