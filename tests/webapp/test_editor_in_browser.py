"""The editor in a real browser: drafts, files, keys, and the site's policy never broken."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from playwright.sync_api import Page, expect, sync_playwright

pytestmark = pytest.mark.browser

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-sync",
    "--no-first-run",
)
WATCH = """
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) =>
      window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
"""


@pytest.fixture
def page(
    settings: Any, live_server: Any, version: Any, device: Any, alice: Any, tmp_path: Path
) -> Iterator[Page]:
    """The transpose's submit page as alice, who is signed in, sees it."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no Chromium on PATH: apt-get install chromium")
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = False
    client = Client()
    client.force_login(alice)
    session = client.cookies[django_settings.SESSION_COOKIE_NAME].value
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path / "profile",
            executable_path=chromium,
            args=list(FLAGS),
            base_url=live_server.url,
        )
        cookie = {"name": django_settings.SESSION_COOKIE_NAME, "url": live_server.url}
        context.add_cookies([{**cookie, "value": session}])  # type: ignore[list-item]
        context.add_init_script(WATCH)
        page = context.pages[0]
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.goto("/problems/transpose/submit/")
        yield page
        assert page.evaluate("window.violations") == []
        assert errors == []
        context.close()


def editor(page: Page) -> Any:
    """The editor, which takes over the text area's label; the area before it has the same name."""
    return page.locator(".editor").get_by_role("textbox", name="Source")


def test_a_draft_outlives_the_page_and_can_be_discarded(page: Page) -> None:
    expect(editor(page)).to_contain_text("transpose<<<blocks, threads>>>")
    editor(page).press("Control+End")
    page.keyboard.insert_text("// half an idea")
    page.reload()
    expect(editor(page)).to_contain_text("// half an idea")
    bar = page.get_by_role("status").filter(has_text="This is your draft")
    bar.get_by_role("button", name="Discard it").click()
    expect(editor(page)).not_to_contain_text("half an idea")
    # Focus is back in the editor, and a slip can be undone.
    page.keyboard.press("Control+z")
    expect(editor(page)).to_contain_text("// half an idea")
    page.keyboard.press("Control+y")
    page.reload()
    expect(editor(page)).to_contain_text("transpose<<<blocks, threads>>>")
    expect(editor(page)).not_to_contain_text("half an idea")
    expect(page.locator("#draft-bar")).to_be_hidden()


def test_ctrl_enter_submits_what_a_dropped_file_holds(page: Page) -> None:
    dropped = 'extern "C" void solve() {} // from a file'
    expect(editor(page)).to_be_visible()
    data = page.evaluate_handle(
        """(text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], "kernel.cu"));
            return data;
        }""",
        dropped,
    )
    editor(page).dispatch_event("drop", {"dataTransfer": data})
    expect(page.get_by_text("kernel.cu is in the editor now")).to_be_visible()
    # What the site does with it is tested elsewhere, without a run page that waits for a judge.
    page.route("**/submit/", lambda route: route.fulfill(body="taken"))
    with page.expect_request("**/submit/") as request:
        editor(page).press("Control+Enter")
    assert request.value.method == "POST"
    assert dropped in (request.value.post_data or "")


def test_typing_over_many_lines_keeps_the_policy(page: Page) -> None:
    editor(page).press("Control+a")
    page.keyboard.type("int x;")
    expect(editor(page)).to_have_text("int x;")
    page.keyboard.press("Control+z")
    expect(editor(page)).to_contain_text("transpose<<<blocks, threads>>>")
    editor(page).fill("int a;\nint b;")
    expect(editor(page)).to_contain_text("int b;")
    expect(editor(page)).not_to_contain_text("transpose")


def test_tab_indents_and_escape_then_tab_leaves(page: Page) -> None:
    editor(page).press("Control+Home")
    page.keyboard.press("Tab")
    expect(editor(page)).to_be_focused()
    assert editor(page).inner_text().startswith("    #include")
    expect(page.get_by_text("press Esc, then Tab, to leave")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Or upload a file")).to_be_focused()


def test_a_chosen_file_is_shown_before_it_is_sent_and_a_binary_one_refused(
    page: Page, tmp_path: Path
) -> None:
    expect(editor(page)).to_be_visible()
    chosen = tmp_path / "mine.cu"
    chosen.write_text("// mine\r\n", "utf-8")
    page.get_by_label("Or upload a file").set_input_files(chosen)
    expect(editor(page)).to_contain_text("// mine")
    chosen.write_bytes(b"\x7fELF\xff\xfe")
    page.get_by_label("Or upload a file").set_input_files(chosen)
    expect(page.get_by_text("mine.cu is not text in UTF-8.")).to_be_visible()
    expect(editor(page)).to_contain_text("// mine")
