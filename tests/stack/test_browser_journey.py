"""A visitor signs up, submits a kernel, watches it to AC and finds it on the board."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from judge.cli.client import SiteClient
from stack.local import ROOT, LocalStack

pytestmark = pytest.mark.browser

PROBLEM = "transpose"

#: Between the ladder's first step (a block a row) and its last (padded tiles).
NAIVE_TRANSPOSE = (ROOT / "problems" / PROBLEM / "submissions" / "accepted").glob("*.cu")

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-sync",
    "--no-first-run",
)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no Chromium on PATH: apt-get install chromium")
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path / "profile", executable_path=chromium, args=list(FLAGS)
        )
        yield context.pages[0]
        context.close()


@pytest.fixture(scope="module")
def ladder(client: SiteClient) -> list[str]:
    """Two steps of the ladder on the board: its first and its last."""
    steps = sorted((ROOT / "reference_kernels" / PROBLEM).glob("v*.cu"))
    runs = [
        client.submit(PROBLEM, "emulated", step.read_text("utf-8"), reference=step.stem)["run"]
        for step in (steps[0], steps[-1])
    ]
    for run in runs:
        *_, finished = client.follow(run["id"])
        assert finished["verdict"] == "AC", finished["message"]
    return [steps[0].stem, steps[-1].stem]


def test_sign_up_submit_watch_and_find_oneself_on_the_board(
    stack: LocalStack, page: Page, ladder: list[str]
) -> None:
    page.goto(f"{stack.url}/accounts/signup/")
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password", exact=True).fill("analytical-engine-1843")
    page.get_by_label("Password (again)").fill("analytical-engine-1843")
    page.get_by_role("button", name="Sign up").click()

    page.goto(f"{stack.url}/problems/")
    page.get_by_role("link", name="transpose").first.click()
    page.get_by_role("link", name="Submit").click()
    page.get_by_label("Source", exact=True).fill(next(iter(NAIVE_TRANSPOSE)).read_text("utf-8"))
    page.get_by_role("button", name="Submit").click()

    expect(page.get_by_role("status")).to_contain_text("AC", timeout=90_000)

    page.goto(f"{stack.url}/boards/{PROBLEM}/emulated/")
    names = page.get_by_role("table").locator("tbody tr").all_inner_texts()
    assert any("ada" in row for row in names)
    assert all(any(step in row for row in names) for step in ladder)
    expect(page.get_by_text("emulated, not a GPU time").first).to_be_visible()
