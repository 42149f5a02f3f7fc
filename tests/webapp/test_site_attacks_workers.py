"""What a worker's host may lie about once it was taken over: the job it was given, and no other."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client

from judge.domain import CaseResult, DeviceKind, Diagnostic, Status, Verdict
from judge.events import CaseJudged, Compiled, Finished, Heartbeat, StageEntered, WorkloadTimed
from judge.messages import MAX_ATTEMPTS, MAX_EVENT_BYTES, MAX_EVENTS, WorkerReport
from webapp.accounts.models import User
from webapp.leaderboards.models import Entry
from webapp.ops.models import Device, RefusedMessages, Worker
from webapp.ops.reports import MAX_DEVICES, store_worker
from webapp.submissions.abort import abort
from webapp.submissions.conclusion import requeue
from webapp.submissions.dispatch import dispatch
from webapp.submissions.events import Outcome, store_event
from webapp.submissions.models import Run, StoredEvent

pytestmark = pytest.mark.django_db

MakeRun = Callable[..., Any]
WRONG = Finished(Verdict.WA, "output[3] is 1.0, expected 2.0.")
KEYLESS = "event without the key of its attempt"


def reasons() -> set[str]:
    return set(RefusedMessages.objects.values_list("reason", flat=True))


@pytest.mark.parametrize(
    "forge",
    [
        lambda message, other: message | {"key": ""},
        lambda message, other: message | {"key": other["key"]},
        lambda message, other: {k: v for k, v in message.items() if k != "key"},
        lambda message, other: message | {"key": message["key"][:-1]},
        lambda message, other: message | {"key": message["key"].swapcase()},
        lambda message, other: other | {"run_id": message["run_id"]},
    ],
)
def test_a_run_is_not_spoken_for_with_another_ones_key(
    make_run: MakeRun, kit: Any, forge: Callable[[Any, Any], Any]
) -> None:
    run, other = make_run(), make_run()
    forged = forge(kit.Speaker(run).wire(kit.accepted(0.001)), kit.Speaker(other).wire(WRONG))
    assert store_event(forged) is Outcome.REFUSED
    assert reasons() == {KEYLESS}
    run.refresh_from_db()
    assert (run.status, run.worker, run.lease_expires_at) == ("queued", "", None)
    assert not Entry.objects.exists()
    assert not StoredEvent.objects.exists()


def test_the_key_of_a_lost_attempt_opens_the_next_one_to_nobody(
    make_run: MakeRun, kit: Any, django_capture_on_commit_callbacks: Any
) -> None:
    run = make_run()
    lost = kit.Speaker(run, worker="w1")
    lost.key = run.attempt_key
    lost.say(StageEntered(Status.COMPILING))
    run.refresh_from_db()
    assert requeue(run, datetime.now(UTC))
    assert lost.say(kit.accepted(0.001)) is Outcome.STALE
    lost.attempt = 2
    assert lost.say(kit.accepted(0.001)) is Outcome.REFUSED
    assert reasons() == {KEYLESS}
    run.refresh_from_db()
    assert (run.status, run.attempt) == ("queued", 2)


def test_the_key_goes_to_the_worker_and_nowhere_else(
    make_run: MakeRun, kit: Any, redis_server: Any, token_for: Any, alice: Any, staff: Any
) -> None:
    run = make_run()
    assert dispatch(run.pk)
    key = run.attempt_key
    assert len(key) >= 32
    assert make_run().attempt_key != key
    kit.Speaker(run).say(StageEntered(Status.COMPILING))
    assert key not in json.dumps(list(StoredEvent.objects.values_list("payload", flat=True)))
    User.objects.filter(pk=staff.pk).update(is_superuser=True)
    client = Client()
    client.force_login(User.objects.get(pk=staff.pk))
    for address in (f"/runs/{run.pk}/", f"/admin/submissions/run/{run.pk}/change/"):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert key not in answer.content.decode(), address
    answer = client.get(f"/api/v1/runs/{run.pk}", headers=token_for(alice))
    assert key not in answer.content.decode()


def whole(kit: Any, ms: float) -> list[Any]:
    """An honest judging, in order."""
    stages = [StageEntered(status, total=1) for status in (Status.COMPILING, Status.CHECKING)]
    compiled = Compiled(True, 1.0, False, "", 0, (Diagnostic("warning", "w", 1, 1),), ())
    timed = WorkloadTimed(0, 1, kit.timing(ms=ms))
    return [*stages, compiled, StageEntered(Status.TIMING, total=1), timed, kit.accepted(ms)]


@pytest.mark.parametrize("seed", range(8))
def test_any_order_and_any_number_of_times_gives_the_same_run(
    make_run: MakeRun, kit: Any, seed: int
) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    messages = [voice.wire(event) for event in whole(kit, 2.0)]
    shuffled = messages * 3
    random.Random(seed).shuffle(shuffled)
    for message in shuffled:
        store_event(message)
    run.refresh_from_db()
    assert (run.status, run.verdict, run.score_ms) == ("done", "AC", 2.0)
    assert run.timings.get().median_ms == 2.0
    assert run.compilation.diagnostics[0]["line"] == 1
    assert Entry.objects.get().score_ms == 2.0
    kept = list(run.events.values_list("sequence", flat=True))
    assert all(before < after for before, after in pairwise(kept))
    assert not RefusedMessages.objects.exists()


def test_a_verdict_replayed_for_a_later_run_of_the_same_source_is_refused(
    make_run: MakeRun, kit: Any
) -> None:
    first = make_run()
    good = kit.Speaker(first).wire(kit.accepted(0.5))
    store_event(good)
    again = Run.objects.create(submission=first.submission, device=first.device)
    assert store_event(good) is Outcome.DUPLICATE
    assert store_event(good | {"run_id": str(again.pk)}) is Outcome.REFUSED
    again.refresh_from_db()
    assert again.verdict is None


def test_a_verdict_is_not_changed_by_a_better_one_that_claims_to_be_earlier(
    make_run: MakeRun, kit: Any
) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    voice.say(WRONG, sequence=5)
    assert voice.say(kit.accepted(0.001), sequence=4) is Outcome.AFTER_DONE
    assert voice.say(kit.accepted(0.001), sequence=6) is Outcome.AFTER_DONE
    run.refresh_from_db()
    assert (run.verdict, run.score_ms) == ("WA", None)
    assert not Entry.objects.exists()


def test_nobody_speaks_for_a_run_that_was_aborted(make_run: MakeRun, kit: Any, alice: Any) -> None:
    run = make_run()
    abort(alice, run)
    voice = kit.Speaker(run)
    for event in whole(kit, 1.0):
        assert voice.say(event) is Outcome.AFTER_DONE
    assert not Entry.objects.exists()


def test_what_is_larger_than_any_event_is_not_read(make_run: MakeRun, kit: Any) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    flood = Compiled(True, 1.0, False, "", 0, (Diagnostic("error", "x" * MAX_EVENT_BYTES),), ())
    assert voice.say(flood) is Outcome.REFUSED
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    assert store_event(voice.wire(Heartbeat()) | {"event": deep}) is Outcome.REFUSED
    assert voice.say(Heartbeat(), sequence=MAX_EVENTS - 1) is Outcome.STORED
    message = voice.wire(Heartbeat(), sequence=0) | {"sequence": MAX_EVENTS}
    assert store_event(message) is Outcome.REFUSED
    assert store_event(message | {"sequence": 10**40}) is Outcome.REFUSED
    assert "event larger than any worker sends" in reasons()
    assert StoredEvent.objects.count() == 1
    assert voice.say(WRONG, sequence=7) is Outcome.STORED


def test_an_event_of_the_most_that_an_honest_worker_sends_is_taken(
    make_run: MakeRun, kit: Any
) -> None:
    run = make_run()
    samples = tuple(tuple(1.0 + n / 7 for n in range(30_000)) for _ in range(3))
    timing = replace(kit.timing(), samples_ms=samples)
    assert kit.Speaker(run).say(WorkloadTimed(0, 1, timing)) is Outcome.STORED
    assert run.timings.get().sample_count == 90_000


@pytest.mark.parametrize("index", [-1, 2**31, 2**63])
def test_an_index_beyond_all_columns_costs_that_event_at_most(
    make_run: MakeRun, kit: Any, signed_in: Client, index: int
) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    voice.say(CaseJudged(index, 1, CaseResult("small", Verdict.AC, {}, "normal")))
    assert voice.say(WRONG) is Outcome.STORED
    assert signed_in.get(f"/runs/{run.pk}/").status_code == 200


def report(kit: Any, **fields: Any) -> dict[str, Any]:
    told = {
        "worker": "w1",
        "device": "emulated",
        "state": "ready",
        "sent_at": datetime.now(UTC),
        "environment": kit.environment(),
    }
    return WorkerReport(**(told | fields)).to_wire()


def test_a_report_that_is_too_large_or_nonsense_is_refused(db: None, kit: Any) -> None:
    large = replace(kit.environment(), remarks=("x" * 200_000,))
    assert not store_worker(report(kit, environment=large))
    assert not store_worker(report(kit) | {"state": "admin"})
    assert not store_worker(report(kit) | {"worker": "w" * 1000})
    assert not store_worker(report(kit) | {"sent_at": "yesterday"})
    assert not store_worker(report(kit) | {"sent_at": "2026-01-01T00:00:00"})  # in which zone?
    assert not store_worker([report(kit)])
    assert not Worker.objects.exists()
    assert len(reasons()) == 2


@pytest.mark.parametrize("name", ["h200\n", "../etc", "H200", "", "h" * 65, "h\u202e200", "a/b"])
def test_a_device_has_a_plain_name(db: None, kit: Any, name: str) -> None:
    gpu = replace(kit.environment(), device_kind=DeviceKind.CUDA)
    assert not store_worker(report(kit, environment=gpu) | {"device": name})
    assert not Device.objects.exists()


def test_a_report_from_the_future_does_not_silence_the_worker_for_ever(db: None, kit: Any) -> None:
    """Reports are ordered by the worker's own clock, which a forger or a wrong clock may say."""
    assert store_worker(report(kit))
    assert store_worker(report(kit, sent_at=datetime.now(UTC) + timedelta(days=400)))
    assert store_worker(report(kit, state="busy"))
    assert Worker.objects.get().state == "busy"


