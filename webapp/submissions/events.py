"""Storing what workers say about Runs: every event once, in whatever order, one verdict each.

A worker's host runs hostile code, so an envelope is a claim: it must match its schema, name a Run
that exists, the attempt under way with the key that its job carried, and come from the worker that
this attempt belongs to. What does not is refused with a reason and counted; it never stops the
consumer.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Any

from django.db import DataError, IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from pydantic import ValidationError

from judge.domain import Status, Verdict
from judge.events import CaseJudged, Compiled, Finished, SamplesTaken, StageEntered, WorkloadTimed
from judge.messages import LEASE_SECONDS, MAX_EVENT_BYTES, EventEnvelope
from judge.ranking import check_score
from webapp.ops.refusals import refuse
from webapp.submissions.abort import tell_worker
from webapp.submissions.announcements import announce
from webapp.submissions.conclusion import conclude, requeue
from webapp.submissions.models import Run, StoredEvent
from webapp.submissions.results import NotANumber, store_case, store_compilation, store_timing
from webapp.submissions.transitions import STAGES, advance
from webapp.text import cleaned, cut, is_larger, storable

logger = logging.getLogger(__name__)

_MAX_MESSAGE_CHARACTERS = 16 * 1024
_MAX_DETAIL_CHARACTERS = 64 * 1024


class Outcome(StrEnum):
    """What became of an event."""

    STORED = "stored"
    DUPLICATE = "duplicate"
    STALE = "stale attempt"
    AFTER_DONE = "after the verdict"
    REFUSED = "refused"


def store_event(message: object) -> Outcome:
    """Stores one ``EventEnvelope`` in wire form and does what it says. Safe to repeat."""
    if is_larger(message, MAX_EVENT_BYTES):
        refuse("event larger than any worker sends", f"over {MAX_EVENT_BYTES} bytes")
        return Outcome.REFUSED
    try:
        envelope = EventEnvelope.model_validate(cleaned(message))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        refuse("event does not match its schema", f"{where}: {first['msg']}")
        return Outcome.REFUSED
    claim = f"run {envelope.run_id} attempt {envelope.attempt} by {envelope.worker}"
    try:
        reason, outcome = _store(envelope)
    except (IntegrityError, DataError, OverflowError, NotANumber) as error:
        # Right in form, but with numbers that no column takes: a NaN median, an index below zero.
        refuse("event with values that cannot be stored", f"{claim}: {error}")
        return Outcome.REFUSED
    if reason:
        refuse(reason, claim)
    elif outcome is not Outcome.STORED:
        logger.info("event %s/%d: %s", envelope.run_id, envelope.sequence, outcome)
    return outcome


@transaction.atomic
def _store(envelope: EventEnvelope) -> tuple[str, Outcome]:
    """The reason for a refusal or nothing, and the outcome."""
    run = Run.objects.select_for_update().filter(pk=envelope.run_id).first()
    if run is None:
        return "event of an unknown run", Outcome.REFUSED
    if envelope.attempt > run.attempt:
        return "event of an attempt that was never sent", Outcome.REFUSED
    if envelope.attempt < run.attempt:
        return "", Outcome.STALE
    if not constant_time_compare(envelope.key, run.attempt_key):
        return "event without the key of its attempt", Outcome.REFUSED
    if run.worker and envelope.worker != run.worker:
        return "event of a worker that the attempt does not belong to", Outcome.REFUSED
    event = envelope.event
    if isinstance(event, StageEntered) and event.status not in STAGES[1:]:
        return "event of a stage that no worker enters", Outcome.REFUSED
    key = {"run": run, "attempt": envelope.attempt, "sequence": envelope.sequence}
    if StoredEvent.objects.filter(**key).exists():
        return "", Outcome.DUPLICATE
    if run.is_done and not _completes(run, envelope):
        if run.verdict == Verdict.AB:  # its worker has not heard of it
            transaction.on_commit(partial(tell_worker, run.pk))
        return "", Outcome.AFTER_DONE

    StoredEvent.objects.create(
        **key,
        type=event.type,
        worker=envelope.worker,
        sent_at=envelope.sent_at,
        payload=_wire(envelope),
    )
    if run.is_done:
        _keep_result(run, envelope)
        announce(run)
        return "", Outcome.STORED
    was_waiting = run.status == Status.QUEUED
    now = timezone.now()
    _renew_lease(run, envelope.worker, now)
    if isinstance(event, Finished):
        _finish(run, event, envelope, now)
    elif isinstance(event, StageEntered):
        advance(run, event.status, stage_total=event.total, progress=None)
    elif isinstance(event, SamplesTaken):
        Run.objects.filter(pk=run.pk).update(progress=_wire(envelope))
    else:
        _keep_result(run, envelope)
    announce(run, left_queue=was_waiting and run.status != Status.QUEUED)
    return "", Outcome.STORED


def _completes(run: Run, envelope: EventEnvelope) -> bool:
    """A result sent before the verdict that came after it: kept, though it moves nothing."""
    return (
        run.final_sequence is not None
        and envelope.sequence < run.final_sequence
        and isinstance(envelope.event, Compiled | CaseJudged | WorkloadTimed)
    )


def _renew_lease(run: Run, worker: str, now: datetime) -> None:
    run.worker = worker
    run.lease_expires_at = now + timedelta(seconds=LEASE_SECONDS)
    run.started_at = run.started_at or now
    run.save(update_fields=["worker", "lease_expires_at", "started_at"])


def _wire(envelope: EventEnvelope) -> dict[str, Any]:
    """The event as JSON that any database stores."""
    event: dict[str, Any] = storable(envelope.to_wire()["event"])
    event.pop("listings", None)  # large, and stored as DeviceCode
    return event


def _keep_result(run: Run, envelope: EventEnvelope) -> None:
    event = envelope.event
    wire = _wire(envelope)
    if isinstance(event, Compiled):
        store_compilation(run, event, wire)
    elif isinstance(event, CaseJudged):
        store_case(run, event, wire)
    elif isinstance(event, WorkloadTimed):
        store_timing(run, event, wire)


def _finish(run: Run, event: Finished, envelope: EventEnvelope, now: datetime) -> None:
    verdict, message, detail = event.verdict, event.message, event.detail
    fault = _fault_of(run, event)
    if fault:
        verdict = Verdict.JE
        message = "The judge answered with a result that cannot be right. The admins can see why."
        detail = fault
    if verdict is Verdict.JE:
        logger.error("judge error in run %s attempt %d: %s", run.pk, run.attempt, ascii(detail))
        if requeue(run, now):
            return
    score = event.score if verdict is Verdict.AC else None
    conclude(
        run,
        verdict,
        cut(message, _MAX_MESSAGE_CHARACTERS),
        now,
        detail=cut(detail, _MAX_DETAIL_CHARACTERS),
        final_sequence=envelope.sequence,
        score_ms=score.value_ms if score else None,
        ci_low_ms=score.ci_low_ms if score else None,
        ci_high_ms=score.ci_high_ms if score else None,
        environment=_wire(envelope)["environment"],
    )


def _fault_of(run: Run, event: Finished) -> str:
    """What makes a claimed verdict impossible, or nothing."""
    if event.verdict is Verdict.AC:
        if event.score is None:
            return "AC without a score."
        try:
            check_score(event.score)
        except ValueError as error:
            return str(error)
    if event.verdict is Verdict.AB:
        return "The worker says that the run was aborted, which only this site can do."
    environment = event.environment
    if environment is not None and environment.device_kind.value != run.device.kind:
        return f"Judged on {environment.device_kind}, but the run is for {run.device}."
    return ""
