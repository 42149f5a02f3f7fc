"""The library call is timed once a version and device, shown beside the entries, and nobody's."""

from __future__ import annotations

import base64
import io
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client

from judge.domain import Verdict
from judge.events import Finished
from judge.messages import JobMessage
from judge.problems.package import ProblemPackage, load_package
from webapp.leaderboards.boards import read_board
from webapp.leaderboards.models import Entry
from webapp.ops.models import Device
from webapp.problems.loading import store_package
from webapp.submissions.baselines import library_call, request_baselines
from webapp.submissions.models import Run, Submission

pytestmark = pytest.mark.django_db

CALL = "return input.t().contiguous()"


def asked(*options: str) -> list[list[str]]:
    """What the command queued: run, problem and device of each."""
    out = io.StringIO()
    call_command("request_baselines", *options, stdout=out)
    return [line.split() for line in out.getvalue().splitlines()]


def changed(package: ProblemPackage, folder: Path, edit: Callable[[str], str]) -> ProblemPackage:
    """``package`` with another reference.py."""
    shutil.copytree(package.directory, folder)
    reference = folder / "reference.py"
    reference.write_text(edit(reference.read_text()))
    return load_package(folder)


def test_each_version_gets_one_run_a_device(version: Any, device: Any, kit: Any) -> None:
    Device.objects.create(name="h200", kind="cuda")
    assert [line[1:] for line in asked()] == [["transpose", "emulated"], ["transpose", "h200"]]
    assert asked("--again") == []  # both are under way
    kit.judge_accepted(Run.objects.get(device="emulated"), 2.0)
    assert asked() == []
    assert [line[2] for line in asked("--again")] == ["emulated"]
    submission = Submission.objects.get()  # one for all of them
    assert (submission.kind, submission.owner, submission.reference) == ("baseline", None, "")
    assert CALL in submission.source
    assert "def reference" not in submission.source


def test_one_that_failed_is_asked_for_again(make_baseline: Any, kit: Any) -> None:
    for _ in range(3):  # a judge error is tried three times
        run = make_baseline() if not Run.objects.exists() else Run.objects.get()
        kit.Speaker(run, run.attempt).say(Finished(Verdict.JE, "", detail="torch is away"))
    assert Run.objects.get().verdict == "JE"
    assert len(asked()) == 1


def test_the_command_knows_what_there_is(version: Any, device: Any) -> None:
    with pytest.raises(CommandError, match=r"no problem 'matmul' here. There is: transpose"):
        asked("--problem", "matmul")
    with pytest.raises(CommandError, match=r"no device 'h200' here. There is: emulated"):
        asked("--device", "h200")


def test_a_new_version_asks_for_its_own_where_one_was_asked_for(
    version: Any, device: Any, transpose: ProblemPackage, tmp_path: Path
) -> None:
    Device.objects.create(name="h200", kind="cuda")
    asked("--device", "emulated")
    store_package(changed(transpose, tmp_path / "transpose", lambda text: f"{text}# better\n"))
    new = Run.objects.exclude(submission__version=version).get()
    assert (new.device_id, new.submission.kind) == ("emulated", "baseline")
    store_package(transpose)  # back: it has its baseline already
    assert Run.objects.count() == 2


def test_without_a_first_request_a_new_version_asks_for_none(
    version: Any, device: Any, transpose: ProblemPackage, tmp_path: Path
) -> None:
    store_package(changed(transpose, tmp_path / "transpose", lambda text: f"{text}# better\n"))
    assert not Run.objects.exists()


def test_a_package_without_a_library_call_has_none(
    device: Any, transpose: ProblemPackage, tmp_path: Path
) -> None:
    def without(text: str) -> str:
        return text[: text.index("def baseline")]

    store_package(changed(transpose, tmp_path / "transpose", without))
    assert asked() == []


