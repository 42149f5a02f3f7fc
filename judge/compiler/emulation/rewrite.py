"""CUDA C++ to host C++: what g++ cannot be taught by headers alone.

Launches become calls, dynamic shared memory gets its storage, and what the device cannot do is
marked. Lines keep their numbers; nothing is parsed, so that whatever is wrong with a source is the
compiler's to say. Any text can be rewritten: there is no error to raise.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from judge.compiler.emulation import refusals
from judge.compiler.emulation.edits import Edit, apply
from judge.compiler.emulation.launches import find_launches, rewrite_launch
from judge.compiler.emulation.refusals import Refusal
from judge.compiler.emulation.shared_memory import rewrite_shared_memory
from judge.compiler.emulation.tokens import Segment, cut


@dataclass(frozen=True)
class Unsupported:
    """A construct the device cannot run, should it survive the preprocessor."""

    feature: str
    line: int


@dataclass(frozen=True)
class Rewritten:
    """Host C++ with the source's own lines.

    ``unsupported`` names what was marked with an error directive; ``shifted_lines`` are the lines
    whose columns are no longer the user's.
    """

    text: str
    unsupported: tuple[Unsupported, ...]
    shifted_lines: frozenset[int]


def rewrite(source: str) -> Rewritten:
    """Rewrites ``source``; see the module's docstring."""
    pieces = cut(source)
    edits: list[Edit] = []
    found: list[Refusal] = []
    for include in pieces.includes:
        feature = refusals.refused_include(include)
        if feature is not None:
            edits.append(refusals.mark_include(source, include, feature))
            found.append(Refusal(feature, include.start))
    for segment in pieces.segments:
        refused = [*refusals.refused_names(segment), *_launches_in_device_code(segment)]
        edits.extend(refusals.mark(refusal) for refusal in refused)
        found.extend(refused)
        for launch in find_launches(segment):
            edits.extend(rewrite_launch(source, segment, launch))
        edits.extend(rewrite_shared_memory(segment))
    line_starts = _line_starts(source)
    found.sort(key=lambda refusal: refusal.start)
    return Rewritten(
        text=apply(source, edits),
        unsupported=tuple(
            Unsupported(refusal.feature, bisect_right(line_starts, refusal.start))
            for refusal in found
        ),
        shifted_lines=frozenset(bisect_right(line_starts, edit.start) for edit in edits),
    )


def _launches_in_device_code(segment: Segment) -> Iterator[Refusal]:
    """Launches whose nearest function is for the device only."""
    launches = {launch.opener: launch for launch in find_launches(segment)}
    if not launches:
        return
    enclosing: list[bool] = []  # whether each open brace belongs to device code
    qualifiers: set[str] = set()
    for index, token in enumerate(segment.tokens):
        text = token.text
        if text in ("__global__", "__device__", "__host__"):
            qualifiers.add(text)
        elif text == "{":
            device = (
                bool(qualifiers & {"__global__", "__device__"}) and "__host__" not in qualifiers
            )
            enclosing.append(device or (not qualifiers and bool(enclosing) and enclosing[-1]))
            qualifiers.clear()
        elif text == "}":
            if enclosing:
                enclosing.pop()
            qualifiers.clear()
        elif text == ";":
            qualifiers.clear()
        elif index in launches and enclosing and enclosing[-1]:
            start = segment.tokens[launches[index].kernel].start
            yield Refusal(refusals.DYNAMIC_PARALLELISM, start)
            return


def _line_starts(source: str) -> list[int]:
    starts = [0]
    position = source.find("\n")
    while position >= 0:
        starts.append(position + 1)
        position = source.find("\n", position + 1)
    return starts
