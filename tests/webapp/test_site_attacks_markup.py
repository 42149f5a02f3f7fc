"""Markup in whatever others write stays text on every page that shows it."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from playwright.sync_api import sync_playwright

from judge.domain import (
    CaseResult,
    Diagnostic,
    KernelResources,
    Listing,
    Mismatch,
    Status,
    Verdict,
)
from judge.events import (
    CaseJudged,
    Compiled,
    Finished,
    SamplesTaken,
    StageEntered,
    WorkloadTimed,
)
from judge.messages import WorkerReport
from webapp.accounts.models import ApiToken, User
from webapp.accounts.tokens import create_token
from webapp.leaderboards.models import Entry
from webapp.ops.reports import store_worker
from webapp.problems.models import ProblemVersion
from webapp.problems.statements import render_statement
from webapp.submissions.models import Run, Submission

pytestmark = pytest.mark.django_db

#: Breaks out of text, of an attribute in either kind of quotes, and of a script.
PAYLOAD = "'\"></script></title><img src=x onerror=alert(1)><svg onload=alert(2)>"
#: As long as any name may be; a cut must not help it.
SHORT = "<b onclick=alert(3)>"
ALIVE = re.compile(r"<(img|svg|b) [^>]*\bon\w+=|</script></title>", re.IGNORECASE)


@pytest.fixture
def planted(make_run: Any, make_baseline: Any, version: Any, alice: Any, kit: Any) -> Any:
    """A site with markup in all that users, authors, compilers and workers write.

    What forms and loaders would have refused is written past them: pages must not rely on those.
    """
    hostile = kit.environment()
    hostile = replace(
        hostile,
        hardware=PAYLOAD,
        driver=PAYLOAD,
        torch=SHORT,
        compiler=PAYLOAD,
        flags=(PAYLOAD,),
        sandbox=PAYLOAD,
        operating_system=PAYLOAD,
        clocks={PAYLOAD: 1.0},
        remarks=(PAYLOAD,),
    )
    mallory = User.objects.create(username=SHORT, first_name=PAYLOAD, email="m@example.org")
    naive = make_run(reference="v01_naive", source=PAYLOAD)
    wrong, good, running = (make_run(owner=mallory, source=PAYLOAD) for _ in range(3))
    runs = {"naive": naive, "wrong": wrong, "good": good, "running": running}
    compiled = Compiled(
        ok=True,
        seconds=1.0,
        cached=False,
        output=PAYLOAD,
        output_dropped_bytes=3,
        diagnostics=(
            Diagnostic(PAYLOAD, PAYLOAD, 1, 1),
            Diagnostic(f"error {PAYLOAD}", PAYLOAD, 1, 1),
        ),
        resources=(KernelResources(PAYLOAD, 1, 1, 0, 0),),
        listings=(Listing("ptx", PAYLOAD), Listing(SHORT[:8], PAYLOAD)),
    )
    mismatch = Mismatch(PAYLOAD, (0,), 1.0, 2.0, 0.1, 1, 2)
    case = CaseResult(
        PAYLOAD, Verdict.WA, {PAYLOAD: 3}, PAYLOAD[:60], mismatch=mismatch, message=PAYLOAD
    )
    told = CaseResult(PAYLOAD, Verdict.RTE, {PAYLOAD: 3}, "normal", message=PAYLOAD)
    timing = replace(kit.timing(ms=2.0), workload=PAYLOAD, sizes={PAYLOAD: 1})
    for name, run in runs.items():
        voice = kit.Speaker(run, worker=PAYLOAD)
        voice.say(compiled)
        voice.say(CaseJudged(0, 2, case))
        voice.say(CaseJudged(1, 2, told))
        voice.say(StageEntered(Status.TIMING, total=2))
        voice.say(WorkloadTimed(0, 2, timing))
        voice.say(SamplesTaken(PAYLOAD, 0, 3, 1, 1.0))
        if name == "wrong":
            finished = Finished(Verdict.WA, PAYLOAD, environment=hostile, detail=PAYLOAD)
            voice.say(finished)
        elif name != "running":
            voice.say(replace(kit.accepted(2.0), environment=hostile, detail=PAYLOAD))
    library = make_baseline()
    kit.Speaker(library).say(replace(kit.accepted(1.0), environment=hostile))
    Submission.objects.filter(pk=library.submission_id).update(source=PAYLOAD)
    Entry.objects.filter(kind="reference").update(competitor=SHORT)
    report = WorkerReport(
        worker=PAYLOAD,
        device="emulated",
        state="ready",
        sent_at=datetime.now(UTC),
        environment=hostile,
    )
    assert store_worker(report.to_wire())
    token, _ = create_token(alice, SHORT, [])
    definition = version.definition
    for part in (*definition["tests"], *definition["workloads"]):
        part["name"] = PAYLOAD
        part["distribution"] = PAYLOAD
    definition["title"] = definition["difficulty"] = PAYLOAD
    definition["tags"] = [PAYLOAD]
    for step in definition["ladder"]:
        step["published_device"] = PAYLOAD
    ProblemVersion.objects.update(
        title=PAYLOAD,
        difficulty=SHORT,
        tags=[PAYLOAD],
        definition=definition,
        statement=PAYLOAD,
        starter=PAYLOAD,
        signature=PAYLOAD,
    )
    return SimpleNamespace(runs={**runs, "library": library}, mallory=mallory, token=token)


def pages(planted: Any) -> Iterator[str]:
    """Every page of the site at every run, by the site's own list of addresses."""
    plain = {"slug": "transpose", "device": "emulated", "kind": "ptx", "key": "x", "uidb36": "1"}
    for pattern in named(get_resolver().url_patterns):
        route = str(pattern.pattern)
        for run in planted.runs.values():
            ids = {"run_id": run.pk, "token_id": planted.token.pk, "username": "%3Cb%20on%3E"}
            address = "/" + re.sub(
                r"<(?:\w+:)?(\w+)>", lambda m, ids=ids: str((plain | ids)[m[1]]), route
            )
            yield address
            if "<uuid:run_id>" not in route:
                break


