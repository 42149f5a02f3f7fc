"""Builds the runner of a GPU, and the judge's native helper for it, once per host with nvcc.

Knows the files and the options, not where a toolkit is nor who uses the results.
"""

from __future__ import annotations

import hashlib
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.runner import SYSTEM_CALLS
from judge.runner.library import HelperUnavailable

_HERE = Path(__file__).resolve().parent
_RUNNER_SOURCES = ("main.cpp", "connection.cpp", "confinement.cpp", "backend_cuda.cpp")
_HELPER_SOURCES = ("native/cuda_arena.cu", "native/cuda_bracket.cu")
_FLAGS = ("-std=c++20", "-O2")
_BUILD_SECONDS = 300.0


@dataclass(frozen=True)
class CudaPrograms:
    """``runner`` is the executable that loads a submission, ``helper`` the judge's library."""

    runner: Path
    helper: Path


def build_cuda_programs(
    nvcc: Path, libraries: Path | None, architecture: str, directory: Path
) -> CudaPrograms:
    """Both, built into ``directory`` unless they are there already.

    ``libraries`` is the folder with libcudart_static.a where ``nvcc`` does not find it by itself;
    ``architecture`` is the GPU's, such as sm_90. Raises HelperUnavailable.
    """
    search = () if libraries is None else ("-L", str(libraries))
    virtual = architecture.replace("sm_", "compute_")
    common = (*_FLAGS, f"-I{_HERE}", f"-I{_HERE / 'native'}", *search)
    helper_flags = (
        "-shared",
        "-Xcompiler",
        "-fPIC",
        f"-gencode=arch={virtual},code={architecture}",
    )
    return CudaPrograms(
        runner=_built(nvcc, common, _RUNNER_SOURCES, directory, "runner", ""),
        helper=_built(nvcc, (*common, *helper_flags), _HELPER_SOURCES, directory, "gpu", ".so"),
    )


def _built(
    nvcc: Path,
    flags: Sequence[str],
    sources: Sequence[str],
    directory: Path,
    stem: str,
    suffix: str,
) -> Path:
    target = directory / f"{stem}-{_key(nvcc, flags, sources)}{suffix}"
    if target.exists():
        return target
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(dir=directory) as scratch:
        output = Path(scratch) / target.name
        paths = [str(_HERE / source) for source in sources]
        command = [str(nvcc), *flags, *paths, "-o", str(output), "-ldl"]
        try:
            subprocess.run(
                command, capture_output=True, text=True, check=True, timeout=_BUILD_SECONDS
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise HelperUnavailable(f"Building the judge's GPU programs failed: {error}") from error
        except subprocess.CalledProcessError as error:
            raise HelperUnavailable(
                f"Building the judge's GPU programs failed: {' '.join(command)}\n{error.stderr}"
            ) from error
        # Whatever the judge's umask: the runner is executed by somebody else.
        output.chmod(0o755)
        output.replace(target)  # atomic: another process may be building it too
    return target


def _key(nvcc: Path, flags: Sequence[str], sources: Sequence[str]) -> str:
    digest = hashlib.sha256()
    headers = [*sorted([*_HERE.glob("*.h"), *(_HERE / "native").glob("*.h")]), SYSTEM_CALLS]
    for path in [*(_HERE / source for source in sources), *headers]:
        digest.update(path.read_bytes())
    version = subprocess.run([str(nvcc), "--version"], capture_output=True, check=True).stdout
    digest.update(version + "\0".join(flags).encode())
    return digest.hexdigest()[:24]
