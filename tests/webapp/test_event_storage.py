"""What workers say is stored once, in whatever order it comes, and never believed blindly."""

from __future__ import annotations

import math
import uuid
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from judge.domain import CaseResult, DeviceKind, Diagnostic, Mismatch, Score, Status, Verdict
from judge.events import (
    CaseJudged,
    Compiled,
    Finished,
    Heartbeat,
    SamplesTaken,
    StageEntered,
    WorkloadTimed,
)
from judge.messages import MAX_ATTEMPTS
from webapp.ops.models import RefusedMessages
from webapp.submissions.conclusion import conclude
from webapp.submissions.events import Outcome, store_event
from webapp.submissions.models import Run, StoredEvent
from webapp.submissions.transitions import ForbiddenTransition, move

pytestmark = pytest.mark.django_db

MakeRun = Callable[..., Any]
WRONG = Finished(Verdict.WA, "output[3] is 1.0, expected 2.0.")


def case(name: str = "small", verdict: Verdict = Verdict.AC, **fields: Any) -> CaseJudged:
    result = CaseResult(name, verdict, {"rows": 3, "cols": 5}, "normal", **fields)
    return CaseJudged(0, 1, result)


def compiled(output: str = "") -> Compiled:
    diagnostic = Diagnostic("warning", "unused variable", 3, 7)
    return Compiled(True, 0.5, False, output, 0, (diagnostic,), ())


def refusals() -> int:
    return sum(RefusedMessages.objects.values_list("count", flat=True))


def test_a_judging_leaves_its_results_and_one_verdict(make_run: MakeRun, kit: Any) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    voice.say(StageEntered(Status.COMPILING))
    voice.say(compiled("a warning"))
    voice.say(StageEntered(Status.CHECKING, total=1))
    voice.say(case(max_abs_error=0.0))
    voice.say(StageEntered(Status.TIMING, total=1))
    voice.say(WorkloadTimed(0, 1, kit.timing(ms=2.0)))
    voice.say(kit.accepted(2.0))
    run.refresh_from_db()
    assert (run.status, run.verdict, run.score_ms) == ("done", "AC", 2.0)
    assert run.compilation.diagnostics[0]["line"] == 3
    assert run.cases.get().case == "small"
    assert run.timings.get().median_ms == 2.0
    assert run.environment["hardware"] == "a CPU"
    assert run.lease_expires_at is None


def test_an_event_that_comes_twice_counts_once(make_run: MakeRun, kit: Any) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    message = voice.wire(StageEntered(Status.COMPILING))
    assert store_event(message) is Outcome.STORED
    assert store_event(message) is Outcome.DUPLICATE
    assert StoredEvent.objects.count() == 1


def test_the_first_verdict_stays(make_run: MakeRun, kit: Any) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    assert voice.say(WRONG) is Outcome.STORED
    assert voice.say(kit.accepted(1.0)) is Outcome.AFTER_DONE
    run.refresh_from_db()
    assert (run.verdict, run.score_ms) == ("WA", None)


def test_of_two_writers_only_one_gives_the_verdict(make_run: MakeRun) -> None:
    run = make_run()
    same = Run.objects.get(pk=run.pk)
    now = timezone.now()
    assert conclude(run, Verdict.WA, "first", now)
    assert not conclude(same, Verdict.AC, "second", now)
    assert Run.objects.get(pk=run.pk).message == "first"


def test_a_verdict_may_overtake_the_events_before_it(make_run: MakeRun, kit: Any) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    assert voice.say(kit.accepted(1.0), sequence=5) is Outcome.STORED
    assert voice.say(StageEntered(Status.CHECKING), sequence=2) is Outcome.AFTER_DONE
    assert voice.say(case(), sequence=3) is Outcome.STORED
    assert voice.say(case("forged"), sequence=6) is Outcome.AFTER_DONE
    run.refresh_from_db()
    assert (run.status, run.verdict) == ("done", "AC")
    assert [c.case for c in run.cases.all()] == ["small"]


