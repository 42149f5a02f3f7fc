"""A visitor's whole way in a browser: with JavaScript, without it, and by keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from stack.browser import layout_shift

pytestmark = pytest.mark.browser

PROBLEM = "transpose"
PASSWORD = "analytical-engine-1843"
OpenPage = Callable[..., Page]

#: What a Run may take on a busy machine, in ms.
PATIENCE = 90_000


def sign_up(page: Page, user: str) -> None:
    page.goto("/")
    page.get_by_role("navigation", name="Account").get_by_role("link", name="Sign up").click()
    page.get_by_label("Username").fill(user)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password (again)").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("navigation", name="Account")).to_contain_text(user)


def source_box(page: Page, javascript: bool = True) -> Locator:
    """Where the source is written: the editor, or the plain text area that it replaces."""
    if javascript:
        return page.locator("[contenteditable=true]")
    return page.get_by_role("textbox", name="Source")


def submit(page: Page, kernel: Path, javascript: bool) -> None:
    source_box(page, javascript).fill(kernel.read_text())
    page.get_by_role("main").get_by_role("button", name="Submit").click()
    expect(page).to_have_url(re.compile("/runs/[0-9a-f-]{36}/"))


def verdict(page: Page, mark: str) -> None:
    expect(page).to_have_title(re.compile(f"^{mark} · "), timeout=PATIENCE)


def own_percentile(page: Page) -> float:
    """What the board says of the signed-in user, in the row that says so."""
    page.goto(f"/boards/{PROBLEM}/emulated/")
    table = page.locator("table.board")
    heads = table.get_by_role("columnheader").all_inner_texts()
    row = table.get_by_role("row").filter(has_text=re.compile(r"\byou\b")).first
    cells = row.locator("th, td").all_inner_texts()
    return float(cells[heads.index("Percentile")])


@pytest.mark.parametrize("javascript", [True, False], ids=["with JavaScript", "without"])
def test_from_a_wrong_kernel_to_a_better_place_on_the_board(
    open_page: OpenPage, ladder: tuple[str, ...], kernels: dict[str, Path], javascript: bool
) -> None:
    page = open_page(java_script_enabled=javascript)
    sign_up(page, "ada" if javascript else "charles")

    page.get_by_role("link", name="Problems").first.click()
    page.get_by_role("main").get_by_role("link", name="Matrix transpose").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Matrix transpose")
    expect(page.get_by_role("main")).to_contain_text("void solve(const float* input")
    expect(page.get_by_role("main")).to_contain_text("large primes")

    page.get_by_role("main").get_by_role("link", name="Submit").first.click()
    submit(page, kernels["wrong"], javascript)
    verdict(page, "WA")
    failing = page.get_by_role("row").filter(has_text="WA").first
    expect(failing).to_contain_text("small primes")
    expect(failing).to_contain_text("expected")
    expect(page.get_by_role("main")).to_contain_text("Are row and column swapped?")
    expect(page.get_by_role("main")).to_contain_text("emulated, not a GPU time")

    page.get_by_role("link", name="Edit and submit again").click()
    expect(source_box(page, javascript)).to_contain_text("Forgets to swap the indices")
    submit(page, kernels["slow"], javascript)
    verdict(page, "AC")
    if javascript:
        assert layout_shift(page) <= 0.1, "the page moved under its reader while it was live"
    before = own_percentile(page)

    page.get_by_role("main").get_by_role("link", name="Submit").first.click()
    submit(page, kernels["fast"], javascript)
    verdict(page, "AC")
    assert own_percentile(page) > before
    for step in ladder:
        expect(page.locator("table.board")).to_contain_text(step)
    expect(page.get_by_text("emulated, not a GPU time").first).to_be_visible()


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until ``target`` has the focus; whatever has it on the way shows that it has."""
    for _ in range(200):
        page.keyboard.press("Tab")
        outlined = page.evaluate(
            """() => {
                if (document.activeElement === document.body) return true;
                // An editor's frame may show it instead of what the focus is in.
                for (let shown = document.activeElement; shown; shown = shown.parentElement) {
                    const { outlineStyle, boxShadow } = getComputedStyle(shown);
                    if (outlineStyle !== "none" || boxShadow !== "none") return true;
                }
                return false;
            }"""
        )
        assert outlined, f"no visible focus on {page.evaluate('document.activeElement.outerHTML')}"
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"Tab does not lead to {target}")


def follow(page: Page) -> None:
    """Enter on a link, and its page is there."""
    with page.expect_navigation():
        page.keyboard.press("Enter")


def test_by_keyboard_alone(open_page: OpenPage, kernels: dict[str, Path]) -> None:
    page = open_page()
    main = page.get_by_role("main")
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()

    tab_to(page, page.get_by_role("link", name="Sign up").first)
    follow(page)
    for label, text in (("Username", "katherine"), ("Password", PASSWORD)):
        tab_to(page, page.get_by_label(label, exact=True))
        page.keyboard.type(text)
    tab_to(page, page.get_by_label("Password (again)"))
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("navigation", name="Account")).to_contain_text("katherine")

    tab_to(page, page.get_by_role("link", name="Problems").first)
    follow(page)
    tab_to(page, main.get_by_role("link", name="Matrix transpose").first)
    follow(page)
    tab_to(page, main.get_by_role("link", name="Submit").first)
    follow(page)

    expect(page.get_by_role("heading", level=1)).to_contain_text("Submit")
    expect(source_box(page)).to_be_visible()
    tab_to(page, source_box(page))
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(kernels["wrong"].read_text())
    page.keyboard.press("Escape")
    tab_to(page, main.get_by_role("button", name="Submit"))
    page.keyboard.press("Enter")

    verdict(page, "WA")
    tab_to(page, page.get_by_role("link", name="Edit and submit again"))
    follow(page)
    expect(source_box(page)).to_contain_text("Forgets to swap the indices")
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page).to_have_url(re.compile("/runs/[0-9a-f-]{36}/"))
