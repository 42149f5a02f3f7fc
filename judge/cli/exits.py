"""Exit statuses of the ``warpboard`` command, and the errors that end it."""

from __future__ import annotations

from enum import IntEnum

import click


class Exit(IntEnum):
    """What the command's status tells a script."""

    ACCEPTED = 0
    NOT_ACCEPTED = 1
    USAGE = 2
    JUDGE_FAULT = 3
    NOT_SIGNED_IN = 4


class UsageFault(click.ClickException):
    """The request makes no sense: unknown problem, unreadable file, bad option."""

    exit_code = Exit.USAGE


class JudgeFault(click.ClickException):
    """Ours, not the user's: no sandbox, no compiler, the site is down, a judge error."""

    exit_code = Exit.JUDGE_FAULT


class NotSignedIn(click.ClickException):
    """The site wants a token that it knows."""

    exit_code = Exit.NOT_SIGNED_IN
