"""The nvcc back end: a submission becomes a shared library for one GPU architecture.

nvcc runs confined and sees the toolkit, the system's headers, the submission and its prototype;
options are fixed here and none come from the user. For the emulated device, where another
compiler makes what runs, it only checks: the messages and the report are nvcc's own, at a third
of the cost. Nothing here knows which sandbox runs it or what will load the library.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from judge.compiler import caps, diagnostics, listings, ptxas
from judge.compiler.cache import BuildCache
from judge.compiler.interface import CompileRequest, CompileResult, ToolchainMissing
from judge.compiler.toolkit import INSTALL_NVCC, Toolkit, find_nvcc
from judge.domain import DeviceKind, Verdict
from judge.execution import (
    MIB,
    Command,
    Ending,
    ExecutionLimits,
    Executor,
    Mount,
    Outcome,
    Purpose,
)

#: Bump when what an entry holds, or how it is made, changes in a way the key does not show.
_RECIPE = "nvcc 2"
#: What a check compiles for: the oldest architecture with asynchronous copies, which ladders use.
CHECK_ARCHITECTURE = "sm_80"

_ARCHITECTURE = re.compile(r"sm_\d{2,3}[af]?")
_PROTOTYPE_INSIDE = PurePosixPath("/submission/prototype.h")
_OUTPUT_INSIDE = PurePosixPath("/output")
_LIBRARY = "submission.so"
_MESSAGES = "compiler.txt"
_CANNOT_EXECUTE = 127
_MAX_DEMANGLED = 64


@dataclass(frozen=True)
class _Plan:
    """One way of calling nvcc."""

    flags: tuple[str, ...]
    product: str
    keeps_product: bool


class NvccCompiler:
    """Compiles submissions with nvcc; implements ``judge.compiler.interface.Compiler``."""

    def __init__(
        self, executor: Executor, cache: BuildCache, toolkit: Toolkit | None = None
    ) -> None:
        """``toolkit`` None looks for one. Raises ``ToolchainMissing`` if nvcc or g++ is absent."""
        found = toolkit if toolkit is not None else find_nvcc()
        if found is None:
            raise ToolchainMissing(
                f"no working nvcc on PATH, in CUDA_HOME, in /usr/local/cuda or among this "
                f"environment's wheels; {INSTALL_NVCC}"
            )
        self._executor = executor
        self._cache = cache
        self._toolkit = found
        self._toolchain = f"nvcc {found.version}, g++ {self._host_compiler_version()}"

    @property
    def toolchain(self) -> str:
        """Name and version of the compiler, for the Environment and the cache key."""
        return self._toolchain

    def compile(self, request: CompileRequest) -> CompileResult:
        """Compile for a GPU; for the emulated device, the same as ``check``.

        Never raises for anything the source can cause; ``ToolchainMissing`` if nvcc has gone.
        """
        if request.target.kind is DeviceKind.EMULATED:
            return self.check(request)
        return self._run(request, _library_plan(_architecture(request), self._toolkit))

    def check(self, request: CompileRequest) -> CompileResult:
        """nvcc's errors and ptxas's report without a library: ``artifact`` stays None.

        It stops after the device half, whose front end parses the host's functions as well. What
        only linking or ``#ifndef __CUDA_ARCH__`` shows is not seen. Compiles for the target's
        architecture, or sm_80 if it names none.
        """
        architecture = request.target.architecture and _architecture(request)
        return self._run(request, _check_plan(architecture or CHECK_ARCHITECTURE))

    def _run(self, request: CompileRequest, plan: _Plan) -> CompileResult:
        began = time.monotonic()
        key = self._key(request, plan)
        entry = self._cache.get(key)
        if entry is not None:
            raw = (entry / _MESSAGES).read_bytes()
            return self._success(request, plan, entry, raw, len(raw), began, cached=True)
        with (
            self._cache.staging() as output,
            tempfile.TemporaryDirectory(prefix="warpboard-") as private,
        ):
            folder = Path(private)
            _write(folder / diagnostics.SUBMISSION_NAME, request.source)
            _write(folder / _PROTOTYPE_INSIDE.name, request.prototype)
            (output / listings.KEEP).mkdir()
            outcome = self._executor.run(self._command(request, plan, folder, output))
            raw = outcome.stdout + outcome.stderr
            total = outcome.stdout_total_bytes + outcome.stderr_total_bytes
            if outcome.ending is Ending.EXITED and outcome.exit_code == _CANNOT_EXECUTE:
                raise ToolchainMissing(
                    f"nvcc does not start: {raw.decode(errors='replace').strip()}; {INSTALL_NVCC}"
                )
            product = output / plan.product
            if outcome.ending is not Ending.EXITED or outcome.exit_code != 0:
                return self._failure(request, plan, outcome, raw, total, began)
            listings.collect(output, plan.product, self._toolkit, self._executor)
            if not plan.keeps_product:
                product.unlink()
            (output / _MESSAGES).write_bytes(raw)
            entry = self._cache.publish(key, output)
        return self._success(request, plan, entry, raw, total, began, cached=False)

    def _command(self, request: CompileRequest, plan: _Plan, source: Path, output: Path) -> Command:
        return Command(
            argv=(
                str(self._toolkit.nvcc_inside),
                *plan.flags,
                "--keep",
                "--keep-dir",
                str(_OUTPUT_INSIDE / listings.KEEP),
                "-include",
                str(_PROTOTYPE_INSIDE),
                "-o",
                str(_OUTPUT_INSIDE / plan.product),
                str(diagnostics.SUBMISSION_INSIDE),
            ),
            limits=caps.execution_limits(request.limits),
            mounts=(
                *self._toolkit.mounts,
                Mount(source, Path("/submission")),
                Mount(output, Path(_OUTPUT_INSIDE), writable=True),
            ),
            environment=caps.ENVIRONMENT,
            cpus=request.cpus,
            background=True,
            purpose=Purpose.COMPILER,
        )

    def _key(self, request: CompileRequest, plan: _Plan) -> str:
        digest = hashlib.sha256()
        # The image brings its own g++ and C library.
        toolchain = (self._toolchain, self._executor.image_digest)
        for part in (_RECIPE, *toolchain, *plan.flags, request.prototype, request.source):
            data = _encoded(part)
            digest.update(len(data).to_bytes(8, "little") + data)
        return digest.hexdigest()

    def _success(
        self,
        request: CompileRequest,
        plan: _Plan,
        entry: Path,
        raw: bytes,
        total: int,
        began: float,
        *,
        cached: bool,
    ) -> CompileResult:
        report = raw.decode(errors="replace")
        text = diagnostics.read(raw, total)
        return CompileResult(
            failure=None,
            message="",
            artifact=entry / plan.product if plan.keeps_product else None,
            output=text.output,
            output_dropped_bytes=text.dropped_bytes,
            diagnostics=text.diagnostics,
            resources=ptxas.parse_report(report, self._demangle(ptxas.kernel_names(report))),
            seconds=time.monotonic() - began,
            cached=cached,
            toolchain=self._toolchain,
            flags=plan.flags,
            listings=listings.read(entry),
        )

    def _failure(
        self,
        request: CompileRequest,
        plan: _Plan,
        outcome: Outcome,
        raw: bytes,
        total: int,
        began: float,
    ) -> CompileResult:
        text = diagnostics.read(raw, total)
        message = caps.cap_message(outcome, request.limits) or diagnostics.explain(
            text, request.source, request.entry, request.signature
        )
        return CompileResult(
            failure=Verdict.CE,
            message=message,
            artifact=None,
            output=text.output,
            output_dropped_bytes=text.dropped_bytes,
            diagnostics=text.diagnostics,
            resources=(),
            seconds=time.monotonic() - began,
            cached=False,
            toolchain=self._toolchain,
            flags=plan.flags,
        )

    def _demangle(self, names: Iterable[str]) -> dict[str, str]:
        asked = tuple(names)[:_MAX_DEMANGLED]
        if not asked:
            return {}
        # Names come out of hostile input, so the demangler is confined as well.
        outcome = self._tool("c++filt", "--", *asked)
        plain = outcome.stdout.decode(errors="replace").splitlines()
        if outcome.exit_code != 0 or len(plain) != len(asked):
            return {}
        return dict(zip(asked, plain, strict=True))

    def _host_compiler_version(self) -> str:
        outcome = self._tool("g++", "-dumpfullversion")
        if outcome.exit_code != 0:
            raise ToolchainMissing("nvcc needs g++, which is not there: apt-get install g++")
        return outcome.stdout.decode().strip()

    def _tool(self, name: str, *arguments: str) -> Outcome:
        return self._executor.run(
            Command(
                argv=(f"/usr/bin/{name}", *arguments),
                limits=ExecutionLimits(wall_seconds=20.0, cpu_seconds=10.0, memory_bytes=512 * MIB),
                environment=caps.ENVIRONMENT,
                purpose=Purpose.COMPILER,
            )
        )


def _encoded(text: str) -> bytes:
    """UTF-8; half a surrogate pair, which JSON can carry, becomes a question mark."""
    return text.encode("utf-8", errors="replace")


def _write(path: Path, text: str) -> None:
    path.write_bytes(_encoded(text))
    # Whatever the judge's umask: the compiler runs as somebody else.
    path.chmod(0o644)


def is_architecture(text: str) -> bool:
    """Whether ``text`` reads like one architecture: sm_75, sm_90a."""
    return _ARCHITECTURE.fullmatch(text) is not None


def library_flags(architecture: str, libraries: Path | None) -> tuple[str, ...]:
    """Options that make one shared library; ``libraries`` is where libcudart is."""
    return (
        *_common_flags(architecture),
        "-shared",
        "-Xcompiler",
        "-fPIC",
        # A solve that is not defined is an error now, not when the library is loaded.
        "-Xlinker",
        "-z,defs",
        *(("-L", str(libraries)) if libraries is not None else ()),
    )


def _architecture(request: CompileRequest) -> str:
    if not is_architecture(request.target.architecture):
        raise ValueError(
            f"not an architecture nvcc could compile for: {request.target.architecture!r} "
            f"(expected something like sm_90a)"
        )
    return request.target.architecture


def _library_plan(architecture: str, toolkit: Toolkit) -> _Plan:
    return _Plan(
        flags=library_flags(architecture, toolkit.library_folder_inside),
        product=_LIBRARY,
        keeps_product=True,
    )


def _check_plan(architecture: str) -> _Plan:
    return _Plan(
        flags=(*_common_flags(architecture), "-cubin"),
        product="submission.cubin",
        keeps_product=False,
    )


def _common_flags(architecture: str) -> tuple[str, ...]:
    # Not -arch: for sm_90a that compiles for plain sm_90 as well, which refuses wgmma and its kin.
    virtual = architecture.replace("sm_", "compute_")
    generate = f"-gencode=arch={virtual},code={architecture}"
    return ("-O3", "-std=c++20", generate, "-lineinfo", "-Xptxas", "-v")
