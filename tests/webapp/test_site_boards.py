"""A board lists each competitor's best valid Run, ranked, and mixes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from judge.domain import Verdict
from judge.events import Finished
from webapp.leaderboards.boards import Row, read_board
from webapp.leaderboards.entries import refresh_entry
from webapp.ops.models import Device
from webapp.problems.models import ProblemVersion
from webapp.submissions.models import Run

pytestmark = pytest.mark.django_db

MakeRun = Callable[..., Any]


@pytest.fixture
def rows(version: Any, device: Any) -> Callable[[], list[Row]]:
    return lambda: list(read_board(version, device).rows)


def test_a_better_run_replaces_the_entry_and_a_worse_one_does_not(
    make_run: MakeRun, rows: Callable[[], list[Row]], kit: Any
) -> None:
    for ms, best in ((4.0, 4.0), (2.0, 2.0), (3.0, 2.0)):
        kit.judge_accepted(make_run(), ms)
        assert [row.median_ms for row in rows()] == [best]


def test_a_run_that_is_not_accepted_makes_no_entry(
    make_run: MakeRun, rows: Callable[[], list[Row]], kit: Any
) -> None:
    kit.Speaker(make_run()).say(Finished(Verdict.TNC, "The clocks disagree."))
    assert rows() == []


def test_when_the_best_run_stops_being_valid_the_next_best_counts(
    make_run: MakeRun, rows: Callable[[], list[Row]], kit: Any
) -> None:
    good, best = make_run(), make_run()
    kit.judge_accepted(good, 4.0)
    kit.judge_accepted(best, 2.0)
    Run.objects.filter(pk=best.pk).update(verdict="TNC")
    refresh_entry(best)
    assert [row.run_id for row in rows()] == [good.pk]


def test_overlapping_intervals_share_a_rank(
    make_run: MakeRun, bob: Any, staff: Any, rows: Callable[[], list[Row]], kit: Any
) -> None:
    kit.judge_accepted(make_run(), 1.00, spread=0.05)
    kit.judge_accepted(make_run(owner=bob), 1.04, spread=0.05)
    kit.judge_accepted(make_run(owner=staff), 2.0)
    assert [(row.name, row.rank, row.tied, row.percentile) for row in rows()] == [
        ("alice", 1, 1, 75.0),
        ("bob", 1, 1, 75.0),
        ("staff", 3, 0, 0.0),
    ]


def test_a_reference_is_one_competitor_whoever_submits_it(
    make_run: MakeRun, bob: Any, rows: Callable[[], list[Row]], kit: Any
) -> None:
    kit.judge_accepted(make_run(reference="v01_naive"), 4.0)
    kit.judge_accepted(make_run(owner=bob, reference="v01_naive"), 3.0)
    kit.judge_accepted(make_run(reference="v02_tiled"), 2.0)
    assert [(row.name, row.median_ms, row.owner_id) for row in rows()] == [
        ("v02_tiled", 2.0, None),
        ("v01_naive", 3.0, None),
    ]


def test_speed_up_is_over_the_naive_step_or_else_the_slowest_reference(
    make_run: MakeRun, rows: Callable[[], list[Row]], kit: Any
) -> None:
    kit.judge_accepted(make_run(), 1.0)
    assert [row.speedup for row in rows()] == [None]
    kit.judge_accepted(make_run(reference="v02_tiled"), 8.0)
    assert [row.speedup for row in rows()] == [8.0, 1.0]
    kit.judge_accepted(make_run(reference="v01_naive"), 4.0)
    assert [row.speedup for row in rows()] == [4.0, 1.0, 0.5]


def test_a_baseline_is_shown_by_its_time_and_not_counted(
    make_run: MakeRun, make_baseline: MakeRun, rows: Callable[[], list[Row]], kit: Any
) -> None:
    kit.judge_accepted(make_run(), 4.0)
    kit.judge_accepted(make_baseline(), 2.0)
    assert [(row.name, row.rank, row.percentile) for row in rows()] == [
        ("torch 2.13.0 on the CPU", None, None),
        ("alice", 1, 100.0),
    ]


def test_a_reference_that_was_never_accepted_is_listed_last_with_its_verdict(
    make_run: MakeRun, rows: Callable[[], list[Row]], kit: Any
) -> None:
    kit.judge_accepted(make_run(), 1.0)
    kit.Speaker(make_run(reference="v09_tma")).say(Finished(Verdict.UNS, "Needs TMA."))
    assert [(row.name, row.verdict, row.rank, row.median_ms) for row in rows()] == [
        ("alice", "AC", 1, 1.0),
        ("v09_tma", "UNS", None, None),
    ]


def test_versions_and_devices_have_boards_of_their_own(
    make_run: MakeRun, version: Any, device: Any, kit: Any
) -> None:
    kit.judge_accepted(make_run(), 1.0)
    h200 = Device.objects.create(name="h200", kind="cuda")
    assert read_board(version, h200).rows == ()
    other = ProblemVersion.objects.get(pk=version.pk)
    other.pk, other.digest = None, "1" * 64
    other.save()
    assert read_board(other, device).rows == ()


def test_the_page_says_what_kind_of_time_it_shows(make_run: MakeRun, kit: Any) -> None:
    page = Client().get("/boards/transpose/emulated/").content.decode()
    assert "Nobody is on this board yet" in page
    kit.judge_accepted(make_run(reference="v01_naive"), 8.0)
    kit.judge_accepted(make_run(), 2.0)
    page = Client().get("/boards/transpose/emulated/").content.decode()
    assert page.count("emulated, not a GPU time") > 2
    for text in ("alice", "v01_naive", "4.00×", "2.000", "0.10", "1.998 to 2.002"):
        assert text in page
