"""Who stands where: ties, ranks, percentiles."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.domain import Score
from judge.ranking import (
    Place,
    RankedInput,
    Rungs,
    check_score,
    place_of,
    rank,
    rungs,
    speedup,
    tied,
)


def exactly(time_ms: float) -> Score:
    return Score(time_ms, time_ms, time_ms)


def within(time_ms: float, fraction: float) -> Score:
    return Score(time_ms, time_ms * (1 - fraction), time_ms * (1 + fraction))


def board(*scores: Score) -> list[RankedInput[int]]:
    return [RankedInput(key, score) for key, score in enumerate(scores)]


times = st.floats(min_value=1e-4, max_value=1e4)
#: Times near each other, so that ties and chains of ties are common.
close_times = st.floats(min_value=1.0, max_value=1.2)
wide_scores = st.builds(
    lambda value, below, above: Score(value, value * (1 - below), value * (1 + above)),
    st.one_of(times, close_times),
    st.floats(min_value=0.0, max_value=0.5),
    st.floats(min_value=0.0, max_value=0.5),
)
boards = st.lists(wide_scores, max_size=30)


def test_an_empty_board_ranks_nobody() -> None:
    assert rank(board()) == []


def test_alone_on_a_board_is_rank_one_and_percentile_100() -> None:
    (only,) = rank(board(exactly(3.0)))
    assert (only.rank, only.percentile, only.tied) == (1, 100.0, 0)


def test_ranks_follow_the_standard_competition_ranking() -> None:
    standings = rank(board(exactly(1.0), exactly(2.0), exactly(2.01), exactly(3.0)))
    assert [s.rank for s in standings] == [1, 2, 2, 4]
    assert [s.tied for s in standings] == [0, 1, 1, 0]
    assert [s.percentile for s in standings] == pytest.approx([100.0, 50.0, 50.0, 0.0])


def test_equal_times_share_a_rank_and_stand_in_order_of_their_keys() -> None:
    standings = rank([RankedInput("b", exactly(1.0)), RankedInput("a", exactly(1.0))])
    assert [(s.key, s.rank, s.percentile) for s in standings] == [("a", 1, 50.0), ("b", 1, 50.0)]


def test_overlapping_intervals_tie_even_when_the_gap_is_large() -> None:
    standings = rank(board(within(1.0, 0.03), within(1.05, 0.03)))
    assert [s.rank for s in standings] == [1, 1]


def test_a_gap_of_one_percent_is_no_tie() -> None:
    assert not tied(exactly(100.0), exactly(101.0))
    assert tied(exactly(100.0), exactly(100.99))


def test_a_chain_of_near_ties_does_not_tie_its_ends() -> None:
    standings = rank(board(exactly(1.0), exactly(1.008), exactly(1.016), exactly(1.024)))
    assert [s.rank for s in standings] == [1, 1, 3, 3]


def test_a_key_may_stand_on_a_board_only_once() -> None:
    with pytest.raises(ValueError, match="twice"):
        rank([RankedInput("a", exactly(1.0)), RankedInput("a", exactly(2.0))])


@pytest.mark.parametrize(
    "score",
    [
        exactly(math.nan),
        exactly(math.inf),
        exactly(0.0),
        exactly(-0.0),
        exactly(-1.0),
        Score(1.0, math.nan, 1.0),
        Score(1.0, 1.0, math.nan),
        Score(1.0, 0.9, math.inf),
        Score(1.0, 1.1, 1.2),
        Score(1.0, 0.8, 0.9),
    ],
)
def test_what_is_no_time_is_never_ranked(score: Score) -> None:
    with pytest.raises(ValueError, match="is not a score"):
        check_score(score)
    with pytest.raises(ValueError, match="is not a score"):
        rank(board(exactly(1.0), score))
    with pytest.raises(ValueError, match="is not a score"):
        place_of(1.0, [score])


@given(boards)
def test_percentiles_lie_between_0_and_100(scores: list[Score]) -> None:
    assert all(0.0 <= s.percentile <= 100.0 for s in rank(board(*scores)))


@given(boards, st.randoms(use_true_random=False))
def test_the_order_of_entries_does_not_matter(scores: list[Score], shuffler: random.Random) -> None:
    entries = board(*scores)
    shuffled = list(entries)
    shuffler.shuffle(shuffled)
    assert rank(shuffled) == rank(entries)


@given(boards)
def test_those_who_share_a_rank_share_everything_but_time(scores: list[Score]) -> None:
    standings = rank(board(*scores))
    for standing in standings:
        group = [s for s in standings if s.rank == standing.rank]
        assert len(group) == standing.tied + 1
        assert {s.percentile for s in group} == {standing.percentile}
        assert all(tied(group[0].score, s.score) for s in group)


@given(boards)
def test_a_rank_is_one_more_than_the_number_of_better_ranked(scores: list[Score]) -> None:
    standings = rank(board(*scores))
    assert all(s.rank == 1 + sum(o.rank < s.rank for o in standings) for s in standings)


@given(boards)
def test_a_faster_entry_never_has_a_lower_percentile_than_a_slower_one(
    scores: list[Score],
) -> None:
    percentiles = [s.percentile for s in rank(board(*scores))]
    assert percentiles == sorted(percentiles, reverse=True)


@given(boards)
def test_percentiles_average_to_one_half(scores: list[Score]) -> None:
    standings = rank(board(*scores))
    if len(standings) > 1:
        assert sum(s.percentile for s in standings) / len(standings) == pytest.approx(50.0)


@given(
    st.lists(st.one_of(times, close_times), max_size=20),
    st.one_of(times, close_times),
    st.floats(min_value=0.01, max_value=1.0),
    st.floats(min_value=0.0, max_value=0.05),
)
def test_getting_faster_never_lowers_a_percentile(
    others: list[float], before: float, factor: float, precision: float
) -> None:
    """For times known equally well; docs/decisions/ties-and-percentiles.md has the exception."""
    # Intervals of one relative width, as stopping at a fixed precision gives them.
    rivals = [Score(t, t / (1 + precision), t * (1 + precision)) for t in others]

    def at(time: float) -> Place:
        return place_of(Score(time, time / (1 + precision), time * (1 + precision)), rivals)

    assert at(before * factor).percentile >= at(before).percentile


@given(boards, wide_scores, st.floats(min_value=0.01, max_value=1.0))
def test_getting_faster_never_worsens_a_rank(
    rivals: list[Score], before: Score, factor: float
) -> None:
    after = Score(
        before.value_ms * factor,
        min(before.ci_low_ms, before.value_ms) * factor,
        max(before.ci_high_ms, before.value_ms) * factor,
    )
    assert place_of(after, rivals).rank <= place_of(before, rivals).rank


@given(boards, st.integers(min_value=-20, max_value=20))
def test_the_unit_of_time_does_not_matter(scores: list[Score], exponent: int) -> None:
    # Powers of two scale floats without rounding, so that no tie at the very edge can flip.
    scale = 2.0**exponent
    scaled = [Score(s.value_ms * scale, s.ci_low_ms * scale, s.ci_high_ms * scale) for s in scores]
    original = [(s.key, s.rank, s.percentile) for s in rank(board(*scores))]
    assert [(s.key, s.rank, s.percentile) for s in rank(board(*scaled))] == original


@given(wide_scores, wide_scores)
def test_a_tie_is_symmetric_and_with_oneself(one: Score, other: Score) -> None:
    assert tied(one, other) == tied(other, one)
    assert tied(one, one)


@given(st.lists(times, unique=True, max_size=20), times)
def test_a_place_is_what_ranking_the_whole_board_gives(others: list[float], own: float) -> None:
    rivals = [exactly(t) for t in others]
    (standing,) = (s for s in rank(board(exactly(own), *rivals)) if s.key == 0)
    expected = Place(standing.rank, standing.percentile, standing.tied)
    assert place_of(own, rivals) == expected
    assert place_of(exactly(own), rivals) == expected


def test_the_rungs_are_the_steps_just_beaten_and_next_to_beat() -> None:
    ladder = [
        RankedInput("v01", exactly(8.0)),
        RankedInput("v02", exactly(4.0)),
        RankedInput("v03", exactly(2.0)),
        RankedInput("v04", exactly(1.0)),
    ]
    assert rungs(exactly(3.0), ladder) == Rungs(beaten="v02", following="v03")
    assert rungs(exactly(2.001), ladder) == Rungs(beaten="v02", following="v04")
    assert rungs(exactly(0.5), ladder) == Rungs(beaten="v04", following=None)
    assert rungs(exactly(9.0), ladder) == Rungs(beaten=None, following="v01")
    empty: list[RankedInput[str]] = []
    assert rungs(exactly(1.0), empty) == Rungs(None, None)


def test_a_speedup_is_a_ratio_of_times() -> None:
    assert speedup(2.0, 8.0) == 4.0
    for bad in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="not a time"):
            speedup(bad, 1.0)
        with pytest.raises(ValueError, match="not a time"):
            speedup(1.0, bad)
