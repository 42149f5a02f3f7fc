"""Taking a submission: every rule about who may submit what, in one transaction.

Forms and API call this; it knows neither. A refusal is a ``Refusal`` that names its field.
"""

from __future__ import annotations

import re
from functools import partial

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from judge.source import MAX_SOURCE_BYTES, SourceRejected, decode_source
from webapp.accounts.models import User
from webapp.ops.models import Device
from webapp.problems.models import Problem
from webapp.submissions.dispatch import dispatch
from webapp.submissions.limits import Allowance, allowance, in_words, unfinished_runs
from webapp.submissions.models import CompetitorKind, Run, Submission
from webapp.text import clean

_REFERENCE_PATTERN = r"[a-z0-9][a-z0-9_.-]{0,63}"


class Refusal(Exception):
    """A submission that is not taken. ``field`` is the name of what is wrong, or None.

    ``allowance`` is set when the hour's submissions are used up; it says when one is free again.
    """

    def __init__(
        self, code: str, message: str, field: str | None, allowance: Allowance | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        self.allowance = allowance


def submit(
    owner: User, problem: str, device: str, source: bytes, reference: str | None = None
) -> Run:
    """Stores a submission and queues its first Run, which is sent to a worker on commit.

    ``reference`` names the step of a ladder and needs the permission to submit references; whether
    the caller may use that permission (a token's scope) is the caller's to check.
    Raises Refusal; its code is one of ``unknown_problem``, ``unknown_device``,
    ``source_too_large``, ``bad_source``, ``bad_reference``, ``not_permitted``, ``too_many_runs``,
    ``too_many_submissions``.
    """
    text = _read_source(source)
    found = Problem.objects.select_related("current").filter(pk=clean(problem)).first()
    if found is None or found.current is None:
        raise Refusal("unknown_problem", f"There is no problem {problem!r} here.", "problem")
    board = Device.objects.filter(pk=clean(device)).first()
    if board is None:
        raise Refusal("unknown_device", _no_such_device(device), "device")
    is_curator = owner.has_perm("submissions.submit_reference")
    if reference:
        _check_reference(reference, is_curator)
    with transaction.atomic():
        if not is_curator:
            _check_room(owner, found.slug)
        submission = Submission.objects.create(
            owner=owner,
            version=found.current,
            source=text,
            kind=CompetitorKind.REFERENCE if reference else CompetitorKind.USER,
            reference=reference or "",
        )
        run = Run.objects.create(submission=submission, device=board)
        transaction.on_commit(partial(dispatch, run.pk))
    run.refresh_from_db()
    return run


def _read_source(source: bytes) -> str:
    try:
        text = decode_source(source)
    except SourceRejected as error:
        code = "source_too_large" if len(source) > MAX_SOURCE_BYTES else "bad_source"
        raise Refusal(code, str(error), "source") from error
    # Browsers send text areas with CRLF; the compiler's columns and our hashes want one form.
    return text.replace("\r\n", "\n")


def _no_such_device(device: str) -> str:
    names = ", ".join(Device.objects.values_list("pk", flat=True))
    return f"There is no device {device!r} here. There is: {names or 'none yet'}."


def _check_reference(reference: str, is_curator: bool) -> None:
    if not is_curator:
        raise Refusal(
            "not_permitted", "Only accounts with that permission submit references.", "reference"
        )
    if not re.fullmatch(_REFERENCE_PATTERN, reference):
        raise Refusal(
            "bad_reference",
            "A reference is the name of a ladder's step: up to 64 of a-z, 0-9, '_', '.' and '-'.",
            "reference",
        )


def _check_room(owner: User, problem: str) -> None:
    """Nobody may fill the queue alone, nor search for a lucky run all day. Needs a transaction."""
    # Of two requests at once, the second waits here and counts the first.
    User.objects.select_for_update().get(pk=owner.pk)
    left = allowance(owner, problem, timezone.now())
    if not left.remaining:
        raise Refusal(
            "too_many_submissions",
            f"You have submitted to {problem} {left.limit} times within an hour, which is the "
            f"limit. The next try is free in {in_words(left.reset_s)}.",
            None,
            left,
        )
    limit = settings.WARPBOARD_MAX_UNFINISHED_RUNS
    if unfinished_runs(owner) >= limit:
        raise Refusal(
            "too_many_runs",
            f"You have {limit} runs waiting or being judged. Submit again when one is done.",
            None,
        )
