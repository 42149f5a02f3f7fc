"""Finds nvcc and CUDA's headers: a toolkit on this machine, or NVIDIA's wheels.

It only looks; what is compiled with them, and how, is for the back ends.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from judge.execution import Mount

#: What to tell somebody who has no nvcc.
INSTALL_NVCC = (
    "put a CUDA toolkit's nvcc on PATH, or set CUDA_HOME to the toolkit, "
    "or `pip install 'warpboard[nvcc]'`; it also needs g++ (apt-get install g++)"
)

_INSIDE = Path("/opt/cuda")
_ASK_SECONDS = 30.0
_TOP = re.compile(r"^#\$ TOP=(.+)$", re.MULTILINE)
_VERSION = re.compile(r"\bV(\d+\.\d+\.\d+)")


@dataclass(frozen=True)
class Toolkit:
    """An nvcc that answers, as the host sees it and as a sandbox does.

    ``root`` is the folder that holds bin/, nvvm/ and the headers, links resolved. A toolkit outside
    /usr is mounted at a fixed place, which keeps the judge's folders out of compiler messages.
    """

    root: Path
    version: str

    @property
    def root_inside(self) -> Path:
        return self.root if self.root.is_relative_to("/usr") else _INSIDE

    @property
    def nvcc_inside(self) -> Path:
        return self.root_inside / "bin" / "nvcc"

    @property
    def mounts(self) -> tuple[Mount, ...]:
        """What a sandbox must mount for this toolkit, read-only.

        Also for one in /usr: a sandbox may show another /usr than the host's.
        """
        return (Mount(self.root, self.root_inside, lasting=True),)

    @property
    def library_folder(self) -> Path | None:
        """Where libcudart is, which the wheel's nvcc does not find by itself."""
        for folder in (self.root / "lib64", self.root / "lib"):
            if (folder / "libcudart_static.a").is_file():
                return folder
        return None

    @property
    def library_folder_inside(self) -> Path | None:
        """``library_folder`` as a sandbox shows it."""
        if self.library_folder is None:
            return None
        return self.root_inside / self.library_folder.relative_to(self.root)


def find_nvcc() -> Toolkit | None:
    """The first nvcc that works: on PATH, under CUDA_HOME, /usr/local/cuda, or from the wheel."""
    for nvcc in _candidates():
        toolkit = _ask(nvcc)
        if toolkit is not None:
            return toolkit
    return None


def find_wheel_nvcc() -> Toolkit | None:
    """nvcc of the nvidia-cuda-nvcc wheel in this environment, whatever else is installed."""
    for root in _wheel_roots():
        toolkit = _ask(root / "bin" / "nvcc")
        if toolkit is not None:
            return toolkit
    return None


def find_headers() -> tuple[Path, ...]:
    """Include folders with cuda_runtime.h and, if there, the CUDA C++ core libraries (cccl).

    The wheels come first: their version is pinned with the rest of the judge's, a toolkit's is
    whatever the host has. Empty when there are neither.
    """
    roots = [*_wheel_roots()]
    toolkit = find_nvcc()
    if toolkit is not None:
        roots.append(toolkit.root)
    for root in roots:
        for include in (root / "include", *root.glob("targets/*/include")):
            # nvcc alone brings some headers along, but not the runtime's and its compiler parts.
            if (include / "cuda_runtime.h").is_file() and (include / "crt/host_config.h").is_file():
                cccl = include / "cccl"
                return (include, cccl) if cccl.is_dir() else (include,)
    return ()


def _candidates() -> list[Path]:
    candidates: list[Path] = []
    on_path = shutil.which("nvcc")
    if on_path is not None:
        candidates.append(Path(on_path))
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    if home:
        candidates.append(Path(home, "bin", "nvcc"))
    candidates.append(Path("/usr/local/cuda/bin/nvcc"))
    candidates += [root / "bin" / "nvcc" for root in _wheel_roots()]
    return candidates


def _wheel_roots() -> list[Path]:
    """``site-packages/nvidia/cu13`` and kin: one tree that the wheels of a major version share."""
    spec = importlib.util.find_spec("nvidia")
    if spec is None or spec.submodule_search_locations is None:
        return []
    roots: list[Path] = []
    for location in spec.submodule_search_locations:
        roots += sorted(Path(location).glob("cu[0-9]*"), reverse=True)
    return roots


def _ask(nvcc: Path) -> Toolkit | None:
    """Let nvcc say where it lives: what is on PATH may be a link or a script that runs another."""
    if not nvcc.is_file():
        return None
    try:
        plan = _output(nvcc, "--dryrun", "-x", "cu", "/dev/null", "-o", "/dev/null")
        version = _VERSION.search(_output(nvcc, "--version"))
    except (OSError, subprocess.SubprocessError):
        return None  # an nvcc that does not run is no nvcc; the next candidate may
    top = _TOP.search(plan)
    if top is None or version is None:
        return None
    root = Path(top.group(1).strip()).resolve()
    if not (root / "bin" / "nvcc").is_file():
        return None
    return Toolkit(root=root, version=version.group(1))


def _output(program: Path, *arguments: str) -> str:
    done = subprocess.run(
        [str(program), *arguments],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=_ASK_SECONDS,
    )
    return done.stdout.decode(errors="replace")
