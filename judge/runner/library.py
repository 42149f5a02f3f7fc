"""Builds the judge's native helper once per machine and loads it."""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_SOURCE = _HERE / "native" / "doorbell.cpp"
_HEADERS = tuple(sorted(_HERE.glob("*.h")))
_FLAGS = ("-std=c++20", "-O2", "-shared", "-fPIC")


class HelperUnavailable(Exception):
    """The native helper cannot be built; the text says why and what to do."""


def default_directory() -> Path:
    """Where the built helper is kept: below WARPBOARD_CACHE, else the user's cache folder."""
    configured = os.environ.get("WARPBOARD_CACHE")
    if configured:
        return Path(configured) / "native"
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "warpboard" / "native"


@cache
def load_helper(directory: Path) -> ctypes.CDLL:
    """The helper, built into ``directory`` unless it is there already.

    Raises HelperUnavailable.
    """
    compiler = shutil.which("g++")
    if compiler is None:
        raise HelperUnavailable(
            "The judge needs g++ to build its timing helper, and there is none on PATH. "
            "Install it (Debian, Ubuntu: apt-get install g++)."
        )
    built = directory / f"doorbell-{_key(compiler)}.so"
    if not built.exists():
        _build(compiler, built)
    return ctypes.CDLL(str(built))


def _key(compiler: str) -> str:
    digest = hashlib.sha256()
    for path in (_SOURCE, *_HEADERS):
        digest.update(path.read_bytes())
    version = subprocess.run([compiler, "--version"], capture_output=True, check=True).stdout
    digest.update(version + " ".join((*_FLAGS, platform.machine())).encode())
    return digest.hexdigest()[:24]


def _build(compiler: str, built: Path) -> None:
    built.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(dir=built.parent) as scratch:
        output = Path(scratch) / built.name
        command = [compiler, *_FLAGS, f"-I{_HERE}", str(_SOURCE), "-o", str(output)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise HelperUnavailable(
                f"Building the judge's timing helper failed: {' '.join(command)}\n{result.stderr}"
            )
        output.replace(built)  # atomic: another process may be building it too
