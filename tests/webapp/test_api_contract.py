"""The REST API keeps its word: shapes, statuses, scopes and privacy."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from judge.domain import CaseResult, Mismatch, Verdict
from judge.events import CaseJudged, Compiled, Finished
from judge.source import MAX_SOURCE_BYTES
from webapp.accounts.models import ApiToken
from webapp.accounts.tokens import revoke_token
from webapp.submissions.models import Run

pytestmark = pytest.mark.django_db

API = "/api/v1"
TokenFor = Callable[..., dict[str, str]]


@pytest.fixture
def http() -> Client:
    return Client()


def post(http: Client, headers: dict[str, str], **body: Any) -> Any:
    whole = {"problem": "transpose", "device": "emulated", "source": "x"} | body
    return http.post(f"{API}/submissions", whole, content_type="application/json", headers=headers)


def error(answer: Any) -> tuple[int, str, str | None]:
    body = answer.json()["error"]
    assert set(body) == {"code", "message", "field"}
    assert body["message"]
    return answer.status_code, body["code"], body["field"]


def test_problems_and_devices_are_public(http: Client, version: Any, device: Any) -> None:
    (problem,) = http.get(f"{API}/problems").json()["problems"]
    assert (problem["slug"], problem["version"]) == ("transpose", version.digest)
    page = http.get(f"{API}/problems/transpose").json()
    assert page["signature"].startswith("void solve(")
    assert page["definition"]["tests"]
    assert not [case for case in page["definition"]["tests"] if case["hidden"]]
    (listed,) = http.get(f"{API}/devices").json()["devices"]
    assert listed == {
        "name": "emulated",
        "kind": "emulated",
        "emulated": True,
        "time_label": "emulated, not a GPU time",
        "workers": 0,
        "waiting": 0,
        "judging": 0,
    }


def test_a_token_can_ask_whom_it_speaks_for(http: Client, alice: Any, token_for: TokenFor) -> None:
    me = http.get(f"{API}/me", headers=token_for(alice)).json()
    assert (me["username"], me["scopes"]) == ("alice", ["submit"])
    assert error(http.get(f"{API}/me")) == (401, "no_token", None)
    made_up = {"Authorization": "Bearer wb_made-up"}
    assert error(http.get(f"{API}/me", headers=made_up)) == (401, "bad_token", None)


def test_a_submission_is_followed_to_its_verdict(
    http: Client, alice: Any, version: Any, device: Any, token_for: TokenFor, kit: Any
) -> None:
    headers = token_for(alice)
    answer = post(http, headers, source=kit.SOURCE)
    assert answer.status_code == 201
    made = answer.json()["run"]
    assert (made["status"], made["verdict"], made["cases"]) == ("queued", None, [])
    assert made["progress_text"]
    kit.judge_accepted(Run.objects.get(pk=made["id"]), 2.0)
    run = http.get(f"{API}/runs/{made['id']}", headers=headers).json()
    assert (run["status"], run["verdict"], run["score_ms"]) == ("done", "AC", 2.0)
    assert run["score"] == {"value_ms": 2.0, "ci_low_ms": 1.998, "ci_high_ms": 2.002}
    assert run["workloads"][0]["workload"] == "square"
    assert run["environment"]["hardware"] == "a CPU"
    assert (run["emulated"], run["time_label"]) == (True, "emulated, not a GPU time")
    submission = http.get(f"{API}/submissions/{run['submission']}", headers=headers).json()
    assert (submission["source"], submission["runs"]) == (kit.SOURCE, [run["id"]])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"problem": "nope"}, (422, "unknown_problem", "problem")),
        ({"device": "h900"}, (422, "unknown_device", "device")),
        ({"source": ""}, (422, "bad_source", "source")),
        ({"source": "a\x00b"}, (422, "bad_source", "source")),
        ({"source": "x" * (MAX_SOURCE_BYTES + 1)}, (413, "source_too_large", "source")),
        ({"source": "é" * (MAX_SOURCE_BYTES // 2 + 1)}, (413, "source_too_large", "source")),
        ({"source": None}, (422, "invalid", "source")),
        ({"source": 7}, (422, "invalid", "source")),
        ({"extra": 1}, (422, "invalid", "extra")),
        ({"reference": "v01_naive"}, (403, "wrong_scope", "reference")),
    ],
)
def test_a_bad_submission_names_its_field(
    http: Client, alice: Any, version: Any, device: Any, token_for: TokenFor, body: Any,
    expected: Any,
) -> None:  # fmt: skip
    assert error(post(http, token_for(alice), **body)) == expected
    assert Run.objects.count() == 0


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b'{"source": "\xff"}', (422, "not_utf8", "source")),
        (b'{"source": ', (400, "not_json", None)),
        (
            b'{"problem": "transpose", "device": "emulated", "source": "\\ud800"}',
            (422, "not_utf8", "source"),
        ),
        (b" " * (2 * 1024 * 1024 + 1), (413, "too_large", None)),
    ],
    ids=["not UTF-8", "not JSON", "half a character", "too large"],
)
def test_a_body_that_cannot_be_read_says_why(
    http: Client, alice: Any, token_for: TokenFor, raw: bytes, expected: Any
) -> None:
    answer = http.post(
        f"{API}/submissions", raw, content_type="application/json", headers=token_for(alice)
    )
    assert error(answer) == expected


def test_no_revoked_or_expired_or_made_up_token_works(
    http: Client, alice: Any, version: Any, device: Any, token_for: TokenFor
) -> None:
    from datetime import timedelta

    from django.utils import timezone

    assert error(post(http, {})) == (401, "no_token", None)
    assert error(post(http, {"Authorization": "Basic eDp5"})) == (401, "no_token", None)
    answer = post(http, {"Authorization": "Bearer wb_made-up"})
    assert error(answer) == (401, "bad_token", None)
    assert answer["WWW-Authenticate"].startswith("Bearer")
    headers = token_for(alice)
    assert post(http, headers).status_code == 201
    token = ApiToken.objects.get()
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert error(post(http, headers)) == (401, "expired_token", None)
    ApiToken.objects.update(expires_at=None)
    revoke_token(token)
    assert error(post(http, headers)) == (401, "revoked_token", None)
    assert "was revoked" in post(http, headers).json()["error"]["message"]
    assert error(http.get(f"{API}/runs", headers=headers))[0] == 401


def test_a_token_does_what_its_scope_says_and_no_more(
    http: Client, alice: Any, version: Any, device: Any, make_run: Any, token_for: TokenFor
) -> None:
    archive = f"{API}/problems/transpose/versions/{version.digest}/archive"
    submitter, worker = token_for(alice, "submit"), token_for(alice, "worker")
    assert error(http.get(archive, headers=submitter)) == (403, "wrong_scope", None)
    assert error(post(http, worker)) == (403, "wrong_scope", None)
    assert error(http.get(f"{API}/runs", headers=worker))[0] == 403
    # A worker's host runs hostile code: its token must read nobody's source, its owner's neither.
    run = make_run()
    assert error(http.get(f"{API}/submissions/{run.submission_id}", headers=worker))[0] == 404
    answer = http.get(archive, headers=worker)
    assert answer["Content-Type"] == "application/zip"
    assert any("problem.toml" in n for n in zipfile.ZipFile(io.BytesIO(answer.content)).namelist())
    missing = f"{API}/problems/transpose/versions/{'0' * 64}/archive"
    assert error(http.get(missing, headers=worker))[0] == 404


def test_the_scope_alone_does_not_permit_references(
    http: Client, alice: Any, version: Any, device: Any, token_for: TokenFor
) -> None:
    answer = post(http, token_for(alice, "submit", "reference"), reference="v01_naive")
    assert error(answer) == (403, "not_permitted", "reference")


def test_a_session_is_no_token(signed_in: Client, version: Any, device: Any) -> None:
    assert error(post(signed_in, {})) == (401, "no_token", None)


def test_too_many_waiting_runs_are_turned_away(
    http: Client, alice: Any, make_run: Any, token_for: TokenFor, settings: Any
) -> None:
    settings.WARPBOARD_MAX_UNFINISHED_RUNS = 1
    make_run()
    assert error(post(http, token_for(alice))) == (429, "too_many_runs", None)


def test_the_answer_says_how_many_tries_are_left_and_when_the_next_is_free(
    http: Client, alice: Any, version: Any, device: Any, token_for: TokenFor, settings: Any
) -> None:
    settings.WARPBOARD_SUBMISSIONS_AN_HOUR = 2
    headers = token_for(alice)
    left = [post(http, headers)["RateLimit-Remaining"] for _ in range(2)]
    assert left == ["1", "0"]
    refused = post(http, headers)
    assert error(refused) == (429, "too_many_submissions", None)
    assert 3500 < int(refused["Retry-After"]) <= 3600
    assert (refused["RateLimit-Limit"], refused["RateLimit-Remaining"]) == ("2", "0")
    assert "The next try is free in " in refused.json()["error"]["message"]


def test_others_see_of_a_run_only_what_a_board_shows(
    http: Client, alice: Any, bob: Any, make_run: Any, token_for: TokenFor, kit: Any
) -> None:
    secret = make_run(source="// secret")
    voice = kit.Speaker(secret)
    voice.say(Compiled(True, 0.1, False, "secret warning", 0, (), ()))
    voice.say(CaseJudged(0, 1, CaseResult("small", Verdict.AC, {"rows": 1}, "normal")))
    path, stranger = f"{API}/runs/{secret.pk}", token_for(bob)
    assert error(http.get(path, headers=stranger))[0] == 404
    assert error(http.get(path))[0] == 404
    voice.say(kit.accepted(1.0))
    for headers in (stranger, {}):
        seen = http.get(path, headers=headers)
        assert (seen.json()["verdict"], seen.json()["score_ms"]) == ("AC", 1.0)
        assert "secret" not in seen.content.decode()
        assert (seen.json()["cases"], seen.json()["compilation"]) == ([], None)
        source = http.get(f"{API}/submissions/{secret.submission_id}", headers=headers)
        assert error(source)[0] == 404
    own = http.get(path, headers=token_for(alice)).json()
    assert own["compilation"]["output"] == "secret warning"


def test_a_run_that_was_not_accepted_is_its_owners_affair(
    http: Client, bob: Any, make_run: Any, token_for: TokenFor, kit: Any
) -> None:
    run = make_run()
    kit.Speaker(run).say(Finished(Verdict.WA, "output[0] is wrong"))
    assert error(http.get(f"{API}/runs/{run.pk}", headers=token_for(bob)))[0] == 404


def test_of_a_hidden_case_only_staff_see_more_than_the_verdict(
    http: Client, alice: Any, staff: Any, make_run: Any, token_for: TokenFor, kit: Any
) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    mismatch = Mismatch("output", (0,), 1.5, 2.5, 0.0, 1, 9)
    hidden = CaseResult(
        *("prime trap", Verdict.WA, {"rows": 4099}, "cancelling"),
        hidden=True, max_abs_error=1.0, mismatch=mismatch, message="row 4098",
    )  # fmt: skip
    voice.say(CaseJudged(0, 2, CaseResult("small", Verdict.AC, {"rows": 1}, "normal")))
    voice.say(CaseJudged(1, 2, hidden))
    answer = http.get(f"{API}/runs/{run.pk}", headers=token_for(alice))
    assert answer.json()["cases"][1] == {
        "index": 1,
        "name": "hidden case 1",
        "verdict": "WA",
        "hidden": True,
        "sizes": {},
        "distribution": "",
        "max_abs_error": None,
        "max_rel_error": None,
        "mismatch": None,
        "message": "",
    }
    # Not the whole answer: the digits of ids and times are anybody's.
    keys = ("message", "detail", "progress_text", "progress", "cases", "compilation", "environment")
    told = json.dumps([answer.json()[key] for key in keys])
    for leak in ("prime trap", "4099", "4098", "cancelling"):
        assert leak not in told
    full = http.get(f"{API}/runs/{run.pk}", headers=token_for(staff)).json()["cases"][1]
    assert (full["name"], full["mismatch"]["got"]) == ("prime trap", 2.5)


def test_the_detail_of_a_judge_error_is_for_staff(
    http: Client, alice: Any, staff: Any, make_run: Any, token_for: TokenFor
) -> None:
    run = make_run(status="done", verdict="JE", detail="Traceback", message="ours")
    path = f"{API}/runs/{run.pk}"
    assert http.get(path, headers=token_for(alice)).json()["detail"] == ""
    assert http.get(path, headers=token_for(staff)).json()["detail"] == "Traceback"


def test_runs_are_listed_filtered_and_paged(
    http: Client, alice: Any, bob: Any, make_run: Any, token_for: TokenFor, kit: Any
) -> None:
    runs = [make_run() for _ in range(3)]
    make_run(owner=bob)
    kit.judge_accepted(runs[0], 1.0)
    headers = token_for(alice)

    def listed(query: str) -> dict[str, Any]:
        body: dict[str, Any] = http.get(f"{API}/runs?{query}", headers=headers).json()
        return body

    first = listed("limit=2")
    assert [r["id"] for r in first["runs"]] == [str(runs[2].pk), str(runs[1].pk)]
    assert (first["count"], first["next_offset"]) == (3, 2)
    rest = listed("limit=2&offset=2")
    assert [r["id"] for r in rest["runs"]] == [str(runs[0].pk)]
    assert rest["next_offset"] is None
    assert listed("status=done")["count"] == 1
    assert listed("problem=nope")["count"] == 0
    assert listed("device=emulated&status=queued")["count"] == 2
    for query, field in (
        ("limit=1000", "limit"),
        ("problem=%00", "problem"),
        ("status=lost", "status"),
        ("offset=-1", "offset"),
    ):
        answer = http.get(f"{API}/runs?{query}", headers=headers)
        assert error(answer) == (422, "invalid", field)


def test_a_board_says_who_stands_where(http: Client, make_run: Any, bob: Any, kit: Any) -> None:
    kit.judge_accepted(make_run(reference="v01_naive"), 8.0)
    kit.judge_accepted(make_run(), 2.0)
    kit.judge_accepted(make_run(owner=bob), 4.0)
    board = http.get(f"{API}/boards/transpose/emulated").json()
    assert (board["naive"], board["time_label"]) == ("v01_naive", "emulated, not a GPU time")
    shown = [
        (
            e["rank"],
            e["name"],
            e["kind"],
            e["verdict"],
            e["median_ms"],
            e["percentile"],
            e["speedup"],
        )
        for e in board["entries"]
    ]
    assert shown == [
        (1, "alice", "user", "AC", 2.0, 100.0, 4.0),
        (2, "bob", "user", "AC", 4.0, 50.0, 2.0),
        (3, "v01_naive", "reference", "AC", 8.0, 0.0, 1.0),
    ]
    assert board["entries"][0]["ci_low_ms"] < 2.0 < board["entries"][0]["ci_high_ms"]
    for path in ("nope/emulated", "transpose/h900", f"transpose/emulated?version={'0' * 64}"):
        assert error(http.get(f"{API}/boards/{path}"))[0] == 404


def test_what_does_not_exist_is_said_in_the_same_shape(http: Client) -> None:
    assert error(http.get(f"{API}/nothing/here"))[:2] == (404, "not_found")
    assert error(http.get(f"{API}/runs/not-a-uuid"))[0] == 422
    refused = http.delete(f"{API}/problems")
    assert error(refused) == (405, "method_not_allowed", None)
    assert refused["Allow"] == "GET"


def test_the_openapi_document_describes_every_call(http: Client) -> None:
    document = json.loads(http.get(f"{API}/openapi.json").content)
    assert sorted(document["paths"]) == [
        f"{API}/boards/{{slug}}/{{device}}",
        f"{API}/devices",
        f"{API}/me",
        f"{API}/people/{{username}}",
        f"{API}/problems",
        f"{API}/problems/{{slug}}",
        f"{API}/problems/{{slug}}/versions/{{digest}}/archive",
        f"{API}/runs",
        f"{API}/runs/{{run_id}}",
        f"{API}/runs/{{run_id}}/abort",
        f"{API}/runs/{{run_id}}/code/{{kind}}",
        f"{API}/submissions",
        f"{API}/submissions/{{submission_id}}",
        f"{API}/submissions/{{submission_id}}/publication",
        f"{API}/tokens",
        f"{API}/tokens/{{token_id}}",
    ]
