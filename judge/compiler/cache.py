"""A bounded, content-addressed store of build products, shared by all compilers of a machine.

An entry is a directory named by the hash of everything that went into it. It appears whole or not
at all, never changes, and leaves when the store is full and it was the longest unused. What an
entry holds and how its key is made is the callers' business.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

GIB = 1024**3

#: An entry used this recently may be in the hands of a Run, and is never evicted.
_PROTECTED_SECONDS = 3600.0
#: A staging folder this old belongs to a process that died.
_ABANDONED_SECONDS = 24 * 3600.0
_KEY = re.compile(r"[0-9a-f]{16,128}")


@dataclass(frozen=True)
class _Entry:
    path: Path
    used_at: float
    size_bytes: int


class BuildCache:
    """The store under ``root``; any number of processes may use it at once."""

    def __init__(
        self,
        root: Path,
        capacity_bytes: int = 4 * GIB,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``clock`` gives seconds since the epoch, comparable with file times."""
        self._root = root
        self._capacity_bytes = capacity_bytes
        self._clock = clock
        self._entries = root / "entries"
        self._staging = root / "staging"
        for folder in (self._entries, self._staging):
            folder.mkdir(parents=True, exist_ok=True)

    def get(self, key: str) -> Path | None:
        """The entry's read-only directory, or None. Using it keeps it from eviction for an hour."""
        path = self._place(key)
        with self._locked(fcntl.LOCK_SH):
            try:
                self._touch(path)
            except FileNotFoundError:
                return None
        return path

    @contextmanager
    def staging(self) -> Iterator[Path]:
        """A private directory on the store's own file system; gone afterwards unless published."""
        path = Path(tempfile.mkdtemp(dir=self._staging))
        try:
            yield path
        finally:
            _remove(path)

    def publish(self, key: str, directory: Path) -> Path:
        """Make ``directory`` the entry of ``key``, read-only, and return where it is now.

        It is moved if it came from ``staging``, else copied. If another process was first, its
        entry stands and ours is dropped. Raises ValueError if it holds anything but regular
        files and directories: a build that ran untrusted input may leave links behind.
        """
        place = self._place(key)
        with self.staging() as private:
            candidate = private / "entry"
            _refuse_specials(directory)
            if directory.parent == self._staging:
                directory.rename(candidate)
            else:
                shutil.copytree(directory, candidate, symlinks=True)
            # Checked again now that nobody else can reach it.
            _refuse_specials(candidate)
            _make_read_only(candidate)
            self._touch(candidate)
            place.parent.mkdir(exist_ok=True)
            with self._locked(fcntl.LOCK_SH):
                try:
                    candidate.rename(place)
                    place.chmod(0o555)
                except OSError as error:
                    if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                        raise
                    self._touch(place)
        self._evict()
        return place

    def _place(self, key: str) -> Path:
        if not _KEY.fullmatch(key):
            raise ValueError(f"not a cache key: {key!r} (16 to 128 lower-case hex digits)")
        return self._entries / key[:2] / key

    def _touch(self, path: Path) -> None:
        now = self._clock()
        os.utime(path, (now, now))

    @contextmanager
    def _locked(self, mode: int) -> Iterator[None]:
        descriptor = os.open(self._root / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, mode)
            yield
        finally:
            os.close(descriptor)

    def _evict(self) -> None:
        """Bring the store under its capacity, the longest unused first."""
        now = self._clock()
        doomed: list[Path] = []
        with self._locked(fcntl.LOCK_EX):
            entries = sorted(self._scan(), key=lambda entry: entry.used_at)
            excess = sum(entry.size_bytes for entry in entries) - self._capacity_bytes
            for entry in entries:
                if excess <= 0 or now - entry.used_at < _PROTECTED_SECONDS:
                    break
                # Out of sight under the lock; deleting can then take its time without it.
                trash = Path(tempfile.mkdtemp(dir=self._staging))
                entry.path.chmod(0o755)
                entry.path.rename(trash / "entry")
                doomed.append(trash)
                excess -= entry.size_bytes
        for staged in self._staging.iterdir():
            try:
                if now - staged.stat().st_mtime > _ABANDONED_SECONDS:
                    doomed.append(staged)
            except FileNotFoundError:
                continue  # its owner was quicker
        for path in doomed:
            _remove(path)

    def _scan(self) -> Iterator[_Entry]:
        for path in self._entries.glob("??/*"):
            size = sum(file.lstat().st_size for file in path.rglob("*"))
            yield _Entry(path, path.stat().st_mtime, size)


def _refuse_specials(directory: Path) -> None:
    for folder, folders, files in os.walk(directory):
        for name in (*folders, *files):
            path = Path(folder, name)
            mode = path.lstat().st_mode
            if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                raise ValueError(f"a build product may only hold files and directories: {path}")


def _make_read_only(directory: Path) -> None:
    """All but the top, which must stay writable to be moved."""
    owner, group = os.geteuid(), os.getegid()
    for folder, folders, files in os.walk(directory, topdown=False):
        for name in files:
            path = Path(folder, name)
            _take(path, owner, group)
            path.chmod(0o555 if path.stat().st_mode & stat.S_IXUSR else 0o444)
        for name in folders:
            _take(Path(folder, name), owner, group)
            Path(folder, name).chmod(0o555)
    _take(directory, owner, group)
    directory.chmod(0o755)


def _take(path: Path, owner: int, group: int) -> None:
    """A root judge's compilers run as nobody, who must not own what is trusted later."""
    if owner == 0:
        os.chown(path, owner, group)


def _remove(path: Path) -> None:
    for folder, folders, _ in os.walk(path):
        for name in folders:
            if not Path(folder, name).is_symlink():
                Path(folder, name).chmod(0o755)
    # Two processes may clear the same leftovers.
    shutil.rmtree(path, ignore_errors=True)
