"""Formulas of statements as MathML: made here from TeX, drawn by the browser, without scripts.

latex2mathml does the work and lets everything through; what leaves this module is rebuilt from its
answer, element by element, out of the lists below. A formula with anything else in it is shown as
it was written, so that nothing is left out and nothing guessed.
"""

from __future__ import annotations

import html
import re
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"

#: Elements that draw and do nothing else.
TAGS = frozenset(
    {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mstyle", "mpadded", "mphantom"}
    | {"mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover"}
    | {"mtable", "mtr", "mtd"}
)
#: Their attributes that say how; none of them names an address, a colour or a style.
ATTRIBUTES = frozenset(
    {"display", "displaystyle", "scriptlevel", "mathvariant", "width", "height", "depth"}
    | {"stretchy", "fence", "form", "separator", "accent", "minsize", "maxsize", "linethickness"}
    | {"lspace", "rspace", "columnalign", "columnspacing", "rowspacing"}
)
_VALUE = re.compile(r"[A-Za-z0-9.+\- ]*")
_UNESCAPED_BRACE = re.compile(r"\\.|([{}])", re.DOTALL)
#: Longer than any formula that a statement should hold; the conversion's time grows with it.
_MAX_CHARACTERS = 2000
_MAX_DEPTH = 50


class UnknownTex(ValueError):
    """TeX that cannot be drawn whole; the message says what is in the way."""


def render(tex: str, display: bool = False) -> str:
    """A ``<math>`` element for one formula, in a line or on lines of its own. Raises UnknownTex."""
    _check(tex)
    try:
        root = ElementTree.fromstring(convert(tex, display="block" if display else "inline"))
    except Exception as error:  # its own dozen without a common base, and whatever it trips over
        raise UnknownTex(f"{type(error).__name__} {error}") from error
    _admit(root)
    _join_upright(root)
    _tighten_bars(root)
    return ElementTree.tostring(root, encoding="unicode")


def _check(tex: str) -> None:
    if len(tex) > _MAX_CHARACTERS:
        raise UnknownTex(f"more than {_MAX_CHARACTERS} characters")
    depth = 0
    for match in _UNESCAPED_BRACE.finditer(tex):
        depth += {"{": 1, "}": -1}.get(match[1] or "", 0)
        if not 0 <= depth <= _MAX_DEPTH:
            break
    if depth:
        raise UnknownTex("a brace without its partner, or too many inside each other")


def _admit(element: ElementTree.Element) -> None:
    """Takes the namespace off, and raises UnknownTex at anything that is on no list."""
    element.tag = element.tag.removeprefix(_NAMESPACE)
    if element.tag not in TAGS:
        raise UnknownTex(element.tag)
    for name, value in element.attrib.items():
        if name not in ATTRIBUTES or not _VALUE.fullmatch(value):
            raise UnknownTex(name)
    # A command that the library does not know comes back as an identifier of that name.
    if element.tag != "mtext" and "\\" in (element.text or ""):
        raise UnknownTex(element.text or "")
    for child in element:
        _admit(child)


def _join_upright(element: ElementTree.Element) -> None:
    """Makes one identifier of the letters of ``\\mathrm{rows}``, so that they are read as a word.

    An identifier of more than one letter is upright by itself.
    """
    joined: list[ElementTree.Element] = []
    word: ElementTree.Element | None = None
    for child in element:
        if child.tag == "mi" and child.get("mathvariant") == "normal":
            if word is not None:
                word.text = (word.text or "") + (child.text or "")
                word.attrib.pop("mathvariant", None)
                continue
            word = child
        else:
            word = None
            _join_upright(child)
        joined.append(child)
    element[:] = joined


def _tighten_bars(root: ElementTree.Element) -> None:
    """Takes the space from beside the bars of an absolute value, which MathML has for "divides"."""
    for operator in root.iter("mo"):
        if operator.text in ("|", "‖") and "form" not in operator.attrib:
            operator.attrib |= {"lspace": "0", "rspace": "0"}


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
    try:
        return render(token.content, display=token.markup == "$$")
    except UnknownTex:
        return f"<code>{html.escape(token.content)}</code>"
