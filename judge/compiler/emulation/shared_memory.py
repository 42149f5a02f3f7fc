"""Shared-memory declarations that a macro alone cannot say in C++.

``__shared__`` is a macro for ``static thread_local`` (include/emulation/language.h). What is left:

- ``extern __shared__ T s[];`` becomes ``extern __thread T s[] WARPBOARD_DYNAMIC_SHARED;``, one name
  of the runtime's dynamic shared memory, whatever T is;
- ``static __shared__ T s[n];`` loses its own ``static``.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.compiler.emulation.edits import Edit
from judge.compiler.emulation.tokens import Kind, Segment

#: Names before a parenthesis that may stand among the specifiers of a declaration.
_ATTRIBUTES = frozenset({"__align__", "alignas", "__attribute__", "decltype"})

#: A declaration longer than this is none.
_MOST_TOKENS = 4096


def rewrite_shared_memory(segment: Segment) -> Iterator[Edit]:
    """The edits for every shared-memory declaration of a segment."""
    tokens = segment.tokens
    done = -1
    for index, token in enumerate(tokens):
        if token.text != "__shared__" or index <= done:
            continue
        first = _first_specifier(segment, index)
        last = _last_token(segment, index)
        done = last
        specifiers = range(first, _end_of_specifiers(segment, index, last))
        words = {tokens[i].text: i for i in specifiers}
        if (static := words.get("static")) is not None:
            yield Edit(tokens[static].start, tokens[static].end, "")
        for i in specifiers:
            if tokens[i].text == "alignas":
                yield Edit(tokens[i].start, tokens[i].end, "__align__")
        if (extern := words.get("extern")) is None:
            continue
        yield Edit(tokens[extern].start, tokens[extern].end, "extern __thread")
        yield Edit(token.start, token.end, "")
        for i in _declarator_ends(segment, index, last):
            end = tokens[i].end
            yield Edit(end, end, " WARPBOARD_DYNAMIC_SHARED")


def _first_specifier(segment: Segment, index: int) -> int:
    """The index of the first token of the declaration that ``index`` stands in."""
    tokens = segment.tokens
    while index > 0:
        before = tokens[index - 1]
        if before.kind is Kind.NAME:
            index -= 1
        elif before.text == ")":
            partner = segment.partners.get(index - 1)
            if not partner or tokens[partner - 1].text not in _ATTRIBUTES:
                break
            index = partner - 1
        else:
            break
    return index


def _last_token(segment: Segment, index: int) -> int:
    """The index of the last token before the declaration's semicolon."""
    limit = min(len(segment.tokens), index + _MOST_TOKENS)
    while index < limit:
        text = segment.tokens[index].text
        if text in (";", ")", "]", "}"):
            return index - 1
        if text in ("(", "[", "{"):
            index = segment.partners.get(index, index)
        index += 1
    return limit - 1


def _end_of_specifiers(segment: Segment, index: int, last: int) -> int:
    """Where the declarators begin: at the first bracket, ``=`` or comma."""
    tokens = segment.tokens
    while index <= last:
        text = tokens[index].text
        if text == "(" and tokens[index - 1].text in _ATTRIBUTES:
            index = segment.partners.get(index, index)
        elif text in ("[", "(", "{", "=", ","):
            break
        index += 1
    return index


def _declarator_ends(segment: Segment, index: int, last: int) -> Iterator[int]:
    """Indices of the last token of each declarator."""
    tokens = segment.tokens
    while index < last:
        text = tokens[index].text
        if text in ("(", "[", "{"):
            index = segment.partners.get(index, index)
        elif text == "," and tokens[index - 1].text == "]":
            yield index - 1
        index += 1
    yield last
