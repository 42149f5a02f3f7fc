"""Packages as zip archives: what an admin uploads and what a worker fetches.

An archive is a claim by somebody else: every name is checked and every byte counted, and sizes that
it states are never believed. Works in memory; putting files on a disk is ``package``'s.
"""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import PurePosixPath

from judge.problems.content import (
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_TOTAL_BYTES,
    is_ignored,
    limit_error,
    placement_error,
)
from judge.problems.errors import PackageError, PackageProblem
from judge.problems.schema import is_slug

#: Largest archive that is looked at, in bytes.
MAX_ARCHIVE_BYTES = 2 * MAX_TOTAL_BYTES
#: Folders and litter (``.DS_Store``, ``__MACOSX/…``) count here, but not as files.
MAX_ENTRIES = 4 * MAX_FILES

_EPOCH = (1980, 1, 1, 0, 0, 0)
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1


def write_archive(slug: str, files: Mapping[str, bytes]) -> bytes:
    """``files`` in one folder named ``slug``: equal bytes for equal content, on every machine.

    Stored, not compressed: what a compressor makes of a file differs from zlib to zlib.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{slug}/{name}", _EPOCH)
            entry.create_system = 3  # Unix, wherever this runs
            entry.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(entry, files[name])
    return buffer.getvalue()


def read_archive(data: bytes) -> tuple[str, Mapping[str, bytes]]:
    """The slug that the archive's folder claims, and its files by name inside that folder.

    Raises PackageError when the archive is unsafe, too large or no zip file. Every name is one
    that a package may hold; what the files say is not looked at.
    """
    if len(data) > MAX_ARCHIVE_BYTES:
        raise _refused(f"larger than {MAX_ARCHIVE_BYTES} bytes")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _read_entries(archive)
    # zipfile lets through whatever a crafted header provokes in struct, codecs and zlib.
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        OSError,
        OverflowError,
        RuntimeError,
        UnicodeError,
        ValueError,
    ) as error:
        raise _refused(f"not a readable zip file ({error})") from None


def _read_entries(archive: zipfile.ZipFile) -> tuple[str, Mapping[str, bytes]]:
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        raise _refused(f"more than {MAX_ENTRIES} entries")
    owner: str | None = None
    files: dict[str, bytes] = {}
    total_bytes = 0
    for entry in entries:
        path = _checked_path(entry)
        if entry.is_dir() or is_ignored(path):
            continue
        slug, name = path.parts[0], PurePosixPath(*path.parts[1:])
        if len(path.parts) == 1 or not is_slug(slug):
            raise _refused(
                "not inside a folder named after the problem's slug; zip the folder itself", entry
            )
        owner = owner or slug
        if slug != owner:
            raise _refused(f'a second folder beside "{owner}"; zip one problem at a time', entry)
        misplaced = placement_error(name)
        if misplaced:
            raise _refused(misplaced, entry)
        if str(name) in files:
            raise _refused("in the archive twice", entry)
        with archive.open(entry) as stream:
            content = stream.read(MAX_FILE_BYTES + 1)
        total_bytes += len(content)
        excess = limit_error(len(files) + 1, len(content), total_bytes)
        if excess:
            raise _refused(excess, entry)
        files[str(name)] = content
    if owner is None:
        raise _refused("holds no files; zip the problem's folder")
    return owner, files


def _checked_path(entry: zipfile.ZipInfo) -> PurePosixPath:
    """The entry's path, once it is known to be plain: relative, forward, and a file or folder."""
    # zipfile cuts ``filename`` at a NUL; ``orig_filename`` is what the archive says.
    name = entry.orig_filename
    parts = name.removesuffix("/").split("/")
    if (
        not name.isprintable()
        or any(character in name for character in '\\:"<>|?*')
        or any(part in ("", ".", "..") for part in parts)
    ):
        raise _refused("has an unsafe name: absolute, with .. or with odd characters", entry)
    file_type = stat.S_IFMT(entry.external_attr >> 16)
    if file_type not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise _refused("is a link or a special file; a package holds plain files", entry)
    if entry.flag_bits & _ENCRYPTED:
        raise _refused("is encrypted", entry)
    if entry.compress_type not in _COMPRESSIONS:
        raise _refused("is compressed by a method other than deflate", entry)
    return PurePosixPath(name)


def _refused(message: str, entry: zipfile.ZipInfo | None = None) -> PackageError:
    if entry is None:
        return PackageError("archive", [PackageProblem("", None, message)])
    # ascii(): the name may hold anything, and this text ends on a page or a terminal.
    name = ascii(entry.orig_filename)[1:-1]
    shown = name if len(name) <= 120 else name[:117] + "..."
    return PackageError("archive", [PackageProblem(shown, None, message)])
