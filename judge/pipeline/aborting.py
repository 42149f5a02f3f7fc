"""How a Run that nobody wants any more is left: between two brackets, by an exception.

Who wants it gone, and how that is known, is the caller's affair.
"""

from __future__ import annotations

from collections.abc import Callable

#: Raises Aborted when the Run shall end here; called between brackets, so it must be quick.
Checkpoint = Callable[[], None]


class Aborted(Exception):
    """The Run was aborted. No fault of anybody: its verdict is AB."""


def checkpoint(is_aborted: Callable[[], bool]) -> Checkpoint:
    """A Checkpoint that asks ``is_aborted``."""

    def check() -> None:
        if is_aborted():
            raise Aborted

    return check


def never() -> bool:
    """For a Run that cannot be aborted."""
    return False
