"""A queued Run reaches a worker's queue, whatever Redis and workers do meanwhile."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from judge.domain import Status, Verdict
from judge.events import Finished, Heartbeat, StageEntered
from judge.messages import MAX_ATTEMPTS, JobMessage
from webapp.submissions.dispatch import dispatch, dispatch_pending
from webapp.submissions.events import Outcome
from webapp.submissions.models import Run
from webapp.submissions.reaper import Watch, requeue_lost
from webapp.submissions.services import submit

MakeRun = Callable[..., Any]
AT_ONCE = timedelta(0)


def job_on(server: Any, device: str = "emulated") -> tuple[str, JobMessage]:
    """Takes the next job off a device's queue: its task id and message."""
    raw = server.client().rpop(f"device.{device}")
    envelope = json.loads(raw)
    args, _, _ = json.loads(base64.b64decode(envelope["body"]))
    return envelope["headers"]["id"], JobMessage.model_validate(args[0])


def expire(run: Any) -> None:
    Run.objects.filter(pk=run.pk).update(lease_expires_at=timezone.now() - timedelta(seconds=1))


@pytest.mark.django_db(transaction=True)
def test_a_submission_is_sent_when_it_is_committed(
    redis_server: Any, alice: Any, version: Any, device: Any, kit: Any
) -> None:
    run = submit(alice, "transpose", "emulated", kit.SOURCE.encode())
    assert run.dispatched_at is not None
    task_id, job = job_on(redis_server)
    assert task_id == f"{run.pk}.1"
    assert (job.run_id, job.problem_version, job.source) == (run.pk, version.digest, kit.SOURCE)


@pytest.mark.django_db(transaction=True)
def test_with_redis_down_nothing_is_lost(
    redis_server: Any, alice: Any, version: Any, device: Any, kit: Any
) -> None:
    redis_server.stop()
    run = submit(alice, "transpose", "emulated", kit.SOURCE.encode())
    assert (run.status, run.dispatched_at) == ("queued", None)
    assert dispatch_pending(AT_ONCE) == 0
    redis_server.start()
    assert dispatch_pending(AT_ONCE) == 1
    assert job_on(redis_server)[1].run_id == run.pk
    assert dispatch_pending(AT_ONCE) == 0
    assert redis_server.jobs("emulated") == 0


@pytest.mark.django_db(transaction=True)
def test_a_redis_that_lost_its_data_gets_the_jobs_again(
    redis_server: Any, make_run: MakeRun
) -> None:
    run = make_run()
    assert dispatch(run.pk)
    redis_server.stop()  # it keeps nothing on disk
    redis_server.start()
    assert redis_server.jobs("emulated") == 0
    assert dispatch_pending(AT_ONCE) == 1
    assert job_on(redis_server)[1].run_id == run.pk


@pytest.mark.django_db(transaction=True)
def test_a_run_that_waits_long_is_not_sent_twice(redis_server: Any, make_run: MakeRun) -> None:
    run = make_run()
    dispatch(run.pk)
    Run.objects.update(queued_at=timezone.now() - timedelta(days=1))
    assert dispatch_pending() == 0
    assert requeue_lost() == 0
    assert redis_server.jobs("emulated") == 1


@pytest.mark.django_db(transaction=True)
def test_a_job_that_died_with_its_worker_before_a_word_is_sent_again(
    redis_server: Any, make_run: MakeRun
) -> None:
    run = make_run()
    dispatch(run.pk)
    job_on(redis_server)  # taken, and never spoken for
    assert dispatch_pending(AT_ONCE) == 0
    Run.objects.update(dispatched_at=timezone.now() - timedelta(minutes=5))
    assert dispatch_pending(AT_ONCE) == 1
    assert job_on(redis_server)[1].run_id == run.pk


@pytest.mark.django_db(transaction=True)
def test_a_run_whose_worker_died_is_judged_again_with_one_verdict(
    redis_server: Any, make_run: MakeRun, kit: Any
) -> None:
    run = make_run()
    dispatch(run.pk)
    job_on(redis_server)
    dead = kit.Speaker(run, worker="dead")
    dead.say(StageEntered(Status.CHECKING, total=3))
    assert requeue_lost() == 0  # the lease still runs
    expire(run)
    assert requeue_lost() == 1
    _, job = job_on(redis_server)
    assert job.attempt == 2
    second = kit.Speaker(run, attempt=2, worker="second")
    second.say(StageEntered(Status.COMPILING))
    assert dead.say(Finished(Verdict.WA, "too late")) is Outcome.STALE
    second.say(kit.accepted(1.0))
    run.refresh_from_db()
    assert (run.verdict, run.attempt) == ("AC", 2)


@pytest.mark.django_db(transaction=True)
def test_a_run_that_keeps_losing_its_worker_ends_as_judge_error(
    redis_server: Any, make_run: MakeRun, kit: Any
) -> None:
    run = make_run()
    for attempt in range(1, MAX_ATTEMPTS + 1):
        kit.Speaker(run, attempt=attempt).say(Heartbeat())
        expire(run)
        assert requeue_lost() == 1
    run.refresh_from_db()
    assert (run.status, run.verdict) == ("done", "JE")
    assert requeue_lost() == 0


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_speaks_up_in_time_keeps_its_run(
    redis_server: Any, make_run: MakeRun, kit: Any
) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    voice.say(Heartbeat())
    expire(run)
    voice.say(Heartbeat())
    assert requeue_lost() == 0


@pytest.mark.django_db(transaction=True)
def test_silence_while_the_site_was_away_is_not_held_against_workers(
    redis_server: Any, make_run: MakeRun, kit: Any
) -> None:
    run = make_run()
    kit.Speaker(run).say(Heartbeat())
    watch = Watch(longest_gap_seconds=20)
    expire(run)
    assert watch.look(1000.0) == 0  # just started: nobody was listening before
    assert watch.look(1005.0) == 0  # the lease has its full time again
    expire(run)
    assert watch.look(1100.0) == 0  # the broker was away
    expire(run)
    assert watch.look(1105.0) == 1
