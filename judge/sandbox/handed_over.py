"""Folders that a sandbox owns, filled and emptied by the judge through an open descriptor.

What comes out of one was made by an untrusted program. It is read once nothing in the sandbox
lives, so it stands still; no link in it is ever followed, and only plain files and folders are
taken. The sandbox's file system bounds how much there can be. Nothing here knows why.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from pathlib import Path

from judge.sandbox.grants import NOBODY

#: Folders nested deeper than any compiler's are left behind.
_MOST_DEPTH = 32


def fill(folder: int, source: Path) -> None:
    """Copy what is in ``source`` into the sandbox's ``folder``, for nobody to change."""
    for entry in os.scandir(source):
        if entry.is_dir(follow_symlinks=False):
            os.mkdir(entry.name, dir_fd=folder)
            inner = os.open(entry.name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            try:
                fill(inner, Path(entry.path))
                _give_away(inner, 0o777)
            finally:
                os.close(inner)
        elif entry.is_file(follow_symlinks=False):
            mode = entry.stat(follow_symlinks=False).st_mode
            with Path(entry.path).open("rb") as data:
                copy = os.open(
                    entry.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder
                )
                try:
                    _copy_bytes(data.fileno(), copy)
                    _give_away(copy, 0o666 | mode & 0o111)
                finally:
                    os.close(copy)
        else:
            raise ValueError(
                f"{entry.path} cannot be in a writable mount: only files and folders can"
            )


def bring_back(folder: int, destination: Path, depth: int = 0) -> None:
    """Make ``destination`` hold what the sandbox's ``folder`` does: plain files and folders.

    What the judge may not read is left behind, as if it had not been written.
    """
    kept: set[str] = set()
    for name in os.listdir(folder):
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        target = destination / name
        if stat.S_ISREG(status.st_mode):
            brought = _bring_file(folder, name, target, status.st_mode)
        elif stat.S_ISDIR(status.st_mode) and depth < _MOST_DEPTH:
            brought = _bring_folder(folder, name, target, depth)
        else:
            continue
        if brought:
            kept.add(name)
    for entry in list(os.scandir(destination)):
        if entry.name not in kept:
            _remove(Path(entry.path))


def _bring_file(folder: int, name: str, target: Path, mode: int) -> bool:
    try:
        data = os.open(name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=folder)
    except PermissionError:
        return False
    try:
        _remove(target)
        copy = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            _copy_bytes(data, copy)
            os.fchmod(copy, 0o600 | mode & 0o755)
        finally:
            os.close(copy)
    finally:
        os.close(data)
    return True


def _bring_folder(folder: int, name: str, target: Path, depth: int) -> bool:
    try:
        inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
    except PermissionError:
        return False
    try:
        if target.is_symlink() or not target.is_dir():
            _remove(target)
            target.mkdir(mode=0o755)
        bring_back(inner, target, depth + 1)
    finally:
        os.close(inner)
    return True


def _copy_bytes(source: int, copy: int) -> None:
    """Holes stay holes: a file may claim to be far larger than all memory."""
    size = os.fstat(source).st_size
    os.ftruncate(copy, size)
    at = 0
    while at < size:
        try:
            start = os.lseek(source, at, os.SEEK_DATA)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            return  # only a hole is left
        at = os.lseek(source, start, os.SEEK_HOLE)
        os.lseek(copy, start, os.SEEK_SET)
        while start < at:
            start += os.sendfile(copy, source, start, at - start)


def _give_away(descriptor: int, mode: int) -> None:
    os.fchmod(descriptor, mode)
    if os.geteuid() == 0:
        os.fchown(descriptor, NOBODY, NOBODY)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
