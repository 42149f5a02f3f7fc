"""Every page for everybody: axe in light and dark, narrow and wide, nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from playwright.sync_api import Browser, Page

from judge.cli.client import SiteClient
from judge.compiler.toolkit import find_nvcc
from stack.browser import LookOut
from stack.local import LocalStack

pytestmark = pytest.mark.browser

PROBLEM = "transpose"
AXE = Path(__file__).resolve().parents[1] / "vendor" / "axe" / "axe.min.js"

#: WCAG 2.2 AA and what it builds upon, in axe's words; and what good practice adds.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
#: What another colour scheme can break.
COLOUR_RULES = ["color-contrast", "link-in-text-block"]

#: Pages anybody sees, and those of somebody signed in, by the name of their address.
PUBLIC = {
    "home": "/",
    "problems": "/problems/",
    "problem": f"/problems/{PROBLEM}/",
    "run": "/runs/{reference}/",
    "board": f"/boards/{PROBLEM}/emulated/",
    "profile": "/people/care/",
    "devices": "/devices/",
    "account_login": "/accounts/login/",
    "account_signup": "/accounts/signup/",
    "account_inactive": "/accounts/inactive/",
    "account_reset_password": "/accounts/password/reset/",
    "account_reset_password_done": "/accounts/password/reset/sent/",
    "account_reset_password_from_key": "/accounts/password/reset/1-made-up/",
    "account_reset_password_from_key_done": "/accounts/password/reset/done/",
    "account_email_verification_sent": "/accounts/email/sent/",
    "account_confirm_email": "/accounts/email/confirm/made-up/",
    "a page that is not there": "/no/such/page/",
}
MEMBERS = {
    "a live run": "/runs/{live}/",
    "home": "/",
    "problem": f"/problems/{PROBLEM}/",
    "submit": f"/problems/{PROBLEM}/submit/",
    "runs": "/runs/",
    "a run that failed": "/runs/{wrong}/",
    "a run that did not compile": "/runs/{uncompiled}/",
    "an accepted run": "/runs/{fast}/",
    "run-diff": "/runs/{again}/diff/",
    "board": f"/boards/{PROBLEM}/emulated/",
    "an empty board": "/boards/reduction/emulated/",
    "profile": "/people/care/",
    "account_logout": "/accounts/logout/",
    "account_reauthenticate": "/accounts/reauthenticate/",
    "account_change_password": "/accounts/password/",
    "account_email": "/accounts/email/",
    "tokens": "/accounts/tokens/",
}
#: Addresses that are no page of ours, or none here.
NOT_PAGES = {
    "health": "for programs",
    "run-fragment": "a part of a page",
    "run-events": "a stream",
    "run-abort": "an action",
    "run-publication": "an action",
    "run-source": "a download",
    "board-csv": "a download",
    "board-json": "a download",
    "token-revoke": "an action",
    "account_set_password": "leads on where a password is set",
    "socialaccount_connections": "with GitHub only",
    "socialaccount_signup": "with GitHub only",
    "socialaccount_login_cancelled": "with GitHub only",
    "socialaccount_login_error": "with GitHub only",
    "github_login": "with GitHub only",
    "github_callback": "with GitHub only",
}
if find_nvcc() is None:
    NOT_PAGES["run-code"] = "there is device code only where nvcc is"
else:
    MEMBERS["run-code"] = "/runs/{again}/code/ptx/"


def test_every_address_of_the_site_is_looked_at_or_said_to_be_no_page() -> None:
    def names(patterns: list[Any]) -> Iterator[str]:
        for pattern in patterns:
            if isinstance(pattern, URLPattern) and pattern.name:
                yield pattern.name
            elif isinstance(pattern, URLResolver) and str(pattern.pattern) not in elsewhere:
                yield from names(pattern.url_patterns)

    elsewhere = ("admin/", "api/v1/")
    assert set(names(get_resolver().url_patterns)) <= {*PUBLIC, *MEMBERS, *NOT_PAGES}


@dataclass
class Reader:
    """A page of one person's, and what went wrong on it."""

    page: Page
    look_out: LookOut
    runs: dict[str, str]

    def open(self, path: str) -> None:
        self.look_out.faults.clear()
        self.page.set_viewport_size({"width": 1280, "height": 900})
        self.page.emulate_media(color_scheme="light", reduced_motion="reduce")
        self.page.goto(path.format(**self.runs))

    def violations(self, run_only: dict[str, Any]) -> list[str]:
        found = self.page.evaluate(
            "(only) => axe.run({ runOnly: only, resultTypes: ['violations'] })", run_only
        )
        return [
            f"{violation['id']}: {violation['help']}: {node['html'][:200]} {node['target']}"
            for violation in found["violations"]
            for node in violation["nodes"]
        ]

    def hold_to_the_rules(self) -> None:
        self.page.evaluate(AXE.read_text())
        assert self.violations({"type": "tag", "values": TAGS}) == []
        self.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        assert self.violations({"type": "rule", "values": COLOUR_RULES}) == []
        for width in (320, 360, 2560):
            self.page.set_viewport_size({"width": width, "height": 900})
            beyond = self.page.evaluate(
                "document.scrollingElement.scrollWidth - document.documentElement.clientWidth"
            )
            assert beyond <= 0, f"{beyond} px to scroll sideways at {width} px: {_wide(self.page)}"
        assert self.look_out.faults == []


