"""Finds ``kernel<T><<<grid, block, shared, stream>>>(arguments)`` and makes it a call.

The pieces stay where they are and only what is between them changes, so lines keep their numbers:

    ::warpboard::emulation::launch("kernel", [&](auto&... warpboard_arguments) {
        kernel<T>(warpboard_arguments...); },
        ::warpboard::emulation::configuration(grid, block, shared, stream), arguments)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from judge.compiler.emulation.edits import Edit
from judge.compiler.emulation.tokens import Kind, Segment

#: Keywords that an expression may follow: they are no part of it.
_KEYWORDS = frozenset(
    {"if", "while", "for", "switch", "return", "else", "do", "case", "throw", "co_return", "sizeof"}
)

#: A template argument list longer than this is no template argument list.
_MOST_TEMPLATE_TOKENS = 4096

#: A kernel's expression longer than this is no name to call it by. Launches nest in each other's
#: kernels: names of full length would make the result grow with the square of the source.
_MOST_NAME_TOKENS = 64


@dataclass(frozen=True)
class Launch:
    """Token indices of one launch in its segment: ``kernel`` to just before ``opener`` is the
    kernel's expression, ``opener`` and ``closer`` are ``<<<`` and ``>>>``, then the parentheses."""

    kernel: int
    opener: int
    closer: int
    parenthesis: int
    last: int


def find_launches(segment: Segment) -> Iterator[Launch]:
    """Every complete launch of a segment; what only resembles one is left to the compiler."""
    tokens = segment.tokens
    for opener, token in enumerate(tokens):
        if token.text != "<<<":
            continue
        closer = _closer(segment, opener)
        if closer is None or closer + 1 >= len(tokens) or tokens[closer + 1].text != "(":
            continue
        last = segment.partners.get(closer + 1)
        kernel = _kernel_start(segment, opener)
        if last is None or kernel is None:
            continue
        yield Launch(kernel, opener, closer, closer + 1, last)


def rewrite_launch(source: str, segment: Segment, launch: Launch) -> Iterator[Edit]:
    """The edits that make ``launch`` a call."""
    tokens = segment.tokens
    start = tokens[launch.kernel].start
    yield Edit(
        start,
        start,
        f"::warpboard::emulation::launch({_name(segment, launch)}, "
        "[&](auto&... warpboard_arguments) { ",
    )
    opener, closer = tokens[launch.opener], tokens[launch.closer]
    yield Edit(
        opener.start,
        opener.end,
        "(warpboard_arguments...); }, ::warpboard::emulation::configuration(",
    )
    yield Edit(closer.start, closer.end, ")")
    parenthesis = tokens[launch.parenthesis]
    first = launch.parenthesis + 1
    separator = ", "
    if first == launch.last:
        separator = " "
    elif first + 1 == launch.last and tokens[first].text == "__VA_ARGS__":
        separator = "__VA_OPT__(,) "
    yield Edit(parenthesis.start, parenthesis.end, separator)
    yield from _null_arguments(segment, first, launch.last)


def _null_arguments(segment: Segment, first: int, last: int) -> Iterator[Edit]:
    """NULL as a whole argument: held in a variable it would no longer be a null pointer.

    What stands in brackets is no argument of this launch, and is stepped over.
    """
    tokens = segment.tokens
    index = first
    while index < last:
        token = tokens[index]
        if token.text == "NULL":
            before = tokens[index - 1].text if index > first else ","
            after = tokens[index + 1].text if index + 1 < last else ","
            if before == "," and after == ",":
                yield Edit(token.start, token.end, "nullptr")
        # Only an opener's partner is further on: a closer in here has none, or one behind it.
        index = max(index, segment.partners.get(index, index)) + 1


def _name(segment: Segment, launch: Launch) -> str:
    """The kernel's name as a string literal, or a macro parameter made one."""
    first = segment.tokens[launch.kernel].text
    if launch.kernel + 1 == launch.opener and first in segment.parameters:
        return f"#{first}"
    words: list[str] = []
    for index in range(launch.kernel, launch.opener):
        text = segment.tokens[index].text
        if text == "<":
            break
        if len(words) == _MOST_NAME_TOKENS:
            return '"kernel"'
        words.append(text)
    name = "".join(words)
    return f'"{name}"' if '"' not in name and "\\" not in name else '"kernel"'


def _closer(segment: Segment, opener: int) -> int | None:
    """The index of the ``>>>`` that closes a launch configuration."""
    index = opener + 1
    while index < len(segment.tokens):
        text = segment.tokens[index].text
        if text == ">>>":
            return index
        if text in (";", ")", "]", "}", "<<<"):
            return None
        if text in ("(", "[", "{"):
            partner = segment.partners.get(index)
            if partner is None:
                return None
            index = partner
        index += 1
    return None


def _kernel_start(segment: Segment, opener: int) -> int | None:
    """The index of the first token of the expression that a ``<<<`` follows."""
    start = _primary_start(segment, opener - 1)
    while start is not None and start > 0:
        before = segment.tokens[start - 1].text
        if before == "::" and not _may_own(segment, start - 2):
            return start - 1  # it names the global namespace
        if before in ("::", ".", "->"):
            start = _primary_start(segment, start - 2)
        elif before == "template":
            start -= 1
        else:
            break
    return start


def _may_own(segment: Segment, index: int) -> bool:
    """Whether the token before a ``::`` can be the end of the scope it looks into."""
    if index < 0:
        return False
    token = segment.tokens[index]
    is_name = token.kind is Kind.NAME and token.text not in _KEYWORDS
    return is_name or token.text in (">", ">>", ">>>")


def _primary_start(segment: Segment, last: int) -> int | None:
    """The first token of the name, template-id, parenthesis or subscript that ends at ``last``."""
    tokens = segment.tokens
    if last < 0:
        return None
    text = tokens[last].text
    if text in (")", "]"):
        partner = segment.partners.get(last)
        if partner is None:
            return None
        before = tokens[partner - 1] if partner > 0 else None
        if before is None or before.kind is not Kind.NAME:
            return partner if text == ")" else None
        if before.text in _KEYWORDS:
            return partner
        return partner - 1
    if text in (">", ">>", ">>>"):
        opening = _template_opening(segment, last)
        if opening is None or opening == 0:
            return None
        last = opening - 1
    if tokens[last].kind is not Kind.NAME or tokens[last].text == "operator":
        return None
    return last


def _template_opening(segment: Segment, closing: int) -> int | None:
    """The index of the ``<`` that the ``>`` at ``closing`` (part of it, for ``>>``) closes."""
    depth = 0
    index = closing
    while index > max(0, closing - _MOST_TEMPLATE_TOKENS):
        text = segment.tokens[index].text
        if text in (">", ">>", ">>>"):
            depth += len(text)
        elif text in ("<", "<<"):
            depth -= len(text)
            if depth <= 0:
                return index
        elif text in (")", "]", "}"):
            partner = segment.partners.get(index)
            if partner is None:
                return None
            index = partner
        elif text in (";", "{", "(", "[", "<<<"):
            return None
        index -= 1
    return None
