"""Python packages and compilers that judging needs, whichever device it is for."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import shutil
from collections.abc import Iterator

from judge.compiler.toolkit import INSTALL_NVCC, find_headers, find_nvcc
from judge.doctor.finding import Finding, State

#: Modules of the ``judge`` extra that the judge cannot load without.
_NEEDED = ("celery", "docker", "numpy", "pydantic", "pynvml", "redis", "scipy", "torch")
_INSTALL = "pip install 'warpboard[judge]'"


def part_findings() -> Iterator[Finding]:
    """A fault is something that no device can do without."""
    yield _python()
    yield _torch()
    yield _compiler()
    yield _headers()
    yield _nvcc()


def _python() -> Finding:
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    found = f"Python {platform.python_version()}"
    if missing:
        return Finding(State.FAULT, "packages", f"{found} lacks {', '.join(missing)}", _INSTALL)
    return Finding(State.OK, "packages", f"{found}, warpboard {_version('warpboard')}")


def _torch() -> Finding:
    if importlib.util.find_spec("torch") is None:
        return Finding(State.FAULT, "torch", "not installed", _INSTALL)
    import torch

    cuda = torch.version.cuda
    kind = f"built for CUDA {cuda}" if cuda else "built for the CPU alone"
    return Finding(State.OK, "torch", f"{torch.__version__}, {kind}")


def _compiler() -> Finding:
    found = shutil.which("g++")
    if found is None:
        return Finding(State.FAULT, "g++", "not installed", "apt-get install g++")
    return Finding(State.OK, "g++", found)


def _headers() -> Finding:
    folders = find_headers()
    if not folders:
        return Finding(State.FAULT, "CUDA headers", "no cuda_runtime.h anywhere", _INSTALL)
    return Finding(State.OK, "CUDA headers", str(folders[0]))


def _nvcc() -> Finding:
    toolkit = find_nvcc()
    if toolkit is None:
        found = "none that works; the emulated device does without, a GPU does not"
        return Finding(State.NOTE, "nvcc", found, INSTALL_NVCC)
    return Finding(State.OK, "nvcc", f"{toolkit.version} in {toolkit.root}")


def _version(package: str) -> str:
    return importlib.metadata.version(package)
