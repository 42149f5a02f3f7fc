"""The emulation back end: a submission becomes an executable that runs it on the CPU.

The source is rewritten to C++ (judge.compiler.emulation) and compiled by g++, confined, together
with the runner and the emulation runtime. Where there is an nvcc it compiles the same source at
the same time, so that what is wrong with CUDA C++ is said by its own compiler. Nothing here knows
which sandbox runs the compilers or how the executable will be talked to.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from judge.compiler import caps, diagnostics
from judge.compiler.cache import BuildCache
from judge.compiler.diagnostics import CompilerText
from judge.compiler.emulation import static_shared
from judge.compiler.emulation.refusals import features_in
from judge.compiler.emulation.rewrite import Rewritten, rewrite
from judge.compiler.emulation.support import Support, SupportBuilder
from judge.compiler.interface import Compiler, CompileRequest, CompileResult
from judge.domain import Diagnostic, Verdict
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
_RECIPE = "emulated 1"

_REWRITTEN_INSIDE = PurePosixPath("/submission/rewritten.cpp")
_PROTOTYPE_INSIDE = PurePosixPath("/submission/prototype.h")
_OUTPUT_INSIDE = PurePosixPath("/output")
_EXECUTABLE = "runner"
_MESSAGES = "compiler.txt"
_SYMBOLS_SECONDS = 20.0

#: Functions of NVIDIA's runtime and driver that the emulated device has not got.
_MISSING_FUNCTION = re.compile(
    r"undefined reference to \W?(?P<name>(?:cuda|cu|nvrtc|cublas)[A-Z]\w*)"
)


@dataclass(frozen=True)
class _Build:
    """How g++ ended, and what it said about the user's file."""

    failure: Verdict | None
    message: str
    artifact: Path | None
    text: CompilerText
    cached: bool


class EmulatedCompiler:
    """Compiles submissions for the emulated device; implements ``interface.Compiler``."""

    def __init__(self, executor: Executor, cache: BuildCache, nvcc: Compiler | None) -> None:
        """Raises ``ToolchainMissing`` if g++ or CUDA's headers are absent."""
        self._executor = executor
        self._cache = cache
        self._nvcc = nvcc
        self._support = SupportBuilder(executor, cache)

    @property
    def toolchain(self) -> str:
        """Name and version of the compilers, for the Environment and the cache key."""
        if self._nvcc is None:
            return self._support.toolchain
        return f"{self._support.toolchain}, checked by {self._nvcc.toolchain}"

    def prepare(self) -> None:
        """Builds what all submissions share, so that the first one need not wait for it."""
        self._support.get()

    def compile(self, request: CompileRequest) -> CompileResult:
        """Compile; never raises for anything the source can cause."""
        began = time.monotonic()
        if self._nvcc is None:
            return self._result(self._build(request), None, began)
        with ThreadPoolExecutor(max_workers=1) as beside:
            checking = beside.submit(self._nvcc.compile, request)
            build = self._build(request)
            return self._result(build, checking.result(), began)

    def _result(self, build: _Build, checked: CompileResult | None, began: float) -> CompileResult:
        seconds = time.monotonic() - began
        if checked is not None and checked.failure is not None:
            return replace(checked, artifact=None, toolchain=self.toolchain, seconds=seconds)
        own = CompileResult(
            failure=build.failure,
            message=build.message,
            artifact=build.artifact,
            output=build.text.output,
            output_dropped_bytes=build.text.dropped_bytes,
            diagnostics=build.text.diagnostics,
            resources=(),
            seconds=seconds,
            cached=build.cached,
            toolchain=self.toolchain,
            flags=self._support.flags,
        )
        if checked is None:
            return own
        if build.failure is None:
            # Both took it: warnings and resources are nvcc's.
            return replace(
                own,
                output=checked.output,
                output_dropped_bytes=checked.output_dropped_bytes,
                diagnostics=checked.diagnostics,
                resources=checked.resources,
                listings=checked.listings,
                cached=build.cached and checked.cached,
            )
        if build.failure is Verdict.CE and not build.text.has_undefined_symbol:
            return replace(
                own,
                failure=Verdict.UNS,
                message=(
                    f"nvcc compiles this, but the emulated device cannot: {build.message}. "
                    f"It is no fault of the submission; judge it on a GPU"
                ),
                resources=checked.resources,
            )
        # nvcc only looked and did not link: a missing entry point is for our linker to find.
        return replace(own, resources=checked.resources)

    def _build(self, request: CompileRequest) -> _Build:
        support = self._support.get()
        rewritten = rewrite(request.source)
        key = self._key(request, support, rewritten)
        entry = self._cache.get(key)
        if entry is not None:
            text = _user_text((entry / _MESSAGES).read_bytes(), None, rewritten)
            return _Build(None, "", entry / _EXECUTABLE, text, cached=True)
        with (
            self._cache.staging() as output,
            tempfile.TemporaryDirectory(prefix="warpboard-") as private,
        ):
            folder = Path(private)
            # g++ quotes lines from the file that #line names: the user's own.
            _write(folder / diagnostics.SUBMISSION_NAME, request.source)
            _write(folder / _PROTOTYPE_INSIDE.name, request.prototype)
            line = f'#line 1 "{diagnostics.SUBMISSION_INSIDE}"\n'
            _write(folder / _REWRITTEN_INSIDE.name, line + rewritten.text)
            outcome = self._executor.run(self._command(request, support, folder, output))
            raw = outcome.stdout + outcome.stderr
            text = _user_text(
                raw, outcome.stdout_total_bytes + outcome.stderr_total_bytes, rewritten
            )
            if outcome.ending is not Ending.EXITED or outcome.exit_code != 0:
                return _failure(request, outcome, text)
            if (excess := self._excess_shared_memory(request, output)) is not None:
                return _Build(Verdict.CE, excess, None, text, cached=False)
            (output / _MESSAGES).write_bytes(raw)
            entry = self._cache.publish(key, output)
        return _Build(None, "", entry / _EXECUTABLE, text, cached=False)

    def _command(
        self, request: CompileRequest, support: Support, source: Path, output: Path
    ) -> Command:
        return Command(
            argv=(
                *support.arguments,
                "-include",
                str(_PROTOTYPE_INSIDE),
                str(_REWRITTEN_INSIDE),
                *support.objects,
                "-o",
                str(_OUTPUT_INSIDE / _EXECUTABLE),
            ),
            limits=caps.execution_limits(request.limits),
            mounts=(
                *support.mounts,
                Mount(source, Path("/submission")),
                Mount(output, Path(_OUTPUT_INSIDE), writable=True),
            ),
            environment=caps.ENVIRONMENT,
            cpus=request.cpus,
            background=True,
            purpose=Purpose.COMPILER,
        )

    def _excess_shared_memory(self, request: CompileRequest, output: Path) -> str | None:
        """Too much static shared memory in one function, in words; nvcc says so by itself."""
        if self._nvcc is not None or "__shared__" not in request.source:
            return None
        outcome = self._executor.run(
            Command(
                argv=("/usr/bin/readelf", "--wide", "--symbols", str(_OUTPUT_INSIDE / _EXECUTABLE)),
                limits=ExecutionLimits(
                    wall_seconds=_SYMBOLS_SECONDS,
                    memory_bytes=512 * MIB,
                    output_bytes=caps.PRINTED_BYTES,
                    output_limit_bytes=caps.PRINTED_BYTES,
                ),
                mounts=(Mount(output, Path(_OUTPUT_INSIDE)),),
                environment=caps.ENVIRONMENT,
                cpus=request.cpus,
                purpose=Purpose.COMPILER,
            )
        )
        return static_shared.excess(outcome.stdout.decode(errors="replace"))

    def _key(self, request: CompileRequest, support: Support, rewritten: Rewritten) -> str:
        digest = hashlib.sha256()
        for part in (_RECIPE, support.key, request.prototype, rewritten.text):
            data = _encoded(part)
            digest.update(len(data).to_bytes(8, "little") + data)
        return digest.hexdigest()


