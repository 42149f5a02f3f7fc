"""Aborting: the owner's word ends a Run at once, and no Run gets two verdicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from judge.control import connect, is_flagged
from judge.domain import CaseResult, Status, Verdict
from judge.events import CaseJudged, Finished, Heartbeat, StageEntered
from webapp.submissions.abort import abort
from webapp.submissions.conclusion import requeue
from webapp.submissions.dispatch import dispatch
from webapp.submissions.events import Outcome
from webapp.submissions.models import Run
from webapp.submissions.services import Refusal

pytestmark = pytest.mark.django_db(transaction=True)

MakeRun = Callable[..., Any]


def flagged(server: Any, run: Any) -> bool:
    return is_flagged(connect(server.url), run.pk)


def test_a_waiting_run_is_aborted_at_once_and_never_sent(
    make_run: MakeRun, alice: Any, redis_server: Any
) -> None:
    run = abort(alice, make_run())
    assert (run.status, run.verdict, run.score_ms) == ("done", "AB", None)
    assert run.message.startswith("Aborted by its owner while it waited in the queue.")
    assert not dispatch(run.pk)
    assert redis_server.jobs("emulated") == 0
    assert flagged(redis_server, run)


def test_a_run_in_judging_is_aborted_and_its_worker_told(
    make_run: MakeRun, alice: Any, redis_server: Any, kit: Any
) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    voice.say(StageEntered(Status.CHECKING, total=3))
    voice.say(CaseJudged(0, 3, CaseResult("small", Verdict.AC, {}, "normal")))
    run = abort(alice, Run.objects.get(pk=run.pk))
    assert (run.status, run.verdict) == ("done", "AB")
    assert "while it was checking" in run.message
    assert run.lease_expires_at is None
    assert run.cases.count() == 1, "what was found stays"
    assert flagged(redis_server, run)


def test_staff_may_abort_and_strangers_may_not(
    make_run: MakeRun, bob: Any, staff: Any, redis_server: Any
) -> None:
    run = make_run()
    with pytest.raises(Refusal) as refused:
        abort(bob, run)
    assert refused.value.code == "not_permitted"
    assert Run.objects.get(pk=run.pk).verdict is None
    assert "by an admin" in abort(staff, run).message


def test_an_abort_after_the_verdict_changes_nothing(
    make_run: MakeRun, alice: Any, redis_server: Any, kit: Any
) -> None:
    run = make_run()
    stale = Run.objects.get(pk=run.pk)
    kit.judge_accepted(run, 1.0)
    with pytest.raises(Refusal) as refused:
        abort(alice, stale)
    assert refused.value.code == "already_done"
    assert "AC accepted" in refused.value.message
    assert Run.objects.get(pk=run.pk).verdict == "AC"
    assert not flagged(redis_server, run)


def test_a_verdict_after_the_abort_changes_nothing(
    make_run: MakeRun, alice: Any, redis_server: Any, kit: Any
) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    voice.say(StageEntered(Status.TIMING, total=1))
    abort(alice, run)
    assert voice.say(kit.accepted(1.0)) is Outcome.AFTER_DONE
    assert voice.say(Finished(Verdict.AB, "")) is Outcome.AFTER_DONE
    run.refresh_from_db()
    assert (run.verdict, run.score_ms) == ("AB", None)
    assert not hasattr(run, "entry")


def test_an_aborted_run_is_not_requeued(make_run: MakeRun, alice: Any, redis_server: Any) -> None:
    run = make_run(status="checking", worker="w1")
    stale = Run.objects.get(pk=run.pk)
    abort(alice, run)
    from django.db import transaction
    from django.utils import timezone

    with transaction.atomic():
        assert not requeue(stale, timezone.now())
    run.refresh_from_db()
    assert (run.verdict, run.attempt) == ("AB", 1)


def test_a_worker_that_did_not_hear_of_it_is_told_again(
    make_run: MakeRun, alice: Any, redis_server: Any, kit: Any
) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    voice.say(StageEntered(Status.TIMING, total=1))
    redis_server.stop()
    assert abort(alice, run).verdict == "AB", "a broker that is away does not keep a verdict"
    redis_server.start()
    assert not flagged(redis_server, run)
    assert voice.say(Heartbeat()) is Outcome.AFTER_DONE
    assert flagged(redis_server, run)


def test_a_worker_cannot_abort_by_itself(make_run: MakeRun, redis_server: Any, kit: Any) -> None:
    run = make_run()
    kit.Speaker(run).say(Finished(Verdict.AB, "as if"))
    run.refresh_from_db()
    assert (run.verdict, run.status, run.attempt) == (None, "queued", 2)