def test_the_job_says_that_it_is_a_library_call(
    version: Any, device: Any, redis_server: Any, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        request_baselines([version], [device])
    (raw,) = redis_server.client().lrange("device.emulated", 0, -1)
    message = json.loads(raw)
    ((wire,), _, _) = json.loads(base64.b64decode(message["body"]))
    job = JobMessage.model_validate(wire)
    assert (job.baseline, job.source, job.problem) == (True, "", "transpose")


def test_a_job_from_before_baselines_is_a_submission(version: Any) -> None:
    old = {
        "run_id": "00000000-0000-4000-8000-000000000000",
        "attempt": 1,
        "problem": "transpose",
        "problem_version": version.digest,
        "device": "emulated",
        "source": "x",
    }
    assert not JobMessage.model_validate(old).baseline


def test_a_later_torch_takes_the_place_of_the_earlier_one(
    make_baseline: Any, version: Any, device: Any, kit: Any
) -> None:
    kit.judge_accepted(make_baseline(), 4.0)
    again = make_baseline()
    finished = kit.accepted(2.0)
    environment = replace(finished.environment, torch="2.14.1+cpu")
    kit.Speaker(again).say(replace(finished, environment=environment))
    (row,) = read_board(version, device).rows
    assert (row.name, row.median_ms) == ("torch 2.14.1 on the CPU", 2.0)


def test_a_baseline_that_failed_is_listed_with_its_verdict(
    make_run: Any, make_baseline: Any, version: Any, device: Any, kit: Any
) -> None:
    kit.judge_accepted(make_run(), 4.0)
    kit.Speaker(make_baseline()).say(Finished(Verdict.UNS, "None here."))
    rows = read_board(version, device).rows
    assert [(row.name, row.kind, row.verdict) for row in rows] == [
        ("alice", "user", "AC"),
        ("torch", "baseline", "UNS"),
    ]
    kit.judge_accepted(make_baseline(), 2.0)
    assert [row.verdict for row in read_board(version, device).rows] == ["AC", "AC"]


def test_a_board_holds_one_baseline_and_a_submission_has_an_owner(
    make_baseline: Any, make_run: Any, version: Any, device: Any, kit: Any
) -> None:
    kit.judge_accepted(make_baseline(), 4.0)
    entry = Entry.objects.get()
    other = make_run()
    with pytest.raises(IntegrityError), transaction.atomic():
        Entry.objects.create(
            version=version,
            device=device,
            kind="baseline",
            competitor="cublas",
            run=other,
            score_ms=entry.score_ms,
            ci_low_ms=entry.ci_low_ms,
            ci_high_ms=entry.ci_high_ms,
        )
    with pytest.raises(IntegrityError), transaction.atomic():
        Submission.objects.create(version=version, source="x", kind="user")
    with pytest.raises(IntegrityError), transaction.atomic():
        Submission.objects.create(version=version, source="x", kind="baseline")


def test_pages_and_api_call_it_by_its_name(
    make_baseline: Any, make_run: Any, token_for: Any, alice: Any, kit: Any
) -> None:
    kit.judge_accepted(make_run(), 4.0)
    run = make_baseline()
    kit.judge_accepted(run, 2.0)
    client = Client()
    board = client.get("/boards/transpose/emulated/").content.decode()
    assert "library call</td>" in board
    assert "The ladder" not in board  # without a step there is none
    kit.judge_accepted(make_run(reference="v01_naive"), 8.0)
    board = client.get("/boards/transpose/emulated/").content.decode()
    assert re.search(r'torch 2.13.0 on the CPU</a> <span class="tag">library call</span>', board)
    assert "over torch 2.13.0 on the CPU, the library" in board
    problem = client.get("/problems/transpose/").content.decode()
    assert 'torch 2.13.0 on the CPU <span class="tag">library call</span>' in problem
    assert "chart-baseline" in problem
    page = client.get(f"/runs/{run.pk}/").content.decode()
    for text in ("torch 2.13.0 on the CPU", "What was called", CALL, "no rank", "F was not read"):
        assert text in page, text
    assert "Edit and submit again" not in page
    source = client.get(f"/runs/{run.pk}/source/")
    assert source.headers["Content-Disposition"].endswith('.py"')
    answer = client.get(f"/api/v1/runs/{run.pk}").json()
    assert (answer["kind"], answer["name"]) == ("baseline", "torch 2.13.0 on the CPU")
    entries = client.get("/api/v1/boards/transpose/emulated").json()["entries"]
    assert [(entry["kind"], entry["rank"]) for entry in entries] == [
        ("baseline", None),
        ("user", 1),
        ("reference", 2),
    ]
    own = client.get("/api/v1/runs", headers=token_for(alice)).json()["runs"]
    assert {each["kind"] for each in own} == {"user", "reference"}


def test_an_admin_has_the_calls_of_chosen_problems_timed_again(
    version: Any, device: Any, staff: Any
) -> None:
    client = Client()
    staff.is_superuser = True
    staff.save()
    client.force_login(staff)
    chosen = {"action": "time_library_call", "_selected_action": ["transpose"]}
    page = client.post("/admin/problems/problem/", chosen, follow=True).content.decode()
    assert "1 library call queued." in page
    page = client.post("/admin/problems/problem/", chosen, follow=True).content.decode()
    assert "Nothing was queued" in page
    assert Run.objects.count() == 1
    assert "baseline" in client.get("/admin/submissions/run/").content.decode()


def test_the_call_is_read_from_the_package(version: Any) -> None:
    assert library_call(version).startswith("def baseline(input: Tensor) -> Tensor:")