def named(patterns: list[Any]) -> Iterator[URLPattern]:
    for pattern in patterns:
        if isinstance(pattern, URLPattern) and "(?P" not in str(pattern.pattern):
            yield pattern
        elif isinstance(pattern, URLResolver) and str(pattern.pattern) not in ("admin/", "api/v1/"):
            yield from named(pattern.url_patterns)


ADMIN = (
    "/admin/submissions/run/",
    "/admin/problems/problem/",
    "/admin/ops/worker/",
    "/admin/accounts/user/",
    "/admin/accounts/apitoken/",
)


@pytest.mark.parametrize("viewer", ["nobody", "author", "admin"])
def test_no_page_lets_markup_live(planted: Any, viewer: str, client: Client, staff: Any) -> None:
    if viewer == "author":
        client.force_login(planted.mallory)
    if viewer == "admin":
        User.objects.filter(pk=staff.pk).update(is_superuser=True)
        client.force_login(User.objects.get(pk=staff.pk))
    seen = 0
    for address in [*pages(planted), *(ADMIN if viewer == "admin" else ())]:
        if address.endswith("/events/"):
            continue  # the parts of a page, one by one: test_live_runs
        response = client.get(address)
        assert response.status_code < 500, address
        if not response.headers["Content-Type"].startswith("text/html"):
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            continue
        page = response.content.decode()
        seen += html.escape(SHORT) in page or html.escape(PAYLOAD) in page
        assert not ALIVE.search(page), f"{address}: {ALIVE.search(page)}"
        policy = response.headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy or address.startswith("/admin/")
        assert "unsafe" not in policy
    assert seen >= 10, "the markup was not there to be seen"


def test_a_stored_run_of_every_kind_carried_the_markup(planted: Any) -> None:
    assert {run.verdict for run in Run.objects.all()} == {None, "AC", "WA"}
    run = planted.runs["wrong"]
    assert run.cases.count() == 2
    assert run.compilation.output == PAYLOAD
    assert ApiToken.objects.get().name == SHORT


@pytest.mark.parametrize(
    "address",
    [
        "/problems/?difficulty={}&tag={}&state={}",
        "/boards/transpose/emulated/?name={}&kind={}&sort={}&page={}",
        "/boards/transpose/emulated/?version={}",
        "/runs/?page={}",
        "/problems/transpose/submit/?from={}&device={}",
        "/runs/{run}/code/ptx/?q={}",
        "/accounts/login/?next={}",
        "/accounts/signup/?next={}",
        "/people/{}/",
        "/no/such/page/{}",
        "/api/v1/problems/{}",
        "/api/v1/people/{}",
    ],
)
def test_what_an_address_says_is_not_run_either(planted: Any, client: Client, address: str) -> None:
    client.force_login(planted.mallory)
    said = quote(PAYLOAD, safe="")
    asked = address.replace("{run}", str(planted.runs["good"].pk)).replace("{}", said)
    response = client.get(asked)
    assert response.status_code < 500
    if response.headers["Content-Type"].startswith("text/html"):
        assert not ALIVE.search(response.content.decode())


