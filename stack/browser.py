"""The system's Chromium with a look-out: what a page asks for, complains of and moves about.

For the browser tests and for `make screenshots`. Knows nothing of the site's pages.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Response,
    sync_playwright,
)

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-sync",
    "--no-first-run",
)

#: Adds up the layout shifts that no input of the user's caused (the CLS of web.dev, unwindowed).
_COUNT_SHIFTS = """
window.layoutShift = 0;
new PerformanceObserver((list) => {
  for (const { hadRecentInput, value } of list.getEntries()) {
    if (!hadRecentInput) window.layoutShift += value;
  }
}).observe({ type: "layout-shift", buffered: true });
"""


class NoBrowser(Exception):
    """There is no Chromium; the text says how to get one."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser with a fresh profile; raises NoBrowser."""
    found = shutil.which("chromium")
    if found is None:
        raise NoBrowser("no Chromium on PATH: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


class LookOut:
    """Collects the faults of every page of ``context``: ``faults`` has one line for each.

    A fault is a request to anywhere but ``origin``, an answer that says the site failed, a part
    of a page that could not be had, an uncaught exception, or an error on the console, which is
    where a browser reports what the Content-Security-Policy stopped.
    """

    def __init__(self, context: BrowserContext, origin: str) -> None:
        self._origin = origin
        self.faults: list[str] = []
        context.add_init_script(_COUNT_SHIFTS)
        context.on("page", self._watch)

    def _watch(self, page: Page) -> None:
        page.on("request", self._on_request)
        page.on("response", self._on_response)
        page.on("requestfailed", self._on_failure)
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.faults.append(f"uncaught: {error}"))

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((f"{self._origin}/", "data:", "blob:")):
            self.faults.append(f"request to another place: {request.url}")

    def _on_response(self, response: Response) -> None:
        is_part = not response.request.is_navigation_request()
        if response.status >= (400 if is_part else 500):
            self.faults.append(f"{response.status} from {response.url}")

    def _on_failure(self, request: Request) -> None:
        # Leaving a page tears off what it still had under way.
        if request.failure != "net::ERR_ABORTED":
            self.faults.append(f"{request.failure} for {request.url}")

    def _on_console(self, message: ConsoleMessage) -> None:
        # What an answer's status means is judged above, where the request is known.
        if message.type == "error" and "Failed to load resource" not in message.text:
            place = message.location
            self.faults.append(f"console: {message.text} ({place['url']}:{place['lineNumber']})")


def layout_shift(page: Page) -> float:
    """How far the page's contents have moved by themselves since it was opened."""
    return float(page.evaluate("window.layoutShift"))
