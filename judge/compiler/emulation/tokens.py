"""Cuts CUDA C++ into tokens: just enough of the language to rewrite it without parsing it.

Works on any text whatever, in linear time and without recursion: an unterminated comment or
string is one token to the end, a stray character is a token of its own. Macro bodies are token
sequences like any other, which is why the rewriter needs no parse tree (and a source that does
not parse still gets the compiler's own message).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto


class Kind(Enum):
    """What a token is; comments and white space are dropped."""

    NAME = auto()
    LITERAL = auto()
    PUNCTUATION = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A token and where it stands: ``source[start:end] == text``."""

    kind: Kind
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Segment:
    """Tokens that belong together: the code outside all directives, or one macro's body.

    ``parameters`` are the macro's own, and empty for code. ``partners`` maps the index of each
    matched bracket to its partner's.
    """

    tokens: Sequence[Token]
    is_code: bool = False
    parameters: frozenset[str] = frozenset()
    partners: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Include:
    """An ``#include`` directive: the header named, and the directive's extent in the source."""

    header: str
    start: int
    end: int


@dataclass(frozen=True)
class Cut:
    """A source cut up."""

    segments: tuple[Segment, ...]
    includes: tuple[Include, ...]


# Each alternative that may run to the end of the text consumes it there, so that no text makes
# the same characters be scanned twice.
_TOKEN = re.compile(
    r"""
      (?P<space> (?: \s | \\\r?\n )+ )
    | (?P<comment> // (?: \\\r?\n | [^\n] )* | /\* (?: .*?\*/ | .* ) )
    | (?P<raw> (?: u8 | [uUL] )? R"(?P<delimiter>[^()\\\s]{0,16})\(
              (?: .*?\)(?P=delimiter)" | .* ) )
    | (?P<string> (?: u8 | [uUL] )? (?: "(?: \\. | [^"\\\n] )*"? | '(?: \\. | [^'\\\n] )*'? ) )
    | (?P<number> \.?\d (?: [eEpP][+-] | '?[\w.] )* )
    | (?P<name> [^\W\d]\w* )
    | (?P<punctuation> <<< | >>> | <<= | >>= | << | >> | <= | >= | -> | :: | . )
    """,
    re.VERBOSE | re.DOTALL,
)

_DIRECTIVE = re.compile(r"[ \t]*\#[ \t]*(?P<name>\w*)")
_INCLUDE = re.compile(r'\s*(?:<([^>\n]*)>|"([^"\n]*)")')
_DEFINE = re.compile(r"(?:\s|\\\r?\n)*(\w+)(\()?")

_CLOSERS = {")": "(", "]": "[", "}": "{"}


def cut(source: str) -> Cut:
    """Cuts ``source`` into its code, its macro bodies and its includes."""
    code: list[Token] = []
    segments: list[Segment] = []
    includes: list[Include] = []
    position = 0
    at_line_start = True
    while position < len(source):
        if at_line_start and (directive := _DIRECTIVE.match(source, position)):
            end = _directive_end(source, directive.end())
            if directive["name"] == "define":
                segments.append(_macro(source, directive.end(), end))
            elif directive["name"] in ("include", "include_next", "import"):
                header = _INCLUDE.match(source, directive.end(), end)
                if header is not None:
                    includes.append(Include(header[1] or header[2] or "", directive.start(), end))
            position = end
            continue
        match = _TOKEN.match(source, position)
        assert match is not None  # the last alternative takes any character
        position = match.end()
        if match["space"] is not None or match["comment"] is not None:
            at_line_start = at_line_start or "\n" in match[0]
            continue
        at_line_start = False
        code.append(_token(match))
    segments.insert(0, _segment(code, is_code=True))
    return Cut(tuple(segments), tuple(includes))


def _token(match: re.Match[str]) -> Token:
    if match["name"] is not None:
        kind = Kind.NAME
    elif match["punctuation"] is not None:
        kind = Kind.PUNCTUATION
    else:
        kind = Kind.LITERAL
    return Token(kind, match[0], match.start(), match.end())


def _tokens(source: str, start: int, end: int) -> Iterator[Token]:
    while start < end:
        match = _TOKEN.match(source, start, end)
        assert match is not None
        start = match.end()
        if match["space"] is None and match["comment"] is None:
            yield _token(match)


def _directive_end(source: str, position: int) -> int:
    """The end of the directive's last line: splices and block comments carry it on."""
    while position < len(source):
        match = _TOKEN.match(source, position)
        assert match is not None
        if match["space"] is not None:
            # up to the first line break that no backslash splices
            for index in range(match.start(), match.end()):
                if source[index] == "\n" and source[index - 1] != "\\":
                    if source[index - 2 : index] == "\\\r":
                        continue
                    return index
        position = match.end()
    return len(source)


def _macro(source: str, start: int, end: int) -> Segment:
    head = _DEFINE.match(source, start, end)
    if head is None:
        return Segment(())
    if head[2] is None:
        return _segment(list(_tokens(source, head.end(), end)))
    close = source.find(")", head.end(), end)
    if close < 0:
        return Segment(())
    parameters = frozenset(re.findall(r"\w+", source[head.end() : close]))
    return _segment(list(_tokens(source, close + 1, end)), parameters)


def _segment(
    tokens: list[Token], parameters: frozenset[str] = frozenset(), is_code: bool = False
) -> Segment:
    partners: dict[int, int] = {}
    open_brackets: list[tuple[str, int]] = []
    for index, token in enumerate(tokens):
        if token.kind is not Kind.PUNCTUATION:
            continue
        if token.text in "([{":
            open_brackets.append((token.text, index))
        elif token.text in _CLOSERS:
            # a closer of another kind ends what it encloses: broken code stays local
            while open_brackets and open_brackets[-1][0] != _CLOSERS[token.text]:
                if token.text != "}":
                    break
                open_brackets.pop()
            if open_brackets and open_brackets[-1][0] == _CLOSERS[token.text]:
                partner = open_brackets.pop()[1]
                partners[index] = partner
                partners[partner] = index
    return Segment(tokens, is_code, parameters, partners)
