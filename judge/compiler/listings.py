"""The device code of a submission, for its author to read: PTX, and SASS where a tool can show it.

PTX is what nvcc leaves when told to keep its intermediate files. SASS needs cuobjdump, which full
toolkits have and the compiler's wheels have not; without it there is no SASS, and that is all.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from judge.compiler import caps
from judge.compiler.toolkit import Toolkit
from judge.domain import LISTING_BYTES, Listing
from judge.execution import MIB, Command, Ending, ExecutionLimits, Executor, Mount, Purpose

#: Where nvcc leaves its intermediate files, below the folder of its output.
KEEP = "keep"

_SUFFIX = ".listing"
_KINDS = ("ptx", "sass")
_DISASSEMBLY_SECONDS = 20.0


def collect(output: Path, product: str, toolkit: Toolkit, executor: Executor) -> None:
    """Turn what a compilation left in ``output`` into listings; intermediate files are removed.

    Never fails the compilation: a listing that cannot be made is not there.
    """
    kept = output / KEEP
    for intermediate in sorted(kept.iterdir()):
        if intermediate.suffix == ".ptx" and not intermediate.is_symlink():
            _keep(output, "ptx", intermediate.read_bytes())
        intermediate.unlink()
    kept.rmdir()
    disassembler = toolkit.root / "bin" / "cuobjdump"
    if disassembler.is_file():
        inside = toolkit.root_inside / "bin" / "cuobjdump"
        outcome = executor.run(_disassembly(inside, output, product, toolkit))
        if outcome.ending is Ending.EXITED and outcome.exit_code == 0:
            _keep(output, "sass", outcome.stdout, outcome.stdout_total_bytes)


def read(entry: Path) -> tuple[Listing, ...]:
    """The listings of a build cache entry."""
    found = []
    for kind in _KINDS:
        path = entry / f"{kind}{_SUFFIX}"
        if path.is_file():
            dropped, _, text = path.read_text("utf-8", errors="replace").partition("\n")
            found.append(Listing(kind, text, int(dropped)))
    return tuple(found)


def _keep(output: Path, kind: str, text: bytes, total_bytes: int | None = None) -> None:
    """One file: the count of bytes left out on its first line, the text after it."""
    kept = text[:LISTING_BYTES]
    dropped = (len(text) if total_bytes is None else total_bytes) - len(kept)
    (output / f"{kind}{_SUFFIX}").write_bytes(f"{dropped}\n".encode() + kept)


def _disassembly(inside: Path, output: Path, product: str, toolkit: Toolkit) -> Command:
    place = PurePosixPath("/output")
    return Command(
        argv=(str(inside), "-sass", str(place / product)),
        limits=ExecutionLimits(
            wall_seconds=_DISASSEMBLY_SECONDS,
            memory_bytes=2048 * MIB,
            output_bytes=LISTING_BYTES,
            output_limit_bytes=caps.PRINTED_BYTES,
        ),
        mounts=(*toolkit.mounts, Mount(output, Path(place))),
        environment=caps.ENVIRONMENT,
        background=True,
        purpose=Purpose.COMPILER,
    )
