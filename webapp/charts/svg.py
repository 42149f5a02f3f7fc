"""Building SVG text: elements, escaping, the frame that makes a chart an accessible image."""

from __future__ import annotations

import html
from collections.abc import Callable

#: Widths in px that charts are drawn at: a page's full column, half of one, and a phone.
WIDE = 1080
HALF = 524
NARROW = 320

#: Mean width in px of a character of the charts' 12 px text; generous, since fonts differ.
CHARACTER = 6.7


class Svg(str):
    """Markup that is safe as it stands: every text in it was escaped when it was built."""

    __slots__ = ()

    def __html__(self) -> Svg:
        return self


def number(value: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def element(name: str, *children: str, **attributes: str | float | None) -> Svg:
    """``<name …>children</name>``. Text is escaped; ``class_`` and ``text_anchor`` lose and swap
    their underscores; an attribute that is None is left out.
    """
    parts = [
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    ]
    inner = "".join(child if isinstance(child, Svg) else html.escape(child) for child in children)
    return Svg(
        f"<{name}{''.join(parts)}>{inner}</{name}>" if inner else f"<{name}{''.join(parts)}/>"
    )


def _value(value: str | float) -> str:
    return html.escape(value) if isinstance(value, str) else number(value)


def group(*children: str, class_: str) -> Svg:
    """``children`` under one class."""
    return element("g", *children, class_=class_)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Svg:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def text(x: float, y: float, words: str, class_: str = "", anchor: str = "start") -> Svg:
    return element(
        "text",
        words,
        x=x,
        y=y,
        class_=class_ or None,
        text_anchor=None if anchor == "start" else anchor,
    )


def chart(
    ident: str, width: float, height: float, title: str, description: str, *children: str
) -> Svg:
    """The image: ``title`` is its name, ``description`` what it shows, for who cannot see it.

    ``ident`` must be unique on the page.
    """
    return element(
        "svg",
        element("title", title, id=f"{ident}-title"),
        element("desc", description, id=f"{ident}-desc"),
        *children,
        class_="chart",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img",
        aria_labelledby=f"{ident}-title",
        aria_describedby=f"{ident}-desc",
    )


def responsive(ident: str, draw: Callable[[str, int], Svg], wide: int = WIDE) -> Svg:
    """The chart drawn twice, ``wide`` and for phones; the style sheet shows one of them.

    One drawing that scales would have text of 4 px on a phone.
    """
    return Svg(
        f'<div class="chart-wide">{draw(f"{ident}-wide", wide)}</div>'
        f'<div class="chart-narrow">{draw(f"{ident}-narrow", NARROW)}</div>'
    )


def shorten(words: str, longest: int) -> str:
    """``words`` with at most ``longest`` characters, an ellipsis for what was cut."""
    return words if len(words) <= longest else words[: longest - 1] + "…"


def text_width(words: str) -> float:
    """About how many px ``words`` take in the charts' text."""
    return len(words) * CHARACTER
