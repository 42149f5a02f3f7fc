"""What a Run's page works out: stages, occupancy, listings, differences, words about clocks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from judge.domain import Status, Verdict
from judge.events import Finished, StageEntered
from webapp.charts.samples import samples
from webapp.submissions.diffing import MAX_LINES, Change, TooLarge, diff
from webapp.submissions.listing import MAX_LISTED_LINES, listing
from webapp.submissions.models import StoredEvent
from webapp.submissions.occupancy import multiprocessor, occupancy
from webapp.submissions.stages import Reach, stages_of
from webapp.submissions.wording import MEANINGS, clocks

MakeRun = Callable[..., Any]


# Occupancy: figures of NVIDIA's own calculator.


@pytest.mark.parametrize(
    ("flag", "registers", "shared", "threads", "percent", "limiter"),
    [
        ("-arch=sm_90", 32, 0, 256, 100.0, ""),
        ("-arch=sm_90a", 255, 0, 256, 12.5, "registers"),
        ("-arch=sm_80", 128, 0, 256, 25.0, "registers"),
        ("-arch=sm_80", 32, 48 * 1024, 256, 37.5, "shared memory"),
        ("-arch=sm_75", 64, 0, 1024, 100.0, ""),
        ("-arch=sm_86", 32, 0, 1024, 100 * 32 / 48, "warps"),
        ("-arch=sm_86", 16, 0, 32, 100 * 16 / 48, "blocks"),
        ("-gencode=arch=compute_80,code=sm_80", 255, 0, 512, 0.0, "registers"),
    ],
)
def test_occupancy_is_that_of_nvidias_calculator(
    flag: str, registers: int, shared: int, threads: int, percent: float, limiter: str
) -> None:
    known = multiprocessor(["-O3", flag])
    assert known is not None
    found = occupancy(known[1], registers, shared, threads)
    if percent:
        assert found.percent == pytest.approx(percent)
    else:
        assert found.blocks in (0, 1), "one such block fits at most"
    if percent:
        assert found.limited_by == limiter


def test_a_block_that_cannot_be_launched_has_no_occupancy() -> None:
    known = multiprocessor(["-arch=sm_80"])
    assert known is not None
    assert occupancy(known[1], 128, 0, 1024).blocks == 0


@given(st.integers(0, 255), st.integers(0, 48 * 1024), st.sampled_from([32, 128, 256, 512, 1024]))
def test_occupancy_never_exceeds_what_there_is(registers: int, shared: int, threads: int) -> None:
    for architecture in ("sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_120"):
        known = multiprocessor([f"-arch={architecture}"])
        assert known is not None
        found = occupancy(known[1], registers, shared, threads)
        assert 0 <= found.percent <= 100


def test_an_unknown_architecture_has_no_occupancy() -> None:
    assert multiprocessor(["-arch=sm_999"]) is None
    assert multiprocessor(["-O3", "-msm_a"]) is None
    assert multiprocessor([]) is None


# Differences


def test_a_difference_shows_changes_with_their_line_numbers() -> None:
    old = "a\nb\nc\nd\ne\nf\ng\nh\ni\n"
    found = diff(old, old.replace("h\n", "H\nH2\n"))
    (hunk,) = found.hunks
    assert (found.removed, found.added) == (1, 2)
    assert [(line.change, line.old, line.new, line.text) for line in hunk] == [
        (Change.SAME, 5, 5, "e"),
        (Change.SAME, 6, 6, "f"),
        (Change.SAME, 7, 7, "g"),
        (Change.REMOVED, 8, None, "h"),
        (Change.ADDED, None, 8, "H"),
        (Change.ADDED, None, 9, "H2"),
        (Change.SAME, 9, 10, "i"),
    ]


def test_equal_sources_have_no_difference_and_long_ones_are_not_compared() -> None:
    assert diff("a\nb\n", "a\nb\n").is_empty
    with pytest.raises(TooLarge):
        diff("x\n" * (MAX_LINES + 1), "x\n")


@given(
    st.lists(st.sampled_from("ab\t<"), max_size=30), st.lists(st.sampled_from("ab<"), max_size=30)
)
def test_a_difference_holds_every_changed_line_once(old: list[str], new: list[str]) -> None:
    found = diff("\n".join(old), "\n".join(new))
    lines = [line for hunk in found.hunks for line in hunk]
    removed = [line.text for line in lines if line.change is Change.REMOVED]
    added = [line.text for line in lines if line.change is Change.ADDED]
    assert len(removed) - len(added) == len("\n".join(old).splitlines()) - len(
        "\n".join(new).splitlines()
    )


# Listings


def test_a_listing_marks_lines_by_the_worst_that_was_said() -> None:
    said = [
        {"severity": "warning", "line": 2, "message": "unused"},
        {"severity": "error", "line": 2, "message": "undeclared"},
        {"severity": "warning", "line": 3, "message": "unused"},
        {"severity": "error", "line": None, "message": "no place"},
    ]
    found = listing("one\ntwo\nthree\n", said)
    assert [(line.number, line.severity) for line in found.lines] == [
        (1, ""),
        (2, "error"),
        (3, "warning"),
    ]


def test_a_long_listing_is_cut_and_says_by_how_much() -> None:
    found = listing("x\n" * (MAX_LISTED_LINES + 7))
    assert (len(found.lines), found.left_out) == (MAX_LISTED_LINES, 7)


# Stages


@pytest.mark.django_db
def test_stages_tell_how_long_each_took(make_run: MakeRun, kit: Any) -> None:
    start = timezone.now() - timedelta(minutes=10)
    run = make_run(queued_at=start)
    voice = kit.Speaker(run)
    for status in (Status.COMPILING, Status.CHECKING):
        voice.say(StageEntered(status, total=1))
    for sequence, after in ((0, 60), (1, 63)):
        StoredEvent.objects.filter(sequence=sequence).update(
            received_at=start + timedelta(seconds=after)
        )
    run.refresh_from_db()
    spans = {span.status: span for span in stages_of(run, start + timedelta(seconds=70))}
    assert spans[Status.QUEUED].seconds == pytest.approx(60)
    assert spans[Status.COMPILING].seconds == pytest.approx(3)
    assert spans[Status.CHECKING].seconds == pytest.approx(7)
    assert spans[Status.CHECKING].is_running
    assert spans[Status.TIMING].reach is Reach.AHEAD
    assert spans[Status.TIMING].seconds is None


@pytest.mark.django_db
def test_a_run_that_ended_early_missed_the_stages_after(make_run: MakeRun, kit: Any) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    voice.say(StageEntered(Status.COMPILING))
    voice.say(Finished(Verdict.CE, "no"))
    run.refresh_from_db()
    reaches = [span.reach for span in stages_of(run, timezone.now())]
    assert reaches == [Reach.PAST, Reach.PAST, Reach.MISSED, Reach.MISSED, Reach.NOW]


# Words


def test_every_verdict_has_a_meaning() -> None:
    assert set(MEANINGS) == set(Verdict)


def test_clocks_are_explained_with_their_figures() -> None:
    single = SimpleNamespace(basis="E", e_us=1234.5, t_us=None, f_residual_us=6.0)
    reported, independent = clocks(single)  # type: ignore[arg-type]  # what it reads of a timing
    assert "reported is E = 1234 µs" in reported
    assert "around the call" in independent
    assert "6 µs beyond E and an empty call's F₀, 0.49 % of E" in independent


def test_clocks_of_batches_are_explained_as_such() -> None:
    doubted = SimpleNamespace(basis="T", e_us=8.0, t_us=6.51, f_residual_us=-0.3)
    reported, independent = clocks(doubted)  # type: ignore[arg-type]
    assert "reported is T = 6.51 µs a call" in reported
    assert "a whole batch" in independent
    assert "−0.3 µs" in independent
    borne_out = SimpleNamespace(basis="E", e_us=8.0, t_us=7.9, f_residual_us=40.0)
    reported, independent = clocks(borne_out)  # type: ignore[arg-type]
    assert "reported is E = 8 µs" in reported
    assert "borne out by T = 7.9 µs" in reported
    assert "% of E" not in independent, "a batch's residual is not one call's"


# The picture of samples


def test_samples_are_drawn_with_their_figures_in_words() -> None:
    svg = samples(
        "s",
        1040,
        [[1.0, 1.01, 1.02], [1.5]],
        title='<b>"x"',
        median=1.01,
        interval=(1.0, 1.02),
    )
    assert "4 samples of 2 processes from 1 to 1.5 ms" in svg
    assert "&lt;b&gt;" in svg
    assert svg.count("process ") >= 2
    assert "style=" not in svg


@given(
    st.lists(
        st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=20),
        min_size=1,
        max_size=4,
    )
)
def test_any_samples_can_be_drawn(processes: list[list[float]]) -> None:
    low = min(map(min, processes))
    assert "nan" not in samples("s", 328, processes, title="t", median=low, interval=(low, low))