def _wide(page: Page) -> str:
    """The elements that stick out, for the person who reads the failure."""
    return str(
        page.evaluate(
            """() => [...document.querySelectorAll("main *, header *, footer *")]
                .filter((e) => e.getBoundingClientRect().right > innerWidth + 1
                    && !e.parentElement.closest(".scroll, pre"))
                .slice(0, 3).map((e) => e.outerHTML.slice(0, 120))"""
        )
    )


@pytest.fixture(scope="module")
def signed_in(browser: Browser, stack: LocalStack) -> Iterator[tuple[Page, LookOut]]:
    """A page of a user called care."""
    context = browser.new_context(base_url=stack.url)
    look_out = LookOut(context, stack.url)
    page = context.new_page()
    page.goto("/accounts/signup/")
    page.get_by_label("Username").fill("care")
    for box in page.get_by_label(re.compile("^Password")).all():
        box.fill("analytical-engine-1843")
    page.get_by_role("button", name="Sign up").click()
    page.get_by_role("link", name="Sign out").wait_for()
    yield page, look_out
    context.close()


@pytest.fixture(scope="module")
def runs(
    stack: LocalStack,
    client: SiteClient,
    ladder: tuple[str, ...],
    kernels: dict[str, Path],
    signed_in: tuple[Page, LookOut],
) -> dict[str, str]:
    """Runs of care's in every state, and one of a reference."""
    own = SiteClient(stack.url, stack.create_token("care"))
    sources = {name: kernels[name].read_text() for name in ("wrong", "fast")}
    sources["uncompiled"] = sources["fast"].replace("int row", "integer row")
    sources["again"] = f"// once more\n{sources['wrong']}"
    made = {
        name: own.submit(PROBLEM, "emulated", source)["run"]["id"]
        for name, source in sources.items()
    }
    for run_id in made.values():
        list(own.follow(run_id))
    made["reference"] = client.runs(problem=PROBLEM, status="done")[0]["id"]
    # Long enough that it is still judged while its page is looked at.
    long = kernels["slow"].read_text().replace("again < 600", "again < 1500")
    made["live"] = own.submit(PROBLEM, "emulated", long)["run"]["id"]
    return made


@pytest.fixture(scope="module")
def member(signed_in: tuple[Page, LookOut], runs: dict[str, str]) -> Reader:
    return Reader(*signed_in, runs)


@pytest.fixture(scope="module")
def visitor(browser: Browser, stack: LocalStack, runs: dict[str, str]) -> Iterator[Reader]:
    context = browser.new_context(base_url=stack.url)
    look_out = LookOut(context, stack.url)
    yield Reader(context.new_page(), look_out, runs)
    context.close()


@pytest.mark.parametrize("name", MEMBERS)
def test_a_members_page_is_for_everybody(member: Reader, name: str) -> None:
    member.open(MEMBERS[name])
    if name == "submit":
        member.page.locator("[contenteditable=true]").wait_for()
    member.hold_to_the_rules()


@pytest.mark.parametrize("name", PUBLIC)
def test_a_visitors_page_is_for_everybody(visitor: Reader, name: str) -> None:
    visitor.open(PUBLIC[name])
    visitor.hold_to_the_rules()


def test_a_form_that_was_refused_is_for_everybody(visitor: Reader, member: Reader) -> None:
    visitor.open("/accounts/signup/")
    visitor.page.get_by_label("Username").fill("care")
    for box in visitor.page.get_by_label(re.compile("^Password")).all():
        box.fill("1234")
    visitor.page.get_by_role("button", name="Sign up").click()
    visitor.page.get_by_role("alert").first.wait_for()
    visitor.hold_to_the_rules()

    member.open(f"/problems/{PROBLEM}/submit/")
    member.page.locator("[contenteditable=true]").fill(" ")
    member.page.get_by_role("main").get_by_role("button", name="Submit").click()
    member.page.get_by_role("alert").first.wait_for()
    member.hold_to_the_rules()


def test_a_page_that_went_stale_is_for_everybody(visitor: Reader) -> None:
    visitor.open("/accounts/login/")
    visitor.page.context.clear_cookies()
    visitor.page.get_by_label("Username").fill("care")
    visitor.page.get_by_label("Password").fill("analytical-engine-1843")
    visitor.page.get_by_role("main").get_by_role("button", name="Sign in").first.click()
    visitor.page.get_by_role("heading", level=1).wait_for()
    visitor.hold_to_the_rules()