def _failure(request: CompileRequest, outcome: Outcome, text: CompilerText) -> _Build:
    limit = caps.cap_message(outcome, request.limits)
    if limit is not None:
        return _Build(Verdict.CE, limit, None, text, cached=False)
    refused = _refusals(text)
    if refused is not None:
        return _Build(Verdict.UNS, refused, None, text, cached=False)
    message = diagnostics.explain(text, request.source, request.entry, request.signature)
    return _Build(Verdict.CE, message, None, text, cached=False)


def _refusals(text: CompilerText) -> str | None:
    """What the submission needs and the emulated device lacks; None if that is not the trouble."""
    named: list[str] = []
    for error in text.errors:
        features = features_in([error.message])
        where = f" (line {error.line})" if error.line is not None else ""
        named += [f"{feature}{where}" for feature in features]
    if not named:
        missing = (_MISSING_FUNCTION.search(error.message) for error in text.errors)
        named = [match["name"] for match in missing if match is not None]
    if not named:
        return None
    return f"the emulated device does not support {', '.join(dict.fromkeys(named))}"


def _user_text(raw: bytes, total_bytes: int | None, rewritten: Rewritten) -> CompilerText:
    """Messages as the user should read them: without our marker, and columns only where they are
    the user's own."""
    text = diagnostics.read(raw, total_bytes)
    shifted = rewritten.shifted_lines
    kept: list[Diagnostic] = []
    for diagnostic in text.diagnostics:
        column = None if diagnostic.line in shifted else diagnostic.column
        kept.append(replace(diagnostic, column=column))
    return replace(text, diagnostics=tuple(kept))


def _encoded(text: str) -> bytes:
    """UTF-8; half a surrogate pair, which JSON can carry, becomes a question mark."""
    return text.encode("utf-8", errors="replace")


def _write(path: Path, text: str) -> None:
    path.write_bytes(_encoded(text))
    # Whatever the judge's umask: the compiler runs as somebody else.
    path.chmod(0o644)
