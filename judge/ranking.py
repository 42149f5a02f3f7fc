"""Who stands where on a board: ties, ranks and percentiles of Scores.

Standard library only, so that the site can rank without the judge's mathematics. It knows Scores
and keys, and must not know users, runs, problems or how a board is stored.

Rules (docs/decisions/ties-and-percentiles.md):

- Walk the board from the fastest. An entry shares the rank of its group's first when their 95 %
  intervals overlap or it is less than 1 % slower; otherwise it starts the next group.
- Standard competition ranking: 1, 2, 2, 4.
- Percentile: share of the *other* entries that it beats, ties counting half; alone: 100.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from judge.domain import Score

#: An entry less than this much slower than its group's first shares its rank.
TIE_GAP = 0.01


class Orderable(Protocol):
    """A key with a total order; it only decides the order among equal times."""

    def __lt__(self, other: Any, /) -> bool: ...


KeyT = TypeVar("KeyT", bound=Orderable)


@dataclass(frozen=True)
class RankedInput(Generic[KeyT]):
    """One competitor: a key (unique on the board) and its Score."""

    key: KeyT
    score: Score


@dataclass(frozen=True)
class Place:
    """A place on a board: ``tied`` counts the others that share ``rank``, 0 when it stands alone.

    ``percentile`` is between 0 and 100; higher is faster.
    """

    rank: int
    percentile: float
    tied: int


@dataclass(frozen=True)
class Standing(Generic[KeyT]):
    """One competitor's place. Fields as in ``Place``."""

    key: KeyT
    score: Score
    rank: int
    percentile: float
    tied: int


@dataclass(frozen=True)
class Rungs(Generic[KeyT]):
    """The steps of a ladder on either side of a time; None past its end.

    ``beaten`` is the fastest step that is slower and not tied, ``following`` the slowest step that
    is faster and not tied: the next one to beat.
    """

    beaten: KeyT | None
    following: KeyT | None


def rank(entries: Iterable[RankedInput[KeyT]]) -> list[Standing[KeyT]]:
    """Rank a board, fastest first; equal times in order of their keys.

    The result does not depend on the order of ``entries``. Raises ValueError for a Score that is
    no time (see ``check_score``) and for a key that appears twice.
    """
    board = sorted(entries, key=lambda entry: entry.key)
    for before, after in itertools.pairwise(board):
        if not before.key < after.key:
            raise ValueError(f"key {after.key!r} stands on the board twice")
    board.sort(key=lambda entry: entry.score.value_ms)  # stable: keys decide among equals
    places = _places([entry.score for entry in board])
    return [
        Standing(entry.key, entry.score, place.rank, place.percentile, place.tied)
        for entry, place in zip(board, places, strict=True)
    ]


def place_of(score: Score | float, board: Iterable[Score]) -> Place:
    """Where ``score`` (a bare number is a time in ms without an interval) would stand on ``board``.

    ``board`` holds the other entries: leave out the competitor's own one.
    """
    own = Score(score, score, score) if isinstance(score, int | float) else score
    ordered = sorted(board, key=_time)
    index = bisect.bisect_left(ordered, own.value_ms, key=_time)
    ordered.insert(index, own)
    return _places(ordered)[index]


def tied(first: Score, other: Score) -> bool:
    """Whether the two cannot be told apart: intervals overlap, or a gap under 1 %. Symmetric."""
    fast, slow = sorted((first, other), key=_time)
    overlap = first.ci_low_ms <= other.ci_high_ms and other.ci_low_ms <= first.ci_high_ms
    return overlap or slow.value_ms < fast.value_ms * (1.0 + TIE_GAP)


def rungs(score: Score, ladder: Iterable[RankedInput[KeyT]]) -> Rungs[KeyT]:
    """The step of ``ladder`` just beaten by ``score`` and the next one to beat."""
    apart = [step for step in rank(ladder) if not tied(score, step.score)]
    slower = [step for step in apart if step.score.value_ms > score.value_ms]
    faster = [step for step in apart if step.score.value_ms < score.value_ms]
    return Rungs(
        beaten=slower[0].key if slower else None,
        following=faster[-1].key if faster else None,
    )


def speedup(time_ms: float, baseline_ms: float) -> float:
    """How many times faster ``time_ms`` is than ``baseline_ms``; below 1 when it is slower."""
    for value in (time_ms, baseline_ms):
        if not (math.isfinite(value) and value > 0.0):
            raise ValueError(f"{value!r} is not a time in ms")
    return baseline_ms / time_ms


def check_score(score: Score) -> None:
    """Raise ValueError unless all three are finite, positive and low <= value <= high."""
    # Written so that NaN fails: every comparison with it is false.
    if not (0.0 < score.ci_low_ms <= score.value_ms <= score.ci_high_ms < math.inf):
        raise ValueError(
            f"{score} is not a score: it needs 0 < ci_low_ms <= value_ms <= ci_high_ms < infinity"
        )


def _time(score: Score) -> float:
    return score.value_ms


def _places(ordered: Sequence[Score]) -> list[Place]:
    """Places of Scores that are in order of their times."""
    for score in ordered:
        check_score(score)
    count = len(ordered)
    places: list[Place] = []
    start = 0
    while start < count:
        end = start + 1
        # Against the group's first, never the neighbour: chains of near ties would make a group
        # of entries that are far apart.
        while end < count and tied(ordered[start], ordered[end]):
            end += 1
        others_tied = end - start - 1
        slower = count - end
        percentile = 100.0
        if count > 1:
            percentile = 100.0 * (slower + others_tied / 2) / (count - 1)
        place = Place(rank=start + 1, percentile=percentile, tied=others_tied)
        places.extend(itertools.repeat(place, end - start))
        start = end
    return places
