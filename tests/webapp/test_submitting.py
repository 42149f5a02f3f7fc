"""What may be submitted, by whom, and what the form says about what may not."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from judge.source import MAX_SOURCE_BYTES
from webapp.submissions.models import Run, Submission
from webapp.submissions.services import Refusal, submit

pytestmark = pytest.mark.django_db

URL = "/problems/transpose/submit/"


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (b"", "empty"),
        (b" \n\t\n", "empty"),
        (b"ok\n\xff\xfe", "not UTF-8: byte 0xff on line 2"),
        (b"ok\n\nvoid\x00", "NUL byte on line 3"),
        (b"x" * (MAX_SOURCE_BYTES + 1), "the limit is 262,144"),
    ],
    ids=["empty", "blank", "not UTF-8", "NUL", "too large"],
)
@pytest.mark.usefixtures("version", "device")
class TestABadSource:
    def test_is_refused_by_the_service(self, alice: Any, source: bytes, says: str) -> None:
        with pytest.raises(Refusal, match=says) as refusal:
            submit(alice, "transpose", "emulated", source)
        assert refusal.value.field == "source"
        assert Submission.objects.count() == 0

    def test_is_refused_as_upload(self, signed_in: Client, source: bytes, says: str) -> None:
        upload = SimpleUploadedFile("kernel.cu", source)
        answer = signed_in.post(URL, {"device": "emulated", "source": "kept", "file": upload})
        assert answer.status_code in (413, 422)
        assert says in answer.content.decode()
        assert 'id="id_file_error"' in answer.content.decode()
        assert ">\nkept</textarea>" in answer.content.decode()
        assert Submission.objects.count() == 0


def test_a_good_source_becomes_a_run_of_its_owner(
    signed_in: Client, alice: Any, version: Any, device: Any, kit: Any
) -> None:
    typed = kit.SOURCE.replace("\n", "\r\n")  # as browsers send it
    answer = signed_in.post(URL, {"device": "emulated", "source": typed})
    run = Run.objects.get()
    assert answer.status_code == 302
    assert answer["Location"] == f"/runs/{run.pk}/"
    assert run.submission.source == kit.SOURCE
    assert (run.submission.owner, run.submission.version) == (alice, version)


def test_an_upload_is_used_instead_of_the_text(
    signed_in: Client, version: Any, device: Any, kit: Any
) -> None:
    upload = SimpleUploadedFile("kernel.cu", kit.SOURCE.encode())
    signed_in.post(URL, {"device": "emulated", "source": "other", "file": upload})
    assert Submission.objects.get().source == kit.SOURCE


def test_with_the_queue_away_the_page_says_that_nothing_is_lost(
    signed_in: Client, version: Any, device: Any, kit: Any, transactional_db: None
) -> None:
    answer = signed_in.post(URL, {"device": "emulated", "source": kit.SOURCE}, follow=True)
    assert (
        "Saved. It will be judged when the queue can be reached again." in answer.content.decode()
    )


@pytest.mark.parametrize(
    ("problem", "device_name", "field", "code"),
    [
        ("nope", "emulated", "problem", "unknown_problem"),
        ("transpose", "h900", "device", "unknown_device"),
    ],
)
def test_an_unknown_problem_or_device_is_named(
    alice: Any, version: Any, device: Any, problem: str, device_name: str, field: str, code: str
) -> None:
    with pytest.raises(Refusal) as refusal:
        submit(alice, problem, device_name, b"x")
    assert (refusal.value.field, refusal.value.code) == (field, code)


def test_a_forged_device_in_the_form_is_a_field_error(
    signed_in: Client, version: Any, device: Any
) -> None:
    answer = signed_in.post(URL, {"device": "h900", "source": "x"})
    assert answer.status_code == 422
    assert "There is no such device here" in answer.content.decode()


def test_nobody_fills_the_queue_alone(
    signed_in: Client, alice: Any, version: Any, device: Any, settings: Any
) -> None:
    settings.WARPBOARD_MAX_UNFINISHED_RUNS = 1
    assert signed_in.post(URL, {"device": "emulated", "source": "x"}).status_code == 302
    answer = signed_in.post(URL, {"device": "emulated", "source": "x"})
    assert answer.status_code == 429
    assert "You have 1 runs waiting" in answer.content.decode()


def test_the_hours_tries_are_counted_by_user_and_problem(
    signed_in: Client, alice: Any, bob: Any, version: Any, device: Any, settings: Any
) -> None:
    settings.WARPBOARD_SUBMISSIONS_AN_HOUR = 2
    now = timezone.now()
    for minutes_ago in (90, 50, 20):
        submit(alice, "transpose", "emulated", b"x")
        newest = Submission.objects.latest("created_at")
        Submission.objects.filter(pk=newest.pk).update(
            created_at=now - timedelta(minutes=minutes_ago)
        )
    answer = signed_in.post(URL, {"device": "emulated", "source": "x"})
    assert answer.status_code == 429
    assert "submitted to transpose 2 times within an hour" in answer.content.decode()
    assert re.search(r"The next try is free in (10|9) min", answer.content.decode())
    assert 540 < int(answer["Retry-After"]) <= 600
    submit(bob, "transpose", "emulated", b"x")
    bob.user_permissions.add(Permission.objects.get(codename="submit_reference"))
    for _ in range(3):  # who keeps the references is not limited
        submit(type(bob).objects.get(pk=bob.pk), "transpose", "emulated", b"x")


def test_references_need_the_permission_and_a_name(
    alice: Any, bob: Any, version: Any, device: Any
) -> None:
    with pytest.raises(Refusal) as refusal:
        submit(alice, "transpose", "emulated", b"x", "v01_naive")
    assert refusal.value.code == "not_permitted"
    bob.user_permissions.add(Permission.objects.get(codename="submit_reference"))
    with pytest.raises(Refusal) as refusal:
        submit(bob, "transpose", "emulated", b"x", "<script>")
    assert refusal.value.code == "bad_reference"
    run = submit(bob, "transpose", "emulated", b"x", "v01_naive")
    assert (run.submission.kind, run.submission.competitor_name) == ("reference", "v01_naive")


def test_a_submission_never_changes(make_run: Any) -> None:
    submission = make_run().submission
    submission.source = "other"
    with pytest.raises(TypeError, match="never changes"):
        submission.save()


def test_a_form_without_its_token_is_not_taken(alice: Any, version: Any, device: Any) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    answer = client.post(URL, {"device": "emulated", "source": "x"})
    assert answer.status_code == 403
    assert "Form expired" in answer.content.decode()
    assert Submission.objects.count() == 0


def test_who_is_not_signed_in_is_asked_to(version: Any) -> None:
    answer = Client().get(URL)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/?next=")


def test_the_form_opens_with_the_starter_or_an_own_source_but_nobody_elses(
    signed_in: Client, make_run: Any, bob: Any, version: Any
) -> None:
    own, other = make_run(source="// mine"), make_run(owner=bob, source="// not yours")
    assert "// mine" in signed_in.get(f"{URL}?from={own.submission_id}").content.decode()
    assert "// not yours" not in signed_in.get(f"{URL}?from={other.submission_id}").content.decode()
    assert "solve" in signed_in.get(f"{URL}?from=nonsense").content.decode()
