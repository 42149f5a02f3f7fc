"""Pages: they say what they should, to whom they should, and run nobody's markup."""

from __future__ import annotations

import gzip
import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from judge.domain import CaseResult, Verdict
from judge.events import CaseJudged, Compiled, Finished, StageEntered
from webapp.accounts.models import ApiToken, User
from webapp.problems.statements import render_statement

pytestmark = pytest.mark.django_db

ATTACK = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&"
MakeRun = Callable[..., Any]


def text_of(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, path
    return answer.content.decode()


def test_markup_from_a_submission_is_shown_and_never_run(
    signed_in: Client, make_run: MakeRun, kit: Any
) -> None:
    run = make_run(source=ATTACK)
    voice = kit.Speaker(run)
    voice.say(Compiled(False, 0.1, False, ATTACK, 0, (), ()))
    voice.say(CaseJudged(0, 1, CaseResult(ATTACK, Verdict.RTE, {}, ATTACK, message=ATTACK)))
    voice.say(Finished(Verdict.CE, ATTACK))
    page = text_of(signed_in, f"/runs/{run.pk}/")
    assert "<script>alert" not in page
    assert "<img" not in page
    assert page.count(html.escape(ATTACK)) >= 4


def test_markup_in_a_username_is_not_even_taken(client: Client) -> None:
    password = "a long pass phrase"
    form = {"username": "<b>x</b>", "password1": password, "password2": password}
    assert client.post("/accounts/signup/", form).status_code == 200
    assert User.objects.count() == 0


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/problems/",
        "/problems/transpose/",
        "/boards/transpose/emulated/",
        "/devices/",
        "/accounts/login/",
        "/accounts/signup/",
        "/no/such/page",
    ],
)
def test_every_answer_forbids_inline_and_foreign_parts(
    client: Client, version: Any, device: Any, path: str
) -> None:
    policy = client.get(path)["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_a_statement_is_markdown_without_anything_that_runs() -> None:
    page = render_statement(
        "# Title\n\n<script>x</script> **bold** [a](javascript:x) [b](https://e.org) "
        "![i](http://e.org/i.png)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    )
    assert "<h2>Title</h2>" in page
    assert "<strong>bold</strong>" in page
    assert "<td>1</td>" in page
    for evil in ("<script", 'javascript:"', 'href="javascript', "<img"):
        assert evil not in page
    assert 'href="https://e.org"' in page


def test_a_run_page_follows_the_judging_and_stops(
    signed_in: Client, make_run: MakeRun, kit: Any
) -> None:
    run = make_run()
    page = text_of(signed_in, f"/runs/{run.pk}/")
    assert f'hx-get="/runs/{run.pk}/fragment/"' in page
    assert 'hx-trigger="every 1s"' in page
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in page
    assert 'role="status"' in page
    voice = kit.Speaker(run)
    voice.say(StageEntered(judge_status("checking"), total=4))
    voice.say(CaseJudged(0, 4, CaseResult("small", Verdict.AC, {"rows": 3}, "normal")))
    assert "Checking: 1 of 4 cases judged." in text_of(signed_in, f"/runs/{run.pk}/fragment/")
    voice.say(kit.accepted(1.25))
    fragment = text_of(signed_in, f"/runs/{run.pk}/fragment/", status=286)
    for text in ("accepted", "1.250 ms", "emulated, not a GPU time"):
        assert text in fragment
    page = text_of(signed_in, f"/runs/{run.pk}/")
    assert "hx-get" not in page
    assert "http-equiv" not in page


def judge_status(name: str) -> Any:
    from judge.domain import Status

    return Status(name)


def test_a_stranger_sees_neither_source_nor_cases_nor_unaccepted_runs(
    client: Client, bob: Any, make_run: MakeRun, kit: Any
) -> None:
    run = make_run(source="// secret source")
    client.force_login(bob)
    for path in (f"/runs/{run.pk}/", f"/runs/{run.pk}/fragment/", f"/runs/{run.pk}/source/"):
        text_of(client, path, status=404)
    kit.judge_accepted(run, 1.0)
    page = text_of(client, f"/runs/{run.pk}/")
    assert "secret source" not in page
    assert "1.000 ms" in page
    text_of(client, f"/runs/{run.pk}/source/", status=404)


def test_the_owner_downloads_the_source_as_text(
    signed_in: Client, make_run: MakeRun, kit: Any
) -> None:
    answer = signed_in.get(f"/runs/{make_run().pk}/source/")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert "attachment" in answer["Content-Disposition"]
    assert answer.content.decode() == kit.SOURCE


def test_a_reference_is_open_to_everybody(client: Client, make_run: MakeRun, kit: Any) -> None:
    run = make_run(reference="v01_naive", source="// the naive step")
    assert "// the naive step" in text_of(client, f"/runs/{run.pk}/")


def test_the_problem_page_says_what_is_asked_and_hides_what_is_hidden(
    client: Client, version: Any, device: Any
) -> None:
    page = text_of(client, "/problems/transpose/")
    for text in ("void solve(", "bit for bit", "Timed workloads", "emulated, not a GPU time"):
        assert text in html.unescape(page)
    for case in version.problem_definition.tests:
        assert not case.hidden or f">{case.name}<" not in page


def test_empty_pages_say_what_to_do_next(client: Client, alice: Any) -> None:
    assert "load_problems" in text_of(client, "/problems/")
    assert "warpboard worker" in text_of(client, "/devices/")
    client.force_login(alice)
    assert "Nothing submitted yet" in text_of(client, "/runs/")
    assert "No tokens yet" in text_of(client, "/accounts/tokens/")


def test_the_home_page_leads_to_problems_and_boards(
    client: Client, version: Any, device: Any
) -> None:
    page = text_of(client, "/")
    assert 'href="/problems/transpose/"' in page
    assert 'href="/boards/transpose/emulated/"' in page


def test_workers_and_refusals_are_for_staff(client: Client, staff: Any, db: None) -> None:
    from webapp.ops.refusals import refuse

    refuse("event of an unknown run", ATTACK)
    assert "unknown run" not in text_of(client, "/devices/")
    client.force_login(staff)
    page = text_of(client, "/devices/")
    assert "event of an unknown run" in page
    assert "<script>alert" not in page


def test_people_sign_up_and_in_and_out(client: Client) -> None:
    password = "a long pass phrase"
    form = {"username": "carol", "password1": password, "password2": password}
    assert client.post("/accounts/signup/", form)["Location"] == "/"
    assert "carol" in text_of(client, "/")
    client.post("/accounts/logout/")
    assert "Sign in" in text_of(client, "/")
    wrong = client.post("/accounts/login/", {"login": "carol", "password": "wrong"})
    assert 'role="alert"' in wrong.content.decode()
    client.post("/accounts/login/", {"login": "carol", "password": password})
    assert "carol" in text_of(client, "/")
    for path in ("/accounts/password/", "/accounts/logout/", "/runs/"):
        text_of(client, path)


def test_sign_up_can_be_closed(client: Client, settings: Any) -> None:
    settings.WARPBOARD_SIGNUP = False
    assert "Sign-up is closed" in text_of(client, "/accounts/signup/")


def test_a_token_is_shown_once_stored_as_a_hash_and_revoked(signed_in: Client, bob: Any) -> None:
    form = {"name": "laptop", "scopes": ["submit"], "expires": "90"}
    page = signed_in.post("/accounts/tokens/", form).content.decode()
    (text,) = re.findall(r"wb_[\w-]{43}", page)
    token = ApiToken.objects.get()
    assert text not in text_of(signed_in, "/accounts/tokens/")
    assert text not in str(vars(token))
    headers = {"Authorization": f"Bearer {text}"}
    assert Client().get("/api/v1/runs", headers=headers).status_code == 200
    stranger = Client()
    stranger.force_login(bob)
    assert stranger.post(f"/accounts/tokens/{token.pk}/revoke/").status_code == 404
    signed_in.post(f"/accounts/tokens/{token.pk}/revoke/")
    assert Client().get("/api/v1/runs", headers=headers).status_code == 401


def test_a_fault_of_the_site_has_a_page_without_a_traceback(client: Client, settings: Any) -> None:
    from django.test import RequestFactory

    from webapp.views import server_error

    answer = server_error(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert "Site fault" in answer.content.decode()
    assert server_error(RequestFactory().get("/api/v1/x"))["Content-Type"] == "application/json"


def test_an_oversized_form_is_refused_before_it_is_read(signed_in: Client, version: Any) -> None:
    answer = signed_in.post("/problems/transpose/submit/", {"source": "x" * 3_000_000})
    assert answer.status_code == 413
    assert "256 KiB" in answer.content.decode()


def test_static_files_are_served_without_collecting_them(client: Client) -> None:
    answer = client.get("/static/site.css")
    assert answer["Content-Type"].startswith("text/css")
    assert b"--accent" in answer.content
    again = client.get("/static/site.css", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/static/../settings.py").status_code == 404


def test_pages_and_static_files_are_sent_compressed_to_who_takes_that(client: Client) -> None:
    for path in ("/accounts/login/", "/static/site.css"):
        plain = client.get(path)
        assert "Content-Encoding" not in plain
        packed = client.get(path, headers={"Accept-Encoding": "gzip, br"})
        assert (packed["Content-Encoding"], packed["Content-Length"]) == (
            "gzip",
            str(len(packed.content)),
        )
        assert "Accept-Encoding" in packed["Vary"]
        assert len(packed.content) < len(plain.content)
    assert gzip.decompress(packed.content) == plain.content
    assert "Content-Encoding" not in client.get(
        "/static/site.css", headers={"Accept-Encoding": "gzip", "Range": "bytes=0-9"}
    )


def test_the_admin_shows_runs_and_changes_none(client: Client, make_run: MakeRun, db: None) -> None:
    client.force_login(User.objects.create_superuser("root", password="a long pass phrase"))
    run = make_run(status="done", verdict="JE", detail="Traceback of the judge")
    assert str(run.pk) in text_of(client, "/admin/submissions/run/?verdict__exact=JE")
    page = text_of(client, f"/admin/submissions/run/{run.pk}/change/")
    assert "Traceback of the judge" in page
    assert 'name="_save"' not in page
    assert client.post(f"/admin/submissions/run/{run.pk}/delete/").status_code == 403
    assert "digest" not in text_of(client, "/admin/accounts/apitoken/")
