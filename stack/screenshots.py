"""`make screenshots`: photographs every page, light and dark, of a site with judged references.

Run as ``python -m stack.screenshots`` from the checkout; writes ``docs/screenshots/*.png``.
"""

from __future__ import annotations

import io
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect
from rich.console import Console

from judge.cli.client import SiteClient
from judge.domain import EMULATED_DEVICE as DEVICE
from stack.browser import NoBrowser, chromium
from stack.demo import REFERENCE_USER, judge_references
from stack.local import ROOT, LocalStack, NotReady, free_port
from stack.processes import ChildFailed

SCREENSHOTS = ROOT / "docs" / "screenshots"
WIDTH, HEIGHT = 1280, 800
#: Pages have few colours, so that a palette keeps them sharp at a third of the size.
COLOURS = 64

PROBLEM = "transpose"
EXAMPLES = ROOT / "problems" / PROBLEM / "submissions"
USER, PASSWORD = "ada", "analytical-engine-1843"
PATIENCE_MS = 120_000

console = Console(highlight=False)


def _live(page: Page) -> None:
    """Submit, and wait until there is something to see on the live page."""
    page.goto(f"/problems/{PROBLEM}/submit/")
    _editor(page)
    page.get_by_role("main").get_by_role("button", name="Submit").click()
    expect(page.get_by_role("listitem").filter(has_text="timing")).to_have_attribute(
        "aria-current", "step", timeout=PATIENCE_MS
    )


def _editor(page: Page) -> None:
    editor = page.locator("[contenteditable=true]")
    editor.fill(_example("accepted/tile_loop.cu"))
    # The caret blinks, and would be in one picture and not in the next.
    editor.blur()


def _example(name: str) -> str:
    return (EXAMPLES / name).read_text("utf-8")


@dataclass(frozen=True)
class Shot:
    """One page: where it is, what to do there first, and what to have at the top of the picture."""

    name: str
    path: str
    prepare: Callable[[Page], None] | None = None
    at: str | None = None


SHOTS = (
    Shot("home", "/"),
    Shot("problems", "/problems/"),
    Shot("problem", f"/problems/{PROBLEM}/"),
    Shot("problem-ladder", f"/problems/{PROBLEM}/", at="#ladder"),
    Shot("submit", f"/problems/{PROBLEM}/submit/", _editor),
    Shot("run-live", "/", _live),
    Shot("run-accepted", "/runs/{accepted}/"),
    Shot("run-samples", "/runs/{accepted}/", at="section.workload"),
    Shot("run-wrong-answer", "/runs/{wrong}/"),
    Shot("run-compile-error", "/runs/{uncompiled}/"),
    Shot("board", f"/boards/{PROBLEM}/{DEVICE}/"),
    Shot("board-entries", f"/boards/{PROBLEM}/{DEVICE}/", at="#entries"),
    Shot("runs", "/runs/"),
    Shot("profile", f"/people/{USER}/"),
    Shot("account", "/accounts/tokens/"),
    Shot("sign-in", "/accounts/login/"),
    Shot("devices", "/devices/"),
)

#: Shown to somebody who has not signed in.
PUBLIC = frozenset({"sign-in"})


def make_runs(site: str, token: str) -> dict[str, str]:
    """Ada's runs, by what became of them."""
    client = SiteClient(site, token)
    examples = {
        "wrong": "wrong_answer/bounds_mixed_up.cu",
        "uncompiled": "compile_error/undefined_function.cu",
        "accepted": "accepted/thread_per_element.cu",
    }
    made = {
        name: client.submit(PROBLEM, DEVICE, _example(file))["run"]["id"]
        for name, file in examples.items()
    }
    for run_id in made.values():
        list(client.follow(run_id))
    return made


def sign_up(browser: Browser, site: str) -> Page:
    page = browser.new_context(base_url=site).new_page()
    page.goto("/accounts/signup/")
    page.get_by_label("Username").fill(USER)
    for box in page.get_by_label(re.compile("^Password")).all():
        box.fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    page.get_by_role("link", name="Sign out").wait_for()
    return page


def photograph(page: Page, shot: Shot, runs: Mapping[str, str], into: Path) -> int:
    """Both pictures of one page; their size in bytes."""
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(shot.path.format(**runs))
    if shot.prepare:
        shot.prepare(page)
    if shot.at:
        page.locator(shot.at).first.evaluate("element => element.scrollIntoView()")
    written = 0
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        picture = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
        file = into / f"{shot.name}-{scheme}.png"
        picture.quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)
        written += file.stat().st_size
    return written


def main() -> int:
    total = 0
    try:
        with (
            tempfile.TemporaryDirectory() as directory,
            chromium() as browser,
            LocalStack(Path(directory), free_port(), DEVICE) as stack,
        ):
            scopes = ("--scope", "submit", "--scope", "reference")
            judge_references(
                stack, SiteClient(stack.url, stack.create_token(REFERENCE_USER, *scopes))
            )
            member = sign_up(browser, stack.url)
            runs = make_runs(stack.url, stack.create_token(USER))
            visitor = browser.new_context(base_url=stack.url).new_page()
            taken = Path(directory) / "screenshots"
            taken.mkdir()
            for shot in SHOTS:
                size = photograph(visitor if shot.name in PUBLIC else member, shot, runs, taken)
                console.print(f"{shot.name}: {size / 1000:.0f} kB")
                total += size
            # Only now that all are taken do the old ones go.
            shutil.rmtree(SCREENSHOTS, ignore_errors=True)
            shutil.copytree(taken, SCREENSHOTS)
    except (NoBrowser, NotReady, ChildFailed) as error:
        console.print(str(error), markup=False)
        return 3
    console.print(f"{total / 1000:.0f} kB in {SCREENSHOTS.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
