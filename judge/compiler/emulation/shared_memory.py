"""Shared-memory declarations that a macro alone cannot say in C++.

``__shared__`` is a macro for ``static thread_local`` (include/emulation/language.h). What is left:

- ``extern __shared__ T s[];`` in a function becomes ``T (&s)[] = WARPBOARD_DYNAMIC_SHARED(s);``, a
  reference to the runtime's dynamic shared memory, whatever T is;
- outside of functions it becomes ``extern __thread T s[] WARPBOARD_DYNAMIC_SHARED_NAME;``, another
  name for the same (which g++ forgets in templates, or it would do for both);
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
    scopes: list[bool] = []  # whether each open brace leaves us outside of functions
    done = -1
    for index, token in enumerate(tokens):
        if token.text == "{":
            scopes.append(_opens_namespace(segment, index))
        elif token.text == "}" and scopes:
            scopes.pop()
        if token.text != "__shared__" or index <= done:
            continue
        first = _first_specifier(segment, index)
        done = _last_token(segment, index)
        declarators = _end_of_specifiers(segment, index, done)
        words = {tokens[i].text: i for i in range(first, declarators)}
        if (static := words.get("static")) is not None:
            yield Edit(tokens[static].start, tokens[static].end, "")
        for i in range(first, declarators):
            if tokens[i].text == "alignas":
                yield Edit(tokens[i].start, tokens[i].end, "__align__")
        if (extern := words.get("extern")) is None:
            continue
        in_function = not segment.is_code or not all(scopes)
        yield Edit(token.start, token.end, "")
        replacement = "" if in_function else "extern __thread"
        yield Edit(tokens[extern].start, tokens[extern].end, replacement)
        for name, last in _declarators(segment, declarators, done):
            end = tokens[last].end
            if in_function:
                yield Edit(tokens[name].start, tokens[name].start, "(&")
                yield Edit(tokens[name].end, tokens[name].end, ")")
                variable = tokens[name].text
                yield Edit(end, end, f" = WARPBOARD_DYNAMIC_SHARED({variable})")
            else:
                yield Edit(end, end, " WARPBOARD_DYNAMIC_SHARED_NAME")


def _opens_namespace(segment: Segment, brace: int) -> bool:
    """Whether a brace opens ``namespace a::b {`` or ``extern "C" {``."""
    tokens = segment.tokens
    if brace >= 2 and tokens[brace - 2].text == "extern" and tokens[brace - 1].text == '"C"':
        return True
    index = brace - 1
    while index >= 0 and (tokens[index].kind is Kind.NAME or tokens[index].text == "::"):
        if tokens[index].text == "namespace":
            return True
        index -= 1
    return False


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
    """Where the declarators begin: at the first bracket or ``=``."""
    tokens = segment.tokens
    while index <= last:
        text = tokens[index].text
        if text == "(" and tokens[index - 1].text in _ATTRIBUTES:
            index = segment.partners.get(index, index)
        elif text in ("[", "(", "{", "="):
            break
        index += 1
    return index


def _declarators(segment: Segment, index: int, last: int) -> Iterator[tuple[int, int]]:
    """The name and the last token of each declarator; the first one's name is before ``index``."""
    tokens = segment.tokens
    name = index - 1
    while index <= last:
        text = tokens[index].text
        if text in ("(", "[", "{"):
            index = segment.partners.get(index, index)
        elif text == "," and tokens[index - 1].text == "]":
            yield name, index - 1
            name = index + 1
            while name < last and tokens[name].kind is not Kind.NAME:
                name += 1
        index += 1
    if tokens[name].kind is Kind.NAME:
        yield name, last
