"""Reads the source files that are named on the command line."""

from __future__ import annotations

from pathlib import Path

from judge.cli.exits import UsageFault
from judge.source import SourceRejected, decode_source


def read_source(file: Path) -> str:
    """A source file as it may be submitted; raises UsageFault with what is wrong with it."""
    try:
        return decode_source(file.read_bytes())
    except SourceRejected as error:
        raise UsageFault(f"{file}: {error}") from error
    except OSError as error:
        raise UsageFault(f"{file} cannot be read: {error.strerror}.") from error
