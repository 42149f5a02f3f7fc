"""Builds ``launcher.cpp``, process 1 of every sandbox, once per machine and user.

The program that enforces the limits is small enough to be compiled where it is used: every judge
has a C++ compiler anyway, and what is run is then certain to match the source beside this file.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path

from judge.execution import SandboxUnavailable

_SOURCE = Path(__file__).with_name("launcher.cpp")
_HEADERS = sorted(_SOURCE.parent.glob("*.h"))
_FLAGS = ("-std=c++20", "-O2", "-Wall", "-static")
_BUILD_SECONDS = 120.0


def launcher_path(cache: Path | None = None) -> Path:
    """The launcher's executable under ``cache`` (the user's cache folder), built if need be.

    Raises ``SandboxUnavailable`` when there is no C++ compiler, when it fails, or when the cache
    could be written by somebody else: this program starts with the judge's own privileges.
    """
    folder = cache if cache is not None else _user_cache()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _refuse_shared(folder)
    source = b"".join(path.read_bytes() for path in (_SOURCE, *_HEADERS))
    key = hashlib.sha256(repr(_FLAGS).encode() + platform.machine().encode() + source)
    executable = folder / f"launcher-{key.hexdigest()[:24]}"
    if not executable.exists():
        _build(executable)
    _refuse_shared(executable)
    return executable


def _user_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    root = Path(base) if base else Path.home() / ".cache"
    return root / "warpboard"


def _refuse_shared(path: Path) -> None:
    status = path.stat()
    if status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise SandboxUnavailable(
            f"{path} belongs to or can be written by another user, so the sandbox's launcher in "
            f"it cannot be trusted; remove it, or point XDG_CACHE_HOME at a folder of your own"
        )


def _build(executable: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        raise SandboxUnavailable(
            "no C++ compiler found to build the sandbox's launcher; apt-get install g++"
        )
    with tempfile.TemporaryDirectory(dir=executable.parent) as private:
        built = Path(private) / "launcher"
        try:
            subprocess.run(
                [compiler, *_FLAGS, str(_SOURCE), "-o", str(built)],
                check=True,
                capture_output=True,
                timeout=_BUILD_SECONDS,
            )
        except subprocess.CalledProcessError as error:
            text = error.stderr.decode(errors="replace").strip()
            raise SandboxUnavailable(
                f"{compiler} could not build the sandbox's launcher "
                f"(is libc6-dev installed?): {text}"
            ) from error
        except subprocess.TimeoutExpired as error:
            raise SandboxUnavailable(
                f"{compiler} took over {_BUILD_SECONDS:.0f} s to build the sandbox's launcher"
            ) from error
        built.chmod(0o755)
        # Two judges may build at once; either's result is as good, and renaming is atomic.
        built.rename(executable)
