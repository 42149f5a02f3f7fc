"""What others must not do or read: every address that changes something, every one of a run."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from judge.domain import CaseResult, Listing, Verdict
from judge.events import CaseJudged, Compiled, Finished
from webapp.accounts.models import ApiToken, User
from webapp.accounts.tokens import revoke_token
from webapp.api.views import api
from webapp.submissions import live, visibility
from webapp.submissions.models import Run, Submission

pytestmark = pytest.mark.django_db

API = "/api/v1"
SECRET = "SECRET_OF_ALICE"


def addresses(values: dict[str, str], patterns: list[Any] | None = None) -> Iterator[str]:
    """Every address of the site and of its admin, with ``values`` for what is variable."""
    for pattern in patterns or get_resolver().url_patterns:
        route = str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            if route == "api/v1/":
                continue  # no session counts there: test_no_call_takes_a_session_for_a_token
            for below in addresses(values, pattern.url_patterns):
                yield "/" + filled(route, values) + below.removeprefix("/")
        elif isinstance(pattern, URLPattern):
            yield "/" + filled(route, values)


def filled(route: str, values: dict[str, str]) -> str:
    route = re.sub(r"^\^|\$$|\(\?:[^()]*\)\?", "", route)
    route = re.sub(r"\(\?P<(\w+)>.*?\)(?=[-/]|$)", lambda m: values.get(m[1], "x"), route)
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda m: values.get(m[1], "x"), route)


@pytest.fixture
def private(make_run: Any, kit: Any) -> dict[str, Any]:
    """Two runs of alice, accepted and not, with her secret in all that goes with a source."""
    runs = {}
    for verdict in (Verdict.AC, Verdict.WA):
        run = make_run(source=f"// {SECRET}\n")
        better = make_run(source=f"// {SECRET} before\n")
        Run.objects.filter(pk=better.pk).update(created_at=timezone.now() - timedelta(hours=1))
        kit.judge_accepted(better, 9.0)
        voice = kit.Speaker(run)
        listings = (Listing("ptx", SECRET),)
        voice.say(Compiled(True, 1.0, False, SECRET, 0, (), (), listings))
        case = CaseResult(SECRET, verdict, {"rows": 1}, "normal", message=SECRET)
        voice.say(CaseJudged(0, 1, case))
        finished = kit.accepted(2.0) if verdict is Verdict.AC else Finished(verdict, SECRET)
        voice.say(finished)
        runs[verdict.value] = Run.objects.get(pk=run.pk)
    runs["waiting"] = make_run(source=f"// {SECRET}\n")
    return runs


def test_no_form_is_taken_from_another_site(
    private: dict[str, Any], alice: Any, kit: Any, token_for: Any
) -> None:
    token_for(alice)
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    run = private["waiting"]
    values = {
        "run_id": str(run.pk),
        "token_id": str(ApiToken.objects.get().pk),
        "slug": "transpose",
        "device": "emulated",
        "username": "alice",
        "kind": "ptx",
        "object_id": "transpose",
        "app_label": "problems",
        "url": "",
    }
    form = {
        "publish": "1",
        "source": kit.SOURCE,
        "device": "emulated",
        "name": "forged",
        "scopes": ["submit"],
        "expires": "never",
        "action": "time_library_call",
        "_selected_action": ["transpose"],
        "opens_sources": "on",
    }
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.get(pk=alice.pk))
    counted = Submission.objects.count(), Run.objects.count(), ApiToken.objects.count()
    refused = []
    for address in addresses(values):
        answer = client.post(address, form, headers={"Origin": "https://evil.example"})
        assert answer.status_code in (302, 403, 404, 405), f"{address} {answer.status_code}"
        refused += [address] if answer.status_code == 403 else []
        if answer.status_code == 302:  # signed in already, or an address without its last slash
            assert "/admin/" in address or address.startswith("/accounts/"), address
    for address in (
        "/problems/transpose/submit/",
        f"/runs/{run.pk}/abort/",
        f"/runs/{run.pk}/publication/",
        "/accounts/tokens/",
        f"/accounts/tokens/{values['token_id']}/revoke/",
        "/accounts/password/",
        "/accounts/email/",
        "/accounts/logout/",
        "/admin/problems/problem/",
        "/admin/problems/problem/transpose/change/",
        "/admin/accounts/user/add/",
    ):
        assert address in refused, address
    run.refresh_from_db()
    assert (run.status, run.submission.published_at) == ("queued", None)
    assert (Submission.objects.count(), Run.objects.count(), ApiToken.objects.count()) == counted
    assert ApiToken.objects.get().revoked_at is None
    assert client.get("/runs/").status_code == 200  # still signed in


def test_asking_changes_nothing(private: dict[str, Any], signed_in: Client) -> None:
    """An image or link on another site asks with GET, and with the reader's session."""
    run = private["waiting"]
    for address in addresses({"run_id": str(run.pk), "slug": "transpose", "device": "emulated"}):
        if not address.endswith("/events/"):
            signed_in.get(address)
    run.refresh_from_db()
    assert (run.status, run.submission.published_at) == ("queued", None)
    assert signed_in.get("/runs/").status_code == 200


