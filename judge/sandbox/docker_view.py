"""Where the engine finds what the judge wants to mount.

An engine mounts paths of its own machine. For a judge that runs on that machine these are the
judge's own; one that itself runs in a container shares a single folder with the engine, under the
same path, and what lies elsewhere is copied into it once.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
import threading
from pathlib import Path

from judge.sandbox.grants import show_to_nobody

_COPIES = "lasting"


class EngineView:
    """Paths as the engine sees them; ``shared`` None means that it sees all that the judge does."""

    def __init__(self, shared: Path | None) -> None:
        self._shared = shared
        self._seen: dict[Path, Path] = {}
        self._lock = threading.Lock()

    @property
    def workshop(self) -> Path:
        """A folder for what is made for single containers."""
        return self._shared if self._shared is not None else Path(tempfile.gettempdir())

    def visible(self, source: Path) -> Path:
        """``source``, which must not change any more, where the engine can mount it for nobody."""
        if self._shared is None or source.is_relative_to(self._shared):
            show_to_nobody(source)
            return source
        with self._lock:
            if source not in self._seen:
                self._seen[source] = _copied(source, self._shared / _COPIES)
            return self._seen[source]


def _copied(source: Path, folder: Path) -> Path:
    """A copy of ``source``, named by what it is a copy of: found again after a restart."""
    folder.mkdir(mode=0o755, exist_ok=True)
    target = folder / _fingerprint(source)
    if target.exists():
        return target
    with tempfile.TemporaryDirectory(dir=folder, prefix="copying-") as private:
        copy = Path(private) / "copy"
        if source.is_dir():
            shutil.copytree(source, copy, symlinks=True)
        else:
            shutil.copy2(source, copy)
        show_to_nobody(copy)
        # Moving a folder changes its "..", so even its owner needs to be let write to it.
        copy.chmod(stat.S_IMODE(copy.stat().st_mode) | stat.S_IWUSR)
        try:
            copy.rename(target)
        except OSError:
            if not target.exists():
                raise
            # Another judge was as quick, and its copy is as good.
    return target


def _fingerprint(source: Path) -> str:
    digest = hashlib.sha256(str(source).encode())
    files = [source] if not source.is_dir() else sorted(_files(source))
    for path in files:
        status = path.lstat()
        line = f"{path}\0{status.st_mode}\0{status.st_size}\0{status.st_mtime_ns}\n"
        digest.update(line.encode(errors="surrogateescape"))
    return digest.hexdigest()[:32]


def _files(folder: Path) -> list[Path]:
    return [Path(place) / name for place, _, names in os.walk(folder) for name in names]
