"""Every page of the site and every call of the API that reads, found by the routes themselves.

A new page is thus measured from its first day; one with a part of its address that is not known
here is refused by ``path_of`` with a word about what to add.
"""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from typing import Any

from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from bench.crowd import DEVICE, PROBLEM, Crowd
from webapp.api.views import api

#: Pages that only a form or a mail leads to, and streams, which do not end.
_NOT_PAGES = frozenset(
    {
        "account_confirm_email",
        "account_reset_password_from_key",
        "github_login",
        "github_callback",
        "run-events",
    }
)

#: Beside the plain address of a page: what people do with it.
_VARIANTS: dict[str, tuple[str, ...]] = {
    "problems": ("?tag=memory", "?difficulty=hard", "?q=problem"),
    "board": ("?page=3",),
    "runs": ("?page=7",),
}


@dataclass(frozen=True)
class Page:
    """A named route, or a GET of the API by its template, with what follows the question mark."""

    name: str
    query: str = ""

    def __str__(self) -> str:
        return self.name + self.query

    @property
    def is_api(self) -> bool:
        return self.name.startswith("/api/")


def pages() -> list[Page]:
    """All of them, the site's first."""
    found = [
        Page(pattern.name, query)
        for pattern in get_resolver().url_patterns
        if isinstance(pattern, URLPattern) and pattern.name and pattern.name not in _NOT_PAGES
        for query in ("", *_VARIANTS.get(pattern.name, ()))
    ]
    paths = api.get_openapi_schema()["paths"]
    return found + [Page(path) for path, calls in paths.items() if "get" in calls]


def path_of(page: Page, crowd: Crowd) -> str:
    """The address of ``page`` on the site of ``crowd``."""
    known = _known(crowd)
    if page.is_api:
        return re.sub(r"\{(\w+)\}", lambda m: str(_value(m[1], page, known)), page.name)
    (pattern,) = [
        p for p in get_resolver().url_patterns if isinstance(p, URLPattern) and p.name == page.name
    ]
    names = pattern.pattern.converters
    arguments = {name: _value(name, page, known) for name in names}
    return reverse(page.name, kwargs=arguments) + page.query


def _known(crowd: Crowd) -> dict[str, Any]:
    return {
        "slug": PROBLEM,
        "problem": PROBLEM,
        "device": DEVICE,
        "digest": crowd.run.submission.version.digest,
        "run_id": crowd.run.pk,
        "submission_id": crowd.run.submission_id,
        "token_id": crowd.token.pk,
        "username": crowd.viewer.username,
        "kind": "sass",
    }


def _value(name: str, page: Page, known: dict[str, Any]) -> Any:
    if name not in known:
        raise LookupError(
            f"{page}: nothing is known to put for {name!r}; add it to bench/pages.py."
        )
    return known[name]


def get(client: Client, page: Page, crowd: Crowd) -> Any:
    """The answer to a GET; the API is asked with the viewer's token if ``client`` is signed in."""
    headers = {"Accept-Encoding": "gzip"}
    if page.is_api and client.session.get("_auth_user_id"):
        headers["Authorization"] = f"Bearer {crowd.token_text}"
    return client.get(path_of(page, crowd), headers=headers)


def body_of(answer: Any) -> bytes:
    """What the page is, unpacked; of a stream nothing."""
    if answer.streaming:
        answer.close()
        return b""
    body = bytes(answer.content)
    return gzip.decompress(body) if answer.get("Content-Encoding") == "gzip" else body


_SCRIPT = re.compile(rb'<script[^>]*\ssrc="(/static/[^"]+)"')
_STYLE = re.compile(rb'<link[^>]*\shref="(/static/[^"]+\.css)"')
#: What a module loads at once; ``import()`` comes later and is not counted.
_IMPORT = re.compile(rb'(?:^|[;}\s])(?:import|export)\b[^;()"\']*["\'](\.{1,2}/[^"\']+)["\']')


def weight_of(client: Client, body: bytes) -> int:
    """Bytes of a page as gzip sends it: HTML, style sheets and scripts, before the editor loads."""
    total = len(gzip.compress(body, 6))
    waiting = {part.decode() for part in (*_SCRIPT.findall(body), *_STYLE.findall(body))}
    seen: set[str] = set()
    while waiting - seen:
        path = min(waiting - seen)
        seen.add(path)
        part = body_of(client.get(path))
        total += len(gzip.compress(part, 6))
        for imported in _IMPORT.findall(part):
            waiting.add(_join(path, imported.decode()))
    return total


def _join(path: str, relative: str) -> str:
    parts = path.split("/")[:-1]
    for step in relative.split("/"):
        if step == "..":
            parts.pop()
        elif step != ".":
            parts.append(step)
    return "/".join(parts)
