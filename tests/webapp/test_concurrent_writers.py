"""Writers that really run at once, on a database that lets them: each thing happens once.

Needs PostgreSQL (``test_on_postgresql`` runs it there): SQLite lets one writer in at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from judge.domain import Status, Verdict
from judge.events import Finished, Heartbeat, StageEntered
from webapp.leaderboards.models import Entry
from webapp.submissions.events import Outcome, store_event
from webapp.submissions.models import Run, StoredEvent, Submission
from webapp.submissions.services import Refusal, submit

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        "postgresql" not in __import__("django.conf").conf.settings.DATABASES["default"]["ENGINE"],
        reason="needs PostgreSQL; test_on_postgresql runs it there",
    ),
]

WRITERS = 6


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """What the calls answer, all begun together, each on a connection of its own."""
    gate = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        gate.wait()
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_an_event_delivered_to_many_consumers_is_stored_once(make_run: Any, kit: Any) -> None:
    run = make_run()
    message = kit.Speaker(run).wire(StageEntered(Status.COMPILING))
    outcomes = at_once(*[lambda: store_event(message)] * WRITERS)
    assert sorted(outcomes) == sorted([Outcome.STORED] + [Outcome.DUPLICATE] * (WRITERS - 1))
    assert StoredEvent.objects.filter(run=run).count() == 1


def test_of_many_verdicts_one_is_given(make_run: Any, kit: Any) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    messages = [
        voice.wire(Finished(Verdict.WA, f"verdict {index}"), sequence=index)
        for index in range(WRITERS)
    ]
    outcomes = at_once(*[lambda m=m: store_event(m) for m in messages])
    assert outcomes.count(Outcome.STORED) == 1
    assert outcomes.count(Outcome.AFTER_DONE) == WRITERS - 1
    run.refresh_from_db()
    assert run.message == f"verdict {run.final_sequence}"


def test_an_attempt_is_won_by_one_worker(make_run: Any, kit: Any) -> None:
    run = make_run()
    messages = [
        kit.Speaker(run, worker=f"w{index}").wire(Heartbeat(), sequence=index)
        for index in range(WRITERS)
    ]
    outcomes = at_once(*[lambda m=m: store_event(m) for m in messages])
    assert (outcomes.count(Outcome.STORED), outcomes.count(Outcome.REFUSED)) == (1, WRITERS - 1)


def test_runs_that_finish_together_leave_the_best_as_entry(make_run: Any, kit: Any) -> None:
    runs = [make_run() for _ in range(WRITERS)]
    messages = [
        kit.Speaker(run, worker=f"w{index}").wire(kit.accepted(float(index + 1)))
        for index, run in enumerate(runs)
    ]
    assert set(at_once(*[lambda m=m: store_event(m) for m in messages])) == {Outcome.STORED}
    assert Entry.objects.get().run_id == runs[0].pk


def test_tries_sent_together_do_not_slip_past_the_limit(
    alice: Any, version: Any, device: Any, settings: Any
) -> None:
    settings.WARPBOARD_SUBMISSIONS_AN_HOUR = 2

    def try_it() -> str:
        try:
            submit(alice, "transpose", "emulated", b"x")
        except Refusal as refusal:
            return refusal.code
        return "taken"

    answers = at_once(*[try_it] * WRITERS)
    assert sorted(answers) == ["taken"] * 2 + ["too_many_submissions"] * (WRITERS - 2)
    assert (Submission.objects.count(), Run.objects.count()) == (2, 2)