@pytest.mark.parametrize(
    "said", ["//evil.example/", "https://evil.example/", "javascript:alert(1)"]
)
def test_signing_in_leads_nowhere_else(alice: Any, client: Client, said: str) -> None:
    answer = client.post(
        "/accounts/login/", {"login": "alice", "password": "a long pass phrase", "next": said}
    )
    assert answer.status_code == 302
    assert "evil" not in answer.headers["Location"]
    assert "javascript" not in answer.headers["Location"]


@pytest.mark.parametrize(
    "markdown",
    [
        PAYLOAD,
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt&colon;alert(1))",
        "[a](data:text/html;base64,PHNjcmlwdD4=)",
        "[a](<javascript:alert(1)>)",
        "![a](x onerror=alert(1))",
        "<a href='javascript:alert(1)'>a</a>",
        '[a](http://x/ "\\" onmouseover=alert(1) \\"")',
        "<javascript:alert(1)>",
        "[a]: javascript:alert(1)\n\n[a]",
        "$\\href{javascript:alert(1)}{a}$",
        "$<img src=x onerror=alert(1)>$",
        "$\\text{</math><img src=x onerror=alert(1)>}$",
        "$$\\style{x:expression(alert(1))}{a}$$",
        '```"><img src=x onerror=alert(1)>\ncode\n```',
        "| <svg onload=alert(1)> |\n|---|\n| x |",
        "<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>",
    ],
)
def test_a_statement_cannot_hold_anything_that_runs(markdown: str) -> None:
    rendered = render_statement(markdown)
    tags = re.findall(r"<[^>]*>", rendered)
    assert not [tag for tag in tags if re.match(r"<\s*(script|img|svg|iframe|style|object)", tag)]
    assert not [tag for tag in tags if re.search(r"\son\w+\s*=", re.sub(r'"[^"]*"', '""', tag))]
    assert not re.search(r'href="(?!https?://)', rendered)


def test_a_redirected_file_name_cannot_split_a_header(
    planted: Any, client: Client, version: Any
) -> None:
    for address in (
        "/boards/transpose/emulated/entries.csv",
        f"/runs/{planted.runs['naive'].pk}/source/",
    ):
        response = client.get(address)
        assert re.fullmatch(
            r'attachment; filename="[a-z0-9.-]+"', response.headers["Content-Disposition"]
        )
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert not response.headers["Content-Type"].startswith("text/html")


def test_a_spreadsheet_finds_no_formula_in_a_board(make_run: Any, client: Client, kit: Any) -> None:
    names = ("+1+1", "-1", "@x", "alba")
    for ms, name in enumerate(names, 1):
        kit.judge_accepted(make_run(owner=User.objects.create_user(name)), float(ms))
    lines = client.get("/boards/transpose/emulated/entries.csv").content.decode().splitlines()
    assert [line.split(",")[2] for line in lines[1:]] == ["'+1+1", "'-1", "'@x", "alba"]


@pytest.mark.browser
def test_in_a_browser_nothing_runs_even_where_markup_got_in(
    planted: Any, live_server: Any, settings: Any, tmp_path: Path
) -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no Chromium on PATH: apt-get install chromium")
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = False
    client = Client()
    client.force_login(planted.mallory)
    cookie = {
        "name": settings.SESSION_COOKIE_NAME,
        "value": client.cookies[settings.SESSION_COOKIE_NAME].value,
        "url": live_server.url,
    }
    ran: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        context = browser.new_context(base_url=live_server.url)
        context.add_cookies([cookie])  # type: ignore[list-item]
        page = context.new_page()
        page.on("dialog", lambda dialog: (ran.append(page.url), dialog.dismiss()))
        for address in (
            f"/runs/{planted.runs['wrong'].pk}/",
            f"/runs/{planted.runs['good'].pk}/code/ptx/",
            "/problems/transpose/",
            "/boards/transpose/emulated/",
            f"/problems/transpose/submit/?from={planted.runs['good'].submission_id}",
        ):
            page.goto(address)
            page.wait_for_load_state("load")
            assert page.locator("img[onerror], svg[onload], [onclick]").count() == 0, address
        # The second line: had a template let it through, the policy would still hold.
        for place in ("main", "body"):
            page.evaluate(
                """([place, markup]) => {
                    window.blocked = 0;
                    document.addEventListener("securitypolicyviolation", () => window.blocked++);
                    document.querySelector(place).insertAdjacentHTML("beforeend", markup);
                }""",
                [place, PAYLOAD],
            )
            page.wait_for_function("window.blocked > 0")
        browser.close()
    assert ran == []