def test_a_flood_of_made_up_devices_ends(db: None, kit: Any) -> None:
    gpu = replace(kit.environment(), device_kind=DeviceKind.CUDA)
    for number in range(80):
        store_worker(report(kit, device=f"gpu-{number}", worker=f"w{number}", environment=gpu))
    assert Device.objects.count() == MAX_DEVICES
    assert store_worker(report(kit, device="gpu-3", worker="w3", environment=gpu))


def test_a_worker_cannot_claim_another_ones_attempts_by_name(make_run: MakeRun, kit: Any) -> None:
    run = make_run()
    kit.Speaker(run, worker="w1").say(StageEntered(Status.COMPILING))
    forger = kit.Speaker(run, worker="w1")
    forger.key = make_run().attempt_key
    assert forger.say(kit.accepted(0.001), sequence=3) is Outcome.REFUSED
    run.refresh_from_db()
    assert run.status == "compiling"


def test_a_judge_error_is_not_tried_for_ever(make_run: MakeRun, kit: Any) -> None:
    run = make_run()
    for attempt in range(1, 10):
        outcome = kit.Speaker(run, attempt=attempt).say(Finished(Verdict.JE, "", detail=""))
        assert outcome is (Outcome.STORED if attempt <= MAX_ATTEMPTS else Outcome.REFUSED)
    run.refresh_from_db()
    assert (run.verdict, run.attempt) == ("JE", MAX_ATTEMPTS)
    assert store_event({"run_id": str(uuid.uuid4())}) is Outcome.REFUSED
