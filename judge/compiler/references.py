"""Builds the bundled reference kernels with ninja, for any list of architectures.

The ladders are ours and trusted, so this is an ordinary incremental build on the host: one
build.ninja, one library for each kernel and architecture, ``<architecture>/<problem>/<step>.so``.
Submissions never come this way; they are compiled in a sandbox (nvcc.py).

    python -m judge.compiler.references sm_75 sm_90a
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.compiler.interface import ToolchainMissing
from judge.compiler.nvcc import is_architecture, library_flags
from judge.compiler.toolkit import INSTALL_NVCC, Toolkit, find_nvcc
from judge.problems.errors import PackageError
from judge.problems.package import ProblemPackage, load_packages
from judge.problems.prototype import detect_entry, header

_BUILD_FILE = "build.ninja"


class BuildFailed(Exception):
    """A reference kernel does not compile; the text is ninja's, with the compiler's."""


@dataclass(frozen=True)
class ReferenceSource:
    """One step of a ladder: ``prototype`` is forced before its source, as for a submission."""

    problem: str
    step: str
    path: Path
    prototype: str


def find_sources(problems: Path, kernels: Path) -> tuple[ReferenceSource, ...]:
    """The steps under ``kernels/<problem>/*.cu``, in order.

    Raises PackageError for a broken problem, and ValueError for kernels of an unknown one.
    """
    packages = load_packages(problems)
    sources: list[ReferenceSource] = []
    for path in sorted(kernels.glob("*/*.cu")):
        package = packages.get(path.parent.name)
        if package is None:
            raise ValueError(f"{path.parent} is for no problem under {problems}")
        sources.append(_source(path, package))
    return tuple(sources)


def _source(path: Path, package: ProblemPackage) -> ReferenceSource:
    problem = package.problem
    entry = detect_entry(path.read_text(encoding="utf-8"), problem)
    return ReferenceSource(problem.slug, path.stem, path, header(problem, entry))


def build(
    sources: Sequence[ReferenceSource],
    architectures: Sequence[str],
    output: Path,
    toolkit: Toolkit | None = None,
) -> dict[tuple[str, str, str], Path]:
    """Build what is out of date; (architecture, problem, step) to the library.

    Raises ``ToolchainMissing`` without nvcc or ninja, ValueError for an architecture that cannot
    be one, ``BuildFailed`` for a kernel that does not compile.
    """
    for architecture in architectures:
        if not is_architecture(architecture):
            raise ValueError(f"not a GPU architecture: {architecture!r} (like sm_75, sm_90a)")
    found = toolkit if toolkit is not None else find_nvcc()
    if found is None:
        raise ToolchainMissing(f"no working nvcc; {INSTALL_NVCC}")
    ninja = _find_ninja()
    output.mkdir(parents=True, exist_ok=True)
    folder = output.resolve()
    products = {
        (architecture, source.problem, source.step): folder
        / architecture
        / source.problem
        / f"{source.step}.so"
        for architecture in architectures
        for source in sources
    }
    for source in sources:
        _write_if_changed(_prototype_path(folder, source), source.prototype)
    _write_if_changed(
        folder / _BUILD_FILE, "".join(_build_file(sources, architectures, folder, found))
    )
    done = subprocess.run(
        [str(ninja), "-C", str(folder), "-k", "0", "--quiet"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if done.returncode != 0:
        raise BuildFailed(done.stdout.decode(errors="replace").strip())
    return products


def _find_ninja() -> Path:
    # The wheel's program, by path: its Python package shares the name with django-ninja's.
    beside_python = Path(sysconfig.get_path("scripts"), "ninja")
    found = str(beside_python) if beside_python.is_file() else shutil.which("ninja")
    if found is None:
        raise ToolchainMissing("ninja is not installed; pip install ninja")
    return Path(found)


def _prototype_path(folder: Path, source: ReferenceSource) -> Path:
    return folder / "prototypes" / source.problem / f"{source.step}.h"


def _build_file(
    sources: Sequence[ReferenceSource],
    architectures: Sequence[str],
    folder: Path,
    toolkit: Toolkit,
) -> Iterable[str]:
    nvcc = toolkit.root / "bin" / "nvcc"
    yield "# Written by judge.compiler.references; do not edit.\n"
    yield "ninja_required_version = 1.5\n"
    yield "rule nvcc\n"
    yield (
        f"  command = {_shell(nvcc)} $flags -include $prototype -MD -MF $out.d -MT $out "
        f"-o $out $in\n"
    )
    yield "  depfile = $out.d\n  deps = gcc\n  description = nvcc $out\n"
    for architecture in architectures:
        flags = " ".join(map(_shell, library_flags(architecture, toolkit.library_folder)))
        for source in sources:
            prototype = _prototype_path(folder, source)
            product = Path(architecture, source.problem, f"{source.step}.so")
            yield (
                f"build {_escape(product)}: nvcc {_escape(source.path.resolve())} "
                f"| {_escape(prototype)} {_escape(nvcc)}\n"
            )
            yield f"  flags = {flags}\n  prototype = {_shell(prototype)}\n"


def _escape(path: Path) -> str:
    """A path in a build line."""
    return str(path).replace("$", "$$").replace(" ", "$ ").replace(":", "$:")


def _shell(word: object) -> str:
    """A word of a command, for the shell and then for ninja."""
    quoted = str(word).replace("'", "'\\''")
    return f"'{quoted}'".replace("$", "$$")


def _write_if_changed(path: Path, text: str) -> None:
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Build every reference for the architectures named; the libraries' paths go to stdout."""
    parser = argparse.ArgumentParser(prog="python -m judge.compiler.references")
    parser.add_argument("architectures", nargs="+", metavar="ARCH", help="such as sm_75, sm_90a")
    parser.add_argument("--problems", type=Path, default=Path("problems"))
    parser.add_argument("--kernels", type=Path, default=Path("reference_kernels"))
    parser.add_argument("--output", type=Path, default=Path("build/references"))
    options = parser.parse_args(arguments)
    try:
        sources = find_sources(options.problems, options.kernels)
        products = build(sources, options.architectures, options.output)
    except (ToolchainMissing, BuildFailed, PackageError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    for product in products.values():
        print(product)
    return 0


if __name__ == "__main__":
    sys.exit(main())
