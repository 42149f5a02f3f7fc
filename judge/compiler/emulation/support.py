"""What every emulated submission is linked with, built once per toolchain and kept.

The runner, the emulation runtime and the precompiled prelude: trusted sources, compiled in the
sandbox all the same, so that paths and the compiler are those the submission will meet.
"""

from __future__ import annotations

import hashlib
import os
import platform
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from judge.compiler import caps
from judge.compiler.cache import BuildCache
from judge.compiler.interface import ToolchainMissing
from judge.compiler.toolkit import find_headers
from judge.execution import MIB, Command, Ending, ExecutionLimits, Executor, Mount
from judge.runner import RunnerSources, sources

_HERE = Path(__file__).resolve().parent
_SHIM = _HERE / "include"
_RUNTIME = _HERE / "runtime"

#: Bump when what an entry holds, or how it is made, changes in a way the key does not show.
_RECIPE = "emulation support 1"

_COMPILER = "/usr/bin/g++"
_INSTALL_COMPILER = "apt-get install g++"
_INSTALL_HEADERS = (
    "`pip install 'warpboard[judge]'` brings the wheels nvidia-cuda-runtime and nvidia-cuda-crt, "
    "which carry them; a CUDA toolkit does too"
)

_SHIM_INSIDE = PurePosixPath("/opt/emulation/include")
_RUNTIME_INSIDE = PurePosixPath("/opt/emulation/runtime")
_RUNNER_INSIDE = PurePosixPath("/opt/runner")
#: Where the runner's sources look for it: beside them.
_FILTER_INSIDE = PurePosixPath("/opt/sandbox")
_CUDA_INSIDE = PurePosixPath("/opt/cuda-headers")
_SUPPORT_INSIDE = PurePosixPath("/opt/support")
_OUTPUT_INSIDE = PurePosixPath("/output")
#: The precompiled prelude's folder, searched before the shim's for the same name.
_PRECOMPILED = "precompiled"
_PRELUDE = "emulation/prelude.h"

_WALL_SECONDS = 300.0
_PROBE_SECONDS = 20.0

#: The level of x86-64 with fused multiply-add and 32-byte vectors, and what /proc/cpuinfo calls it.
_X86_LEVEL = "-march=x86-64-v3"
_X86_LEVEL_FEATURES = frozenset(
    {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}
)

_COMMON_FLAGS = ("-std=c++20", "-pipe", "-fdiagnostics-color=never", "-fdiagnostics-urls=never")
#: As nvcc's: contracted multiply-adds, no errno. Pointers may alias, as learners' kernels assume;
#: a large local array may not jump over a stack's guard page.
_SUBMISSION_FLAGS = (
    "-O3",
    "-ffp-contract=fast",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fno-strict-aliasing",
    "-fstack-clash-protection",
    "-ftls-model=local-exec",
    "-fmax-errors=100",
)


@dataclass(frozen=True)
class Support:
    """The built parts, and how to compile and link a submission with them.

    ``arguments`` begins a command line that compiles and links; ``objects`` ends it. ``mounts`` is
    what the sandbox must show for both.
    """

    key: str
    arguments: tuple[str, ...]
    objects: tuple[str, ...]
    mounts: tuple[Mount, ...]


