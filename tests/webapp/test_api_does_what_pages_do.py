"""What a page offers, the API does: filters, queues, tokens, aborting, publishing, people."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from webapp.accounts.models import ApiToken
from webapp.submissions.models import Run

pytestmark = pytest.mark.django_db

API = "/api/v1"


@pytest.fixture
def http() -> Client:
    return Client()


@pytest.fixture
def as_alice(alice: Any, token_for: Any) -> dict[str, str]:
    headers: dict[str, str] = token_for(alice)
    return headers


@pytest.mark.parametrize(
    ("query", "found"),
    [("", 1), ("tag=fp32", 1), ("tag=nope", 0), ("difficulty=easy&q=TRANS", 1), ("q=zzz", 0)],
)
def test_problems_are_filtered(http: Client, version: Any, query: str, found: int) -> None:
    assert "fp32" in version.tags
    assert len(http.get(f"{API}/problems?{query}").json()["problems"]) == found


def test_a_device_says_how_long_its_queue_is(http: Client, make_run: Any) -> None:
    make_run()
    make_run(status="timing")
    (device,) = http.get(f"{API}/devices").json()["devices"]
    assert (device["waiting"], device["judging"]) == (1, 1)


def test_a_token_says_what_its_account_may_do(http: Client, as_alice: Any, make_run: Any) -> None:
    make_run()
    me = http.get(f"{API}/me", headers=as_alice).json()
    assert (me["username"], me["is_staff"], me["submits_references"]) == ("alice", False, False)
    assert (me["submissions_an_hour"], me["unfinished_runs"]) == (60, 1)


def test_tokens_are_listed_without_their_text_and_revoked(
    http: Client, alice: Any, bob: Any, token_for: Any, as_alice: Any
) -> None:
    token_for(bob)
    other = token_for(alice)
    answer = http.get(f"{API}/tokens", headers=as_alice)
    assert len(answer.json()["tokens"]) == 2
    assert as_alice["Authorization"].split()[1] not in answer.content.decode()
    (gone,) = [token["id"] for token in answer.json()["tokens"] if not token["is_this"]]
    assert http.delete(f"{API}/tokens/{gone}", headers=as_alice).status_code == 204
    assert http.get(f"{API}/me", headers=other).status_code == 401
    bobs = ApiToken.objects.get(user=bob)
    assert http.delete(f"{API}/tokens/{bobs.pk}", headers=as_alice).status_code == 404


def test_a_run_is_aborted_by_its_owner_once(
    http: Client, bob: Any, token_for: Any, as_alice: Any, make_run: Any
) -> None:
    path = f"{API}/runs/{make_run().pk}/abort"
    assert http.post(path, headers=token_for(bob)).status_code == 404
    assert http.post(path, headers=as_alice).json()["verdict"] == "AB"
    again = http.post(path, headers=as_alice)
    assert (again.status_code, again.json()["error"]["code"]) == (409, "already_done")


def test_a_source_is_opened_and_closed_by_its_author(
    http: Client, bob: Any, token_for: Any, as_alice: Any, make_run: Any
) -> None:
    path = f"{API}/submissions/{make_run().submission_id}"
    stranger = token_for(bob)
    assert http.put(f"{path}/publication", headers=stranger).status_code == 404
    assert http.put(f"{path}/publication", headers=as_alice).json()["published_at"]
    assert http.get(path, headers=stranger).status_code == 200
    assert http.delete(f"{path}/publication", headers=stranger).status_code == 403
    assert http.delete(f"{path}/publication", headers=as_alice).json()["published_at"] is None
    assert http.get(path, headers=stranger).status_code == 404


def test_runs_are_filtered_by_verdict(http: Client, as_alice: Any, make_run: Any, kit: Any) -> None:
    run: Run = make_run()
    kit.judge_accepted(run, 1.0)
    make_run()
    for verdict, found in (("AC", 1), ("WA", 0)):
        answer = http.get(f"{API}/runs?verdict={verdict}", headers=as_alice).json()
        assert (answer["count"], len(answer["runs"])) == (found, found)
    assert http.get(f"{API}/runs?verdict=OK", headers=as_alice).status_code == 422


def test_a_board_is_filtered_and_paged(http: Client, make_run: Any, bob: Any, kit: Any) -> None:
    kit.judge_accepted(make_run(reference="v01_naive"), 8.0)
    kit.judge_accepted(make_run(), 2.0)
    kit.judge_accepted(make_run(owner=bob), 4.0)

    def board(query: str) -> tuple[list[str], int, int | None]:
        found = http.get(f"{API}/boards/transpose/emulated?{query}").json()
        return [e["name"] for e in found["entries"]], found["count"], found["next_offset"]

    assert board("kind=user") == (["alice", "bob"], 2, None)
    assert board("name=LIC") == (["alice"], 1, None)
    assert board("limit=2") == (["alice", "bob"], 3, 2)
    assert board("limit=2&offset=2") == (["v01_naive"], 3, None)
    (entry,) = http.get(f"{API}/boards/transpose/emulated?name=alice").json()["entries"]
    assert entry["gbyte_per_s"] > 0


def test_a_person_is_shown_with_what_others_may_see(
    http: Client, as_alice: Any, make_run: Any, kit: Any
) -> None:
    kit.judge_accepted(make_run(), 2.0)
    make_run()
    person = http.get(f"{API}/people/alice").json()
    (place,) = person["places"]
    assert (place["problem"], place["rank"], place["of"]) == ("transpose", 1, 1)
    assert place["time_label"] == "emulated, not a GPU time"
    assert (person["solved"], len(person["runs"])) == (1, 1)
    assert len(http.get(f"{API}/people/alice", headers=as_alice).json()["runs"]) == 2
    assert http.get(f"{API}/people/nobody").status_code == 404
