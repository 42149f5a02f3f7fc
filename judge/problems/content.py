"""Which files make up a package, and the digest over them: the identity of a ProblemVersion.

The same files are hashed, packed and unpacked, so that a digest vouches for all of an archive.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from judge.domain import Verdict
from judge.problems.errors import PackageError, PackageProblem

STATEMENT_FILE = "statement.md"
STARTER_FILE = "starter.cu"
REFERENCE_FILE = "reference.py"
REQUIRED_FILES = ("problem.toml", STATEMENT_FILE, STARTER_FILE, REFERENCE_FILE)
EXAMPLES_FOLDER = "submissions"

#: Folders of ``submissions/`` and the verdict that their files must get.
EXAMPLE_FOLDERS: Mapping[str, Verdict] = {
    "accepted": Verdict.AC,
    "wrong_answer": Verdict.WA,
    "compile_error": Verdict.CE,
    "runtime_error": Verdict.RTE,
    "time_limit": Verdict.TLE,
    "memory_limit": Verdict.MLE,
    "output_limit": Verdict.OLE,
    "timing_not_credible": Verdict.TNC,
    "unsupported": Verdict.UNS,
}

MAX_FILES = 200
MAX_FILE_BYTES = 1024 * 1024
MAX_TOTAL_BYTES = 8 * 1024 * 1024


def is_ignored(relative: PurePosixPath) -> bool:
    """Whether a path is litter of editors, systems and Python rather than part of a package."""
    return any(
        part.startswith(".") or part in ("__pycache__", "__MACOSX") or part.endswith(("~", ".pyc"))
        for part in relative.parts
    )


def placement_error(relative: PurePosixPath) -> str | None:
    """Why a package may not hold a file at ``relative``; None when it may."""
    parts = relative.parts
    if len(parts) == 1:
        if parts[0] in REQUIRED_FILES:
            return None
        return (
            f"not a file of a package; it holds {', '.join(REQUIRED_FILES)} and "
            f"{EXAMPLES_FOLDER}/<verdict>/*.cu"
        )
    if parts[0] != EXAMPLES_FOLDER or len(parts) != 3:
        return f"only {EXAMPLES_FOLDER}/<verdict>/*.cu may lie in folders"
    if parts[1] not in EXAMPLE_FOLDERS:
        return f'"{parts[1]}" is no verdict folder; expected one of: {", ".join(EXAMPLE_FOLDERS)}'
    if relative.suffix != ".cu":
        return "an example submission must be a .cu file"
    return None


def read_files(directory: Path) -> dict[str, bytes]:
    """Every file of the package in ``directory`` by relative POSIX path, sorted.

    Raises PackageError for links, misplaced files, and sizes or counts over the limits.
    """
    problems: list[PackageProblem] = []
    files: dict[str, bytes] = {}
    total_bytes = 0
    for path in sorted(directory.rglob("*")):
        relative = PurePosixPath(path.relative_to(directory).as_posix())
        name = str(relative)
        if is_ignored(relative):
            continue
        if path.is_symlink():
            # A link could carry a file of this host into the archive.
            problems.append(PackageProblem(name, None, "is a link; put the file itself here"))
            continue
        if path.is_dir():
            continue
        if not path.is_file():
            problems.append(PackageProblem(name, None, "is not a regular file"))
            continue
        misplaced = placement_error(relative)
        if misplaced:
            problems.append(PackageProblem(name, None, misplaced))
            continue
        size_bytes = path.stat().st_size
        total_bytes += size_bytes
        excess = limit_error(len(files) + 1, size_bytes, total_bytes)
        if excess:
            problems.append(PackageProblem(name, None, excess))
            break
        files[name] = path.read_bytes()
    if problems:
        raise PackageError(str(directory), problems)
    return dict(sorted(files.items()))


def limit_error(count: int, file_bytes: int, total_bytes: int) -> str | None:
    """Which of the bounds on packages is exceeded; None when all hold."""
    if count > MAX_FILES:
        return f"more than {MAX_FILES} files in the package"
    if file_bytes > MAX_FILE_BYTES:
        return f"larger than {MAX_FILE_BYTES} bytes"
    if total_bytes > MAX_TOTAL_BYTES:
        return f"the package is larger than {MAX_TOTAL_BYTES} bytes"
    return None


def digest_of(files: Mapping[str, bytes]) -> str:
    """SHA-256, in hex, over sorted paths and contents.

    Each is preceded by its length, so that no two sets of files share a byte stream.
    """
    sha = hashlib.sha256()
    for name in sorted(files):
        for part in (name.encode(), files[name]):
            sha.update(len(part).to_bytes(8, "little"))
            sha.update(part)
    return sha.hexdigest()