class SupportBuilder:
    """Builds the support on first use; one per process is enough, any number are harmless."""

    def __init__(self, executor: Executor, cache: BuildCache) -> None:
        """Raises ``ToolchainMissing`` if g++ or CUDA's headers are absent."""
        headers = find_headers()
        if not headers:
            raise ToolchainMissing(
                f"the emulated device needs CUDA's headers (cuda_runtime.h): {_INSTALL_HEADERS}"
            )
        self._executor = executor
        self._cache = cache
        self._headers = headers[0]
        #: The CUDA C++ core libraries: cuda::std runs on the host as it is.
        self._has_libraries = (self._headers / "cccl").is_dir()
        self._runner: RunnerSources = sources()
        self._version = self._compiler_version()
        self._machine_flags = _machine_flags()
        self._lock = threading.Lock()

    @property
    def toolchain(self) -> str:
        """Compiler and version."""
        return f"g++ {self._version} (emulated device)"

    @property
    def flags(self) -> tuple[str, ...]:
        """What a submission is compiled with."""
        return (*_COMMON_FLAGS, *_SUBMISSION_FLAGS, *self._machine_flags)

    def get(self) -> Support:
        """The support, built if the cache has not got it. Raises ``ToolchainMissing``."""
        with self._lock:
            # Asked for every time: the cache forgets what has not been used for long.
            key = self._key()
            entry = self._cache.get(key) or self._build(key)
            return self._described(key, entry)

    def _described(self, key: str, entry: Path) -> Support:
        objects = tuple(str(_SUPPORT_INSIDE / path.name) for path in sorted(entry.glob("*.o")))
        return Support(
            key=key,
            arguments=(
                _COMPILER,
                *self.flags,
                f"-I{_SUPPORT_INSIDE / _PRECOMPILED}",
                *self._includes(),
                "-include",
                _PRELUDE,
            ),
            objects=(*objects, "-pthread", "-Wl,-z,defs"),
            mounts=(
                Mount(_SHIM, Path(_SHIM_INSIDE), lasting=True),
                Mount(self._headers, Path(_CUDA_INSIDE), lasting=True),
                Mount(entry, Path(_SUPPORT_INSIDE), lasting=True),
            ),
        )

    def _includes(self) -> tuple[str, ...]:
        """The shim's headers take precedence over NVIDIA's of the same name."""
        system = [_CUDA_INSIDE, *([_CUDA_INSIDE / "cccl"] if self._has_libraries else [])]
        return (f"-I{_SHIM_INSIDE}", *(f"-isystem{folder}" for folder in system))

    def _build(self, key: str) -> Path:
        """All parts at once, as many at a time as there are cores."""
        own_code = (_COMPILER, *_COMMON_FLAGS, "-O2", *self._machine_flags, *self._includes())
        header = (_COMPILER, *self.flags, *self._includes(), "-x", "c++-header")
        precompiled = f"{PurePosixPath(_PRELUDE).name}.gch"
        parts = [(*header, str(_SHIM_INSIDE / _PRELUDE), "-o", str(_OUTPUT_INSIDE / precompiled))]
        places = [(path, _RUNTIME_INSIDE) for path in sorted(_RUNTIME.glob("*.cpp"))]
        places += [(path, _RUNNER_INSIDE) for path in self._runner.emulated]
        for path, inside in places:
            product = str(_OUTPUT_INSIDE / f"{inside.name}-{path.stem}.o")
            source = str(inside / path.name)
            parts.append((*own_code, f"-I{inside}", "-c", source, "-o", product))
        with self._cache.staging() as output:
            with ThreadPoolExecutor(max_workers=_cores()) as pool:
                for problem in pool.map(lambda argv: self._compile(argv, output), parts):
                    if problem is not None:
                        raise ToolchainMissing(problem)
            # Where the compiler looks for it: below an include folder, by the header's own path.
            folder = output / _PRECOMPILED / PurePosixPath(_PRELUDE).parent
            folder.mkdir(parents=True)
            (output / precompiled).rename(folder / precompiled)
            return self._cache.publish(key, output)

    def _compile(self, argv: tuple[str, ...], output: Path) -> str | None:
        """Runs one compiler; what went wrong, or None with its product in ``output``."""
        # A folder of its own: programs that run at once cannot share a writable one.
        with self._cache.staging() as own:
            outcome = self._executor.run(
                Command(
                    argv=argv,
                    limits=ExecutionLimits(
                        wall_seconds=_WALL_SECONDS, memory_bytes=caps.MEMORY_BYTES
                    ),
                    mounts=(
                        Mount(_SHIM, Path(_SHIM_INSIDE), lasting=True),
                        Mount(_RUNTIME, Path(_RUNTIME_INSIDE), lasting=True),
                        Mount(self._runner.include_directory, Path(_RUNNER_INSIDE), lasting=True),
                        Mount(self._runner.filter_directory, Path(_FILTER_INSIDE), lasting=True),
                        Mount(self._headers, Path(_CUDA_INSIDE), lasting=True),
                        Mount(own, Path(_OUTPUT_INSIDE), writable=True),
                    ),
                    environment=caps.ENVIRONMENT,
                )
            )
            if outcome.ending is Ending.EXITED and outcome.exit_code == 0:
                for product in own.iterdir():
                    product.rename(output / product.name)
                return None
        text = outcome.stderr.decode(errors="replace").strip()
        return (
            f"building the emulated device's runtime failed ({outcome.ending}): "
            f"{' '.join(argv)}\n{text}"
        )

    def _key(self) -> str:
        digest = hashlib.sha256()
        # An image brings its own g++ and C library.
        toolchain = (self._version, self._executor.image_digest, platform.machine())
        texts = (_RECIPE, *toolchain, *self.flags, str(self._headers))
        for text in texts:
            digest.update(text.encode() + b"\0")
        files = [
            *sorted(path for path in _SHIM.rglob("*") if path.is_file()),
            *sorted(_RUNTIME.iterdir()),
            *self._runner.emulated,
            *self._runner.headers,
            self._headers / "cuda_runtime_api.h",
            self._headers / "cuda_fp16.h",
        ]
        for path in files:
            data = path.read_bytes()
            digest.update(path.name.encode() + b"\0" + len(data).to_bytes(8, "little") + data)
        return digest.hexdigest()

    def _compiler_version(self) -> str:
        outcome = self._executor.run(
            Command(
                argv=(_COMPILER, "-dumpfullversion"),
                limits=ExecutionLimits(wall_seconds=_PROBE_SECONDS, memory_bytes=512 * MIB),
                environment=caps.ENVIRONMENT,
            )
        )
        if outcome.exit_code != 0:
            raise ToolchainMissing(
                f"the emulated device needs g++, which is not there: {_INSTALL_COMPILER}"
            )
        return outcome.stdout.decode().strip()


def _machine_flags() -> tuple[str, ...]:
    """Vector extensions to use: the common level above the baseline, where this machine has it."""
    if platform.machine() != "x86_64":
        return ()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            features = frozenset(line.partition(":")[2].split())
            return (_X86_LEVEL,) if features >= _X86_LEVEL_FEATURES else ()
    return ()


def _cores() -> int:
    return max(1, len(os.sched_getaffinity(0)))