def test_a_stage_that_comes_late_does_not_turn_the_run_back(make_run: MakeRun, kit: Any) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    voice.say(StageEntered(Status.TIMING, total=4), sequence=3)
    voice.say(StageEntered(Status.COMPILING), sequence=0)
    run.refresh_from_db()
    assert (run.status, run.stage_total) == ("timing", 4)


def test_each_event_renews_the_lease_and_waiting_needs_none(make_run: MakeRun, kit: Any) -> None:
    run = make_run(dispatched_at=timezone.now())
    assert run.lease_expires_at is None
    voice = kit.Speaker(run)
    voice.say(Heartbeat())
    Run.objects.update(lease_expires_at=timezone.now() - timedelta(seconds=1))
    voice.say(Heartbeat())
    run.refresh_from_db()
    assert run.lease_expires_at > timezone.now()


def test_progress_events_are_dropped_once_they_say_nothing(make_run: MakeRun, kit: Any) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    voice.say(Heartbeat())
    voice.say(SamplesTaken("square", 0, 3, 12, 1.0))
    run.refresh_from_db()
    assert run.progress["samples"] == 12
    voice.say(WRONG)
    assert [e.type for e in StoredEvent.objects.all()] == ["finished"]


def test_an_earlier_attempt_is_not_listened_to(make_run: MakeRun, kit: Any) -> None:
    run = make_run(attempt=2)
    assert kit.Speaker(run, attempt=1).say(WRONG) is Outcome.STALE
    run.refresh_from_db()
    assert run.verdict is None


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (lambda m: m | {"run_id": str(uuid.uuid4())}, "event of an unknown run"),
        (lambda m: m | {"attempt": 9}, "event of an attempt that was never sent"),
        (lambda m: m | {"attempt": 0}, "event does not match its schema"),
        (lambda m: m | {"extra": 1}, "event does not match its schema"),
        (lambda m: m | {"event": {"type": "verdict"}}, "event does not match its schema"),
        (lambda m: {}, "event does not match its schema"),
        (lambda m: "finished", "event does not match its schema"),
        (lambda m: None, "event does not match its schema"),
        (lambda m: [m], "event does not match its schema"),
    ],
)
def test_a_forged_event_is_refused_with_its_reason(
    make_run: MakeRun, kit: Any, forge: Callable[[Any], Any], reason: str
) -> None:
    run = make_run()
    assert store_event(forge(kit.Speaker(run).wire(WRONG))) is Outcome.REFUSED
    assert RefusedMessages.objects.get().reason == reason
    run.refresh_from_db()
    assert run.status == "queued"


def test_an_attempt_belongs_to_the_worker_that_speaks_first(make_run: MakeRun, kit: Any) -> None:
    run = make_run()
    kit.Speaker(run, worker="w1").say(StageEntered(Status.COMPILING))
    assert kit.Speaker(run, worker="w2").say(WRONG, sequence=7) is Outcome.REFUSED
    assert refusals() == 1


@pytest.mark.parametrize("status", [Status.QUEUED, Status.DONE])
def test_no_worker_enters_a_stage_that_is_not_judging(
    make_run: MakeRun, kit: Any, status: Status
) -> None:
    run = make_run()
    assert kit.Speaker(run).say(StageEntered(status)) is Outcome.REFUSED


@pytest.mark.parametrize(
    "score",
    [
        None,
        Score(0.0, 0.0, 0.0),
        Score(-1.0, -1.0, -1.0),
        Score(math.nan, 1.0, 1.0),
        Score(math.inf, 1.0, math.inf),
    ],
)
def test_an_accepted_run_without_a_credible_score_is_our_fault(
    make_run: MakeRun, kit: Any, score: Score | None
) -> None:
    run = make_run(attempt=MAX_ATTEMPTS)
    kit.Speaker(run, attempt=MAX_ATTEMPTS).say(Finished(Verdict.AC, "", score=score))
    run.refresh_from_db()
    assert (run.verdict, run.score_ms) == ("JE", None)


