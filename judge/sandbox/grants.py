"""Lets the unprivileged user that programs run as reach what the judge mounts for them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

#: The user and group that programs run as: nobody's.
NOBODY = 65534


def hand_to_nobody(folder: Path) -> None:
    """A writable source becomes nobody's with all it holds; only root can do that."""
    os.chown(folder, NOBODY, NOBODY)
    if folder.is_dir():
        for _, folders, files, descriptor in os.fwalk(folder):
            for name in (*folders, *files):
                os.chown(name, NOBODY, NOBODY, dir_fd=descriptor, follow_symlinks=False)


def show_to_nobody(path: Path) -> None:
    """Make a read-only source readable: its top only, and only if it is private.

    Folders made by tempfile are. Root opens it to nobody's group alone; an ordinary user can only
    open it to everybody, which those below a private folder of the judge still do not reach.
    """
    status = path.stat()
    wanted = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(status.st_mode) else 0)
    if status.st_mode & wanted == wanted:
        return
    if os.geteuid() == 0:
        os.chown(path, -1, NOBODY)
        wanted <<= 3
    path.chmod(stat.S_IMODE(status.st_mode) | wanted)
