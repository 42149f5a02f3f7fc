"""Environment variables that may also come from a file, as secrets do.

``NAME_FILE`` names a file that holds the value of ``NAME``: what container engines mount, and what
no list of processes or container's description shows. Site and worker read theirs alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


class UnreadableFile(Exception):
    """The file that a variable names cannot be read; the text says which and why."""


def variable(name: str, environment: Mapping[str, str]) -> str:
    """The value of ``name``, or of the file that ``name``_FILE names; empty when neither is set.

    White space around it does not count. The variable itself wins. Raises UnreadableFile.
    """
    given = environment.get(name, "").strip()
    file = environment.get(f"{name}_FILE", "").strip()
    if given or not file:
        return given
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{name}_FILE: {file} cannot be read: {error}.") from error