@pytest.mark.parametrize("viewer", ["nobody", "bob", "author of problems"])
@pytest.mark.parametrize("which", ["AC", "WA", "waiting"])
def test_no_address_of_a_run_tells_strangers_its_source(
    private: dict[str, Any], viewer: str, which: str, bob: Any, token_for: Any
) -> None:
    run = private[which]
    client = Client()
    headers = {}
    if viewer != "nobody":
        client.force_login(bob)
        headers = token_for(bob, "submit", "reference")
    if viewer == "author of problems":
        bob.user_permissions.add(Permission.objects.get(codename="submit_reference"))
    values = {"run_id": str(run.pk), "submission_id": str(run.submission_id), "kind": "ptx"}
    asked = 0
    for address in [*addresses(values), *api_addresses(values)]:
        if str(run.pk) not in address and str(run.submission_id) not in address:
            continue
        if address.endswith("/events/"):
            continue  # below
        for method in (client.get, client.post, client.put, client.delete):
            answer = method(address, headers=headers)
            asked += 1
            assert SECRET not in answer.content.decode(), address
            if which != "AC":
                assert answer.status_code in (302, 401, 404, 405), f"{address} {answer.status_code}"
    assert asked > 20
    submit = client.get(f"/problems/transpose/submit/?from={run.submission_id}")
    assert SECRET not in submit.content.decode()
    run.refresh_from_db()
    assert run.submission.published_at is None
    assert run.verdict == (which if which != "waiting" else None)


def api_addresses(values: dict[str, str]) -> Iterator[str]:
    for path in api.get_openapi_schema()["paths"]:
        yield re.sub(r"\{(\w+)\}", lambda m: values.get(m[1], "x"), path)


@pytest.mark.parametrize("which", ["AC", "WA", "waiting"])
def test_no_stream_tells_strangers_its_source(
    private: dict[str, Any], which: str, bob: Any, client: Client
) -> None:
    run = private[which]
    client.force_login(bob)
    seen = live.look(bob, run.pk)
    if which == "AC":
        assert seen is not None
        assert SECRET not in seen.event("").decode()
    else:
        assert seen is None
        assert client.get(f"/runs/{run.pk}/events/").status_code == 404


def test_lists_and_boards_hold_no_source(private: dict[str, Any], bob: Any) -> None:
    client = Client()
    client.force_login(bob)
    for address in (
        "/",
        "/runs/",
        "/people/alice/",
        "/boards/transpose/emulated/",
        "/boards/transpose/emulated/entries.json",
        "/boards/transpose/emulated/entries.csv",
        f"{API}/people/alice",
        f"{API}/boards/transpose/emulated",
    ):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert SECRET not in answer.content.decode(), address
        assert str(private["WA"].pk) not in answer.content.decode(), address


def test_an_id_next_to_a_known_one_leads_nowhere(private: dict[str, Any], client: Client) -> None:
    known = private["AC"].pk
    assert known.version == 4  # random: 122 bits that nobody guesses
    near = uuid.UUID(int=known.int ^ 1)
    assert client.get(f"/runs/{near}/").status_code == 404
    assert visibility.find_run(User(), near) is None


@pytest.fixture
def spoilt(alice: Any, token_for: Any) -> dict[str, dict[str, str]]:
    """Headers with tokens that must not work, by what is wrong with them."""
    headers = {
        name: token_for(alice, "submit", "worker") for name in ("revoked", "expired", "idle")
    }
    revoked, expired, _ = ApiToken.objects.order_by("created_at")
    revoke_token(revoked)
    ApiToken.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    good = headers.pop("idle")["Authorization"]
    return headers | {
        "made up": {"Authorization": "Bearer wb_" + "x" * 43},
        "cut": {"Authorization": good[:-1]},
        "its digest": {"Authorization": f"Bearer {ApiToken.objects.latest('created_at').digest}"},
        "another case": {"Authorization": good.swapcase().replace("bEARER", "Bearer")},
        "with a NUL": {"Authorization": f"{good}\x00"},
        "very long": {"Authorization": "Bearer " + "x" * 100_000},
    }


def test_no_call_takes_a_token_that_is_spoilt(
    private: dict[str, Any], spoilt: dict[str, dict[str, str]], version: Any, client: Client
) -> None:
    values = {
        "run_id": str(private["AC"].pk),
        "submission_id": str(private["AC"].submission_id),
        "slug": "transpose",
        "device": "emulated",
        "username": "alice",
        "kind": "ptx",
        "digest": version.digest,
    }
    calls = 0
    for path, operations in api.get_openapi_schema()["paths"].items():
        address = re.sub(r"\{(\w+)\}", lambda m: values.get(m[1], str(uuid.uuid4())), path)
        for method, operation in operations.items():
            if not operation.get("security"):
                continue  # public: a token is not looked at
            for name, headers in spoilt.items():
                answer = client.generic(method.upper(), address, headers=headers)
                assert answer.status_code == 401, f"{method} {address} with a token {name}"
                calls += 1
    assert calls > 50


def test_who_is_barred_cannot_use_old_tokens_or_sessions(
    private: dict[str, Any], alice: Any, signed_in: Client, token_for: Any
) -> None:
    headers = token_for(alice)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert signed_in.get(f"{API}/runs", headers=headers).status_code == 401
    assert signed_in.get("/runs/").status_code == 302
    assert SECRET not in signed_in.get(f"/runs/{private['AC'].pk}/").content.decode()


def test_no_call_takes_a_session_for_a_token(private: dict[str, Any], signed_in: Client) -> None:
    values = {"run_id": str(private["waiting"].pk), "kind": "ptx"}
    for path, operations in api.get_openapi_schema()["paths"].items():
        address = re.sub(r"\{(\w+)\}", lambda m: values.get(m[1], str(uuid.uuid4())), path)
        for method in operations:
            if method != "get":
                answer = signed_in.generic(method.upper(), address, "{}", "application/json")
                assert answer.status_code == 401, f"{method} {address}"
    assert SECRET not in signed_in.get(f"{API}/runs/{private['AC'].pk}").content.decode()
