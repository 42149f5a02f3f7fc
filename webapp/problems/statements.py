"""Statements: markdown of a package to HTML that is safe to show, whoever wrote the package."""

from __future__ import annotations

from functools import lru_cache

import nh3
from markdown_it import MarkdownIt

from webapp.problems import mathematics

_MARKDOWN = (
    MarkdownIt("commonmark", {"html": False})
    .enable(["table", "strikethrough"])
    .use(mathematics.formulas)
)

_TAGS = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "pre", "code", "em", "strong"}
    | {"s", "blockquote", "hr", "br", "a", "table", "thead", "tbody", "tr", "th", "td"}
)
_ATTRIBUTES = {
    "a": {"href", "title"},
    "code": {"class"},
    "ol": {"start"},
    **{tag: set(mathematics.ATTRIBUTES) for tag in mathematics.TAGS},
}

#: Versions are few and immutable, and each page view would render its statement again.
_KEPT_STATEMENTS = 256


@lru_cache(_KEPT_STATEMENTS)
def render_statement(markdown: str) -> str:
    """HTML of ``markdown``; raw HTML in it is shown as text, links may only be http(s).

    Headings are moved down one level: the page's own title is its only ``h1``.
    """
    tokens = _MARKDOWN.parse(markdown)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"
    html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return nh3.clean(
        html,
        tags=set(_TAGS | mathematics.TAGS),
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https"},
        link_rel="noopener nofollow",
    )
