"""Finds the exact version of a problem that a Run asks for.

Local folders first, then a cache, then whoever can supply archives by digest. How an archive
travels is the caller's: it hands in ``fetch``.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from judge.problems.errors import PackageError
from judge.problems.package import ProblemPackage, load_package, unpack
from judge.problems.schema import is_slug

#: Gives the archive (``package.pack``) of a slug's version; raises what it likes when it cannot.
Fetch = Callable[[str, str], bytes]

_DIGEST_PATTERN = re.compile(r"[0-9a-f]{64}")


class StoreError(Exception):
    """The package asked for cannot be had; the text says what was looked for and where."""


class UnknownProblem(StoreError):
    """No local folder has this slug."""


class UnknownVersion(StoreError):
    """The slug is fine, but this version of it is neither here nor to be fetched."""


class PackageMismatch(StoreError):
    """What was fetched is not the version that was asked for."""


class PackageStore:
    """Packages of the folders in ``roots``, and of any version that ``fetch`` supplies.

    ``cache_dir`` keeps fetched versions as ``<digest>/<slug>``. It may be shared by processes and
    deleted at any time no Run is using it.
    """

    def __init__(self, roots: Sequence[Path], cache_dir: Path, fetch: Fetch | None = None) -> None:
        self._roots = tuple(roots)
        self._cache_dir = cache_dir
        self._fetch = fetch

    def get(self, slug: str, digest: str | None = None) -> ProblemPackage:
        """The version ``digest`` of ``slug``, or without a digest the one in the local folders.

        Raises UnknownProblem, UnknownVersion, PackageMismatch, PackageError for a package that is
        broken, and whatever ``fetch`` raises.
        """
        # Both become file names, and both may come from a message.
        if not is_slug(slug):
            raise UnknownProblem(f'"{slug}" is not a problem\'s slug')
        if digest is None:
            return self._latest(slug)
        if not _DIGEST_PATTERN.fullmatch(digest):
            raise UnknownVersion(f'"{digest}" is not a version of {slug}: 64 hex digits expected')
        broken: PackageError | None = None
        for directory in self._local_folders(slug):
            try:
                package = load_package(directory)
            except PackageError as error:
                broken = error  # perhaps being edited; the version asked for may still be cached
                continue
            if package.digest == digest:
                return package
        return self._cached(slug, digest) or self._fetched(slug, digest, broken)

    def _local_folders(self, slug: str) -> list[Path]:
        return [root / slug for root in self._roots if (root / slug).is_dir()]

    def _latest(self, slug: str) -> ProblemPackage:
        for directory in self._local_folders(slug):
            return load_package(directory)
        looked = ", ".join(map(str, self._roots)) or "no folders: none are configured"
        known = sorted(
            entry.parent.name for root in self._roots for entry in root.glob("*/problem.toml")
        )
        there = f"; there are {', '.join(known)}" if known else ""
        raise UnknownProblem(f'no problem "{slug}" (looked in {looked}){there}')

    def _cached(self, slug: str, digest: str) -> ProblemPackage | None:
        directory = self._cache_dir / digest / slug
        if not directory.is_dir():
            return None
        try:
            package = load_package(directory)
        except PackageError:
            package = None
        if package is not None and package.digest == digest:
            return package
        # Damaged on disk: it can be had again, so it heals instead of failing every Run.
        shutil.rmtree(self._cache_dir / digest)
        return None

    def _fetched(self, slug: str, digest: str, broken: PackageError | None) -> ProblemPackage:
        if self._fetch is None:
            raise UnknownVersion(
                f"version {digest[:12]} of {slug} is not in a local folder, and there is no site "
                "to fetch it from"
            ) from broken
        archive = self._fetch(slug, digest)
        self._cache_dir.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=".fetch-", dir=self._cache_dir))
        try:
            package = unpack(archive, scratch / digest)
            if (package.problem.slug, package.digest) != (slug, digest):
                raise PackageMismatch(
                    f"asked for version {digest[:12]} of {slug}, was sent version "
                    f"{package.digest[:12]} of {package.problem.slug}"
                )
            self._publish(scratch / digest)
        finally:
            shutil.rmtree(scratch)
        return load_package(self._cache_dir / digest / slug)

    def _publish(self, directory: Path) -> None:
        """Move a complete ``<digest>`` folder into the cache, in one step."""
        target = self._cache_dir / directory.name
        try:
            directory.rename(target)
        except OSError:
            if not target.is_dir():
                raise
            # Another process fetched the same version first; its copy is as good.