def test_a_time_of_another_kind_of_device_is_not_believed(make_run: MakeRun, kit: Any) -> None:
    run = make_run(attempt=MAX_ATTEMPTS)
    claim = Finished(
        Verdict.AC, "", Score(1.0, 1.0, 1.0), environment=kit.environment(DeviceKind.CUDA)
    )
    kit.Speaker(run, attempt=MAX_ATTEMPTS).say(claim)
    run.refresh_from_db()
    assert run.verdict == "JE"
    assert "Judged on cuda" in run.detail


def test_a_judge_error_is_tried_again_before_it_is_final(make_run: MakeRun, kit: Any) -> None:
    run = make_run()
    fault = Finished(Verdict.JE, "The judge failed.", detail="Traceback …")
    voice = kit.Speaker(run)
    voice.say(StageEntered(Status.COMPILING))
    voice.say(compiled())
    voice.say(fault)
    run.refresh_from_db()
    assert (run.status, run.attempt, run.worker) == ("queued", 2, "")
    assert not hasattr(run, "compilation")
    for attempt in range(2, MAX_ATTEMPTS + 1):
        kit.Speaker(run, attempt=attempt).say(fault)
    run.refresh_from_db()
    assert (run.status, run.verdict, run.detail) == ("done", "JE", "Traceback …")


def test_what_no_database_can_hold_is_stored_legibly(make_run: MakeRun, kit: Any) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    voice.say(compiled("before\x00after\ud800"))
    mismatch = Mismatch("output", (0, 3), math.inf, math.nan, 0.0, 1, 15)
    voice.say(
        case(verdict=Verdict.WA, max_abs_error=math.nan, max_rel_error=math.inf, mismatch=mismatch)
    )
    assert run.compilation.output == "before\ufffdafter?"
    stored = run.cases.get()
    assert (stored.max_abs_error, stored.max_rel_error) == (None, math.inf)
    assert (stored.mismatch["got"], stored.mismatch["expected"]) == ("NaN", "Infinity")


@pytest.mark.parametrize(
    "index_and_median", [(-1, 1.0), (2**80, 1.0), (0, math.nan)], ids=["below zero", "huge", "NaN"]
)
def test_numbers_that_no_column_takes_are_refused(
    make_run: MakeRun, kit: Any, index_and_median: tuple[int, float]
) -> None:
    index, median = index_and_median
    voice = kit.Speaker(make_run())
    assert voice.say(WorkloadTimed(index, 1, kit.timing(ms=median))) is Outcome.REFUSED
    assert voice.say(WRONG) is Outcome.STORED
    assert refusals() == 1


def test_a_flood_of_output_is_cut(make_run: MakeRun, kit: Any) -> None:
    run = make_run()
    kit.Speaker(run).say(compiled("x" * 1_000_000))
    assert len(run.compilation.output) < 200_000
    assert "more characters were not kept" in run.compilation.output


def test_a_move_outside_the_table_is_a_mistake_of_ours(make_run: MakeRun) -> None:
    run = make_run()
    with pytest.raises(ForbiddenTransition):
        move(run, Status.TIMING)


def test_a_worker_says_so_and_is_listed(db: None, kit: SimpleNamespace) -> None:
    from datetime import UTC, datetime

    from judge.messages import WorkerReport
    from webapp.ops.models import Device, Worker
    from webapp.ops.reports import store_worker

    def report(state: str, second: int, device: str = "emulated") -> dict[str, Any]:
        return WorkerReport(
            worker="w1",
            device=device,
            state=state,
            sent_at=datetime(2026, 1, 1, 0, 0, second, tzinfo=UTC),
            environment=kit.environment(),
        ).to_wire()

    assert store_worker(report("ready", 1))
    assert Device.objects.get().live_workers == 1
    assert store_worker(report("draining", 3))
    assert not store_worker(report("busy", 2))  # overtaken on its way
    assert Worker.objects.get().state == "draining"
    assert Device.objects.get().live_workers == 0
    assert not store_worker(report("ready", 4, device="h200"))  # emulated times on a GPU's board
    assert not store_worker(report("ready", 4, device="../etc"))
    assert not store_worker({"worker": "w1"})
    assert refusals() == 3
