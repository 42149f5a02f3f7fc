"""What may be submitted at all: one non-empty UTF-8 text of bounded size.

Site, API, worker and command line ask here, so that they refuse the same files in the same words.
Standard library only: the light client has nothing else.
"""

from __future__ import annotations

#: Largest source a submission may have, in bytes of UTF-8.
MAX_SOURCE_BYTES = 256 * 1024


class SourceRejected(ValueError):
    """The file cannot be a submission; the text says why and what to do."""


def decode_source(data: bytes) -> str:
    """The text of a submitted file, a leading byte order mark removed.

    Raises SourceRejected for a file that is empty, too large, not UTF-8 or holds NUL bytes.
    """
    if len(data) > MAX_SOURCE_BYTES:
        raise SourceRejected(
            f"The source is {len(data):,} bytes; the limit is {MAX_SOURCE_BYTES:,} "
            f"({MAX_SOURCE_BYTES // 1024} KiB). Submit one kernel file, without data tables."
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceRejected(
            f"The source is not UTF-8: byte 0x{data[error.start]:02x} on line {line}. "
            "Save the file as UTF-8 and submit it again."
        ) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise SourceRejected(
            f"The source holds a NUL byte on line {line}. It must be C++ text, not a binary file."
        )
    if not text.strip():
        raise SourceRejected("The source is empty. Submit a .cu file that defines the entry point.")
    return text
