"""A problem package: the folder ``problems/<slug>/`` as one immutable value.

Loading validates everything that can be without running any of it; torch is not needed.
"""

from __future__ import annotations

import dataclasses
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from judge.domain import Problem, ToleranceRule, Verdict
from judge.problems.archive import read_archive, write_archive
from judge.problems.content import (
    EXAMPLE_FOLDERS,
    EXAMPLES_FOLDER,
    REFERENCE_FILE,
    REQUIRED_FILES,
    STARTER_FILE,
    STATEMENT_FILE,
    digest_of,
    is_ignored,
    read_files,
)
from judge.problems.errors import PackageError, PackageProblem
from judge.problems.prototype import defines, entry_names, signature
from judge.problems.reference_source import check_reference
from judge.problems.schema import PROBLEM_FILE, parse_problem

__all__ = [
    "Example",
    "PackageError",
    "PackageProblem",
    "ProblemPackage",
    "load_package",
    "load_packages",
    "pack",
    "unpack",
]


@dataclass(frozen=True)
class Example:
    """An example submission and the verdict it must get."""

    path: Path
    expected: Verdict


@dataclass(frozen=True)
class ProblemPackage:
    """A validated package. ``digest`` (SHA-256, hex) names its ProblemVersion."""

    problem: Problem
    digest: str
    directory: Path
    statement: str
    starter: str
    reference_path: Path
    examples: tuple[Example, ...]


def load_package(directory: Path) -> ProblemPackage:
    """The package in ``directory``, whose name must be its slug.

    Raises PackageError with everything that is wrong.
    """
    if not directory.is_dir():
        raise PackageError(str(directory), [PackageProblem("", None, "no such folder")])
    files = read_files(directory)
    problems = [
        PackageProblem(name, None, "missing; every package has this file")
        for name in REQUIRED_FILES
        if name not in files
    ]
    texts = _decode(files, problems)
    problem = _problem(texts, directory.name, problems)
    _check_statement(texts, problems)
    if REFERENCE_FILE in texts and problem is not None:
        problems += check_reference(
            texts[REFERENCE_FILE],
            problem,
            needs_magnitude=problem.tolerance.rule is ToleranceRule.REDUCTION,
        )
    if STARTER_FILE in texts and problem is not None:
        _check_starter(texts[STARTER_FILE], problem, problems)
    if problems or problem is None:
        raise PackageError(str(directory), problems)
    return ProblemPackage(
        problem=problem,
        digest=digest_of(files),
        directory=directory,
        statement=texts[STATEMENT_FILE],
        starter=texts[STARTER_FILE],
        reference_path=directory / REFERENCE_FILE,
        examples=tuple(
            Example(directory / name, EXAMPLE_FOLDERS[PurePosixPath(name).parts[1]])
            for name in files
            if name.startswith(f"{EXAMPLES_FOLDER}/")
        ),
    )


def load_packages(root: Path) -> dict[str, ProblemPackage]:
    """Every package in the folders of ``root``, by slug, sorted.

    Raises PackageError with the problems of all of them; files are then relative to ``root``.
    """
    if not root.is_dir():
        raise PackageError(str(root), [PackageProblem("", None, "no such folder")])
    packages: dict[str, ProblemPackage] = {}
    problems: list[PackageProblem] = []
    for directory in sorted(root.iterdir()):
        if not directory.is_dir() or is_ignored(PurePosixPath(directory.name)):
            continue
        try:
            packages[directory.name] = load_package(directory)
        except PackageError as error:
            problems += [
                PackageProblem(f"{directory.name}/{problem.file}", problem.line, problem.message)
                for problem in error.problems
            ]
    if problems:
        raise PackageError(str(root), problems)
    return packages


def pack(package: ProblemPackage) -> bytes:
    """``package`` as a zip archive that ``unpack`` reads: the same bytes for the same digest.

    Raises PackageError when the folder has changed since it was loaded.
    """
    files = read_files(package.directory)
    if digest_of(files) != package.digest:
        changed = PackageProblem("", None, "changed on disk since it was loaded; load it again")
        raise PackageError(str(package.directory), [changed])
    return write_archive(package.problem.slug, files)


def unpack(data: bytes, into: Path) -> ProblemPackage:
    """Validate the archive ``data`` and put its package at ``into/<slug>`` in one step.

    Raises PackageError, leaving ``into`` as it was, when the archive is unsafe, too large or not a
    valid package, or when ``into/<slug>`` exists.
    """
    slug, files = read_archive(data)
    into.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=".unpack-", dir=into))
    try:
        directory = scratch / slug
        for name, content in files.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        try:
            package = load_package(directory)
        except PackageError as error:
            raise PackageError(slug, error.problems) from None
        target = into / slug
        if target.exists():
            raise PackageError(slug, [PackageProblem("", None, f"{target} exists already")])
        directory.rename(target)
        return _moved(package, target)
    finally:
        shutil.rmtree(scratch)


def _moved(package: ProblemPackage, directory: Path) -> ProblemPackage:
    """``package`` after its folder has become ``directory``."""

    def move(path: Path) -> Path:
        return directory / path.relative_to(package.directory)

    return dataclasses.replace(
        package,
        directory=directory,
        reference_path=move(package.reference_path),
        examples=tuple(Example(move(e.path), e.expected) for e in package.examples),
    )


def _decode(files: Mapping[str, bytes], problems: list[PackageProblem]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for name, content in files.items():
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            problems.append(PackageProblem(name, line, "not UTF-8 text; save it as UTF-8"))
            continue
        if "\0" in text:
            line = text.count("\n", 0, text.index("\0")) + 1
            problems.append(PackageProblem(name, line, "holds a NUL character; remove it"))
            continue
        texts[name] = text
    return texts


def _problem(
    texts: Mapping[str, str], folder: str, problems: list[PackageProblem]
) -> Problem | None:
    if PROBLEM_FILE not in texts:
        return None
    try:
        problem = parse_problem(texts[PROBLEM_FILE])
    except PackageError as error:
        problems += error.problems
        return None
    if problem.slug != folder:
        problems.append(
            PackageProblem(
                PROBLEM_FILE,
                None,
                f'slug is "{problem.slug}" but the folder is "{folder}"; make them the same',
            )
        )
    return problem


def _check_statement(texts: Mapping[str, str], problems: list[PackageProblem]) -> None:
    if STATEMENT_FILE in texts and not texts[STATEMENT_FILE].strip():
        problems.append(PackageProblem(STATEMENT_FILE, None, "empty; say what is to be computed"))


def _check_starter(starter: str, problem: Problem, problems: list[PackageProblem]) -> None:
    if not any(defines(starter, name) for name in entry_names(problem)):
        problems.append(
            PackageProblem(
                STARTER_FILE, None, f'does not define extern "C" {signature(problem)} {{ … }}'
            )
        )
