"""Formulas of statements as HTML: the small part of TeX that statements use, without scripts.

Knows letters, sub- and superscripts, roots, and the symbols below. A formula with anything else
is shown as it was written, so that nothing is ever left out.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_SYMBOLS = {
    "approx": " ≈ ",
    "cdot": " · ",
    "dots": "…",
    "ge": " ≥ ",
    "in": " ∈ ",
    "infty": "∞",
    "le": " ≤ ",
    "max": "max",
    "min": "min",
    "ne": " ≠ ",
    "pm": " ± ",
    "qquad": "\u2003\u2003",
    "quad": "\u2003",
    "sum": "∑",
    "times": " × ",
}
#: Commands that only say how large or how far apart things are.
_SILENT = frozenset({"Big", "big", "left", "right", "textstyle", "displaystyle", "!"})
_SPACES = {",": "\u2009", ";": "\u2005", " ": " "}
_TOKEN = re.compile(r"\\([A-Za-z]+|.)|([_^{}])|(\s+)|(.)", re.DOTALL)
_RELATIONS = frozenset("=<>+")


class UnknownTex(ValueError):
    """TeX that this module does not know; the message is the command."""


@dataclass(frozen=True)
class _Piece:
    kind: str  # command, mark, space or text
    value: str


def render(tex: str) -> str:
    """HTML of one formula. Raises UnknownTex."""
    pieces = _pieces(tex)
    out = "".join(_sequence(pieces, closing=False))
    return re.sub(r" {2,}", " ", out).strip()


def _pieces(tex: str) -> Iterator[_Piece]:
    for match in _TOKEN.finditer(tex):
        command, mark, space, text = match.groups()
        if command is not None:
            yield _Piece("command", command)
        elif mark:
            yield _Piece("mark", mark)
        elif not space:
            yield _Piece("text", text)


def _sequence(pieces: Iterator[_Piece], closing: bool) -> Iterator[str]:
    """Pieces up to the closing brace of the group, or to the end."""
    for piece in pieces:
        if piece == _Piece("mark", "}"):
            if closing:
                return
            raise UnknownTex("}")
        yield _one(piece, pieces)
    if closing:
        raise UnknownTex("{")


def _one(piece: _Piece, pieces: Iterator[_Piece]) -> str:
    if piece.kind == "text":
        if piece.value.isalpha():
            return f"<i>{html.escape(piece.value)}</i>"
        if piece.value == ",":
            return ", "
        if piece.value in _RELATIONS:
            return f" {html.escape(piece.value)} "
        return html.escape(piece.value)
    if piece.kind == "mark":
        if piece.value == "{":
            return "".join(_sequence(pieces, closing=True))
        tag = "sub" if piece.value == "_" else "sup"
        return f"<{tag}>{_argument(pieces).replace(' ', '')}</{tag}>"
    if piece.value in _SYMBOLS:
        return _SYMBOLS[piece.value]
    if piece.value in _SPACES:
        return _SPACES[piece.value]
    if piece.value in _SILENT:
        return ""
    if piece.value in ("mathrm", "text", "operatorname"):
        return re.sub(r"</?i>", "", _argument(pieces))
    if piece.value == "sqrt":
        inside = _argument(pieces)
        return f"√{inside}" if re.fullmatch(r"<i>.</i>|\d+", inside) else f"√({inside})"
    raise UnknownTex(piece.value)


def _argument(pieces: Iterator[_Piece]) -> str:
    piece = next(pieces, None)
    if piece is None:
        raise UnknownTex("")
    return _one(piece, pieces)


def formulas(markdown: MarkdownIt) -> None:
    """A markdown-it plugin: ``$…$`` in the line, ``$$…$$`` on lines of its own."""
    markdown.inline.ruler.before("escape", "formula", _parse)
    markdown.add_render_rule("formula", _render_token)


def _parse(state: StateInline, silent: bool) -> bool:
    fence = "$$" if state.src.startswith("$$", state.pos) else "$"
    if not state.src.startswith(fence, state.pos):
        return False
    start = state.pos + len(fence)
    end = state.src.find(fence, start, state.posMax)
    tex = state.src[start:end] if end > start else ""
    # As pandoc has it: a price is no formula.
    if not tex.strip() or (fence == "$" and (tex[0].isspace() or tex[-1].isspace())):
        return False
    if not silent:
        token = state.push("formula", "", 0)
        token.content = tex
        token.markup = fence
    state.pos = end + len(fence)
    return True


def _render_token(
    self: RendererHTML, tokens: list[Token], index: int, options: object, env: object
) -> str:
    token = tokens[index]
    kind = "math display" if token.markup == "$$" else "math"
    try:
        return f'<span class="{kind}">{render(token.content)}</span>'
    except UnknownTex:
        return f"<code>{html.escape(token.content)}</code>"
