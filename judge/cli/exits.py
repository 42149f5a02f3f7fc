"""Exit statuses of the ``warpboard`` command, and the errors that end it."""

from __future__ import annotations

from enum import IntEnum

import click

from judge.domain import Verdict


class Exit(IntEnum):
    """What the command's status tells a script."""

    ACCEPTED = 0
    NOT_ACCEPTED = 1
    USAGE = 2
    JUDGE_FAULT = 3
    NOT_SIGNED_IN = 4


def exit_status(verdict: str) -> Exit:
    """What a verdict makes of the command that waited for it."""
    if verdict == Verdict.AC:
        return Exit.ACCEPTED
    return Exit.JUDGE_FAULT if verdict == Verdict.JE else Exit.NOT_ACCEPTED


#: Status of a command that Ctrl-C ended, by the shells' convention (128 + SIGINT). No verdict.
INTERRUPTED = 130


class UsageFault(click.ClickException):
    """The request makes no sense: unknown problem, unreadable file, bad option."""

    exit_code = Exit.USAGE


class Refused(UsageFault):
    """A site does not do what it was asked to. ``code`` is the API's word for why."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


class JudgeFault(click.ClickException):
    """Ours, not the user's: no sandbox, no compiler, the site is down, a judge error."""

    exit_code = Exit.JUDGE_FAULT


class Unreachable(JudgeFault):
    """No site answers at the address; it may be back in a moment."""


class NotSignedIn(click.ClickException):
    """The site wants a token that it knows."""

    exit_code = Exit.NOT_SIGNED_IN
