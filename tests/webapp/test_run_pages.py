"""The page of a Run: what it shows to whom, and what can be done from it."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from judge.domain import CaseResult, Diagnostic, KernelResources, Mismatch, Verdict
from judge.events import CaseJudged, Compiled, Finished
from webapp.submissions.models import Run, Submission
from webapp.submissions.publication import publish

pytestmark = pytest.mark.django_db

MakeRun = Callable[..., Any]
SOURCE = "// first\n// second\n// third <script>\n"


def page_of(client: Client, run: Any, suffix: str = "", status: int = 200) -> str:
    answer = client.get(f"/runs/{run.pk}/{suffix}")
    assert answer.status_code == status
    return html.unescape(answer.content.decode())


@pytest.fixture
def failed(make_run: MakeRun, kit: Any) -> Any:
    """A Run with compiler messages, two cases, and a wrong answer in the second."""
    run = make_run(source=SOURCE)
    voice = kit.Speaker(run)
    diagnostics = (
        Diagnostic("warning", "unused variable <x>", 2, 7),
        Diagnostic("warning", "of no line"),
    )
    resources = (KernelResources("transpose(float)", 40, 4096, 8, 16),)
    voice.say(Compiled(True, 0.5, False, "printed", 0, diagnostics, resources))
    voice.say(CaseJudged(0, 2, CaseResult("fine", Verdict.AC, {"rows": 1}, "normal")))
    mismatch = Mismatch("output", (2, 3), 1.5, 2.0, 0.25, 10, 40)
    wrong = CaseResult(
        "tall", Verdict.WA, {"rows": 7}, "large", max_abs_error=0.5, mismatch=mismatch
    )
    voice.say(CaseJudged(1, 2, wrong))
    voice.say(Finished(Verdict.WA, "Case `tall`: wrong"))
    run.refresh_from_db()
    return run


def test_the_verdict_and_the_failing_case_are_told_in_words(signed_in: Client, failed: Any) -> None:
    page = page_of(signed_in, failed)
    for text in (
        "wrong answer",
        "not every output was right",
        "First failing case",
        "output[2, 3]",
        "rows=7",
        "10 of 40 (25.00 %)",
        "0.5000 (2.000 times what is allowed)",
    ):
        assert text in page


def test_compiler_messages_lead_to_the_line(signed_in: Client, failed: Any) -> None:
    page = page_of(signed_in, failed)
    assert '<a href="#L2">line 2:7</a>' in page
    assert 'id="L2" class="warning"' in page
    assert "unused variable <x>" in page
    raw = signed_in.get(f"/runs/{failed.pk}/").content.decode()
    assert "unused variable &lt;x&gt;" in raw
    assert "third &lt;script&gt;" in raw


def test_occupancy_stands_beside_registers_where_the_architecture_is_known(
    signed_in: Client, failed: Any
) -> None:
    assert "occupancy" not in page_of(signed_in, failed)
    environment = failed.environment or {}
    Run.objects.update(environment={**environment, "flags": ["-O3", "-arch=sm_80"]})
    page = page_of(signed_in, failed)
    assert "allow on sm_80" in page
    assert "256 threads" in page


def test_times_come_with_their_picture_numbers_clocks_and_label(
    signed_in: Client, make_run: MakeRun, kit: Any
) -> None:
    run = make_run()
    kit.judge_accepted(run, 1.25)
    page = page_of(signed_in, run)
    assert '<svg class="chart"' in page or "<svg" in page
    assert "Samples of square by process, ms (emulated, not a GPU time)" in page
    assert "The time reported is E = 1250 µs" in page
    assert "beyond E" in page
    assert "Hardware" in page


def test_a_waiting_run_can_be_aborted_from_its_page(signed_in: Client, make_run: MakeRun) -> None:
    run = make_run()
    assert "Abort this run" in page_of(signed_in, run)
    answer = signed_in.post(f"/runs/{run.pk}/abort/", follow=True)
    page = html.unescape(answer.content.decode())
    assert "Aborted by its owner" in page
    assert "Abort this run" not in page
    again = signed_in.post(f"/runs/{run.pk}/abort/", follow=True)
    assert "This run is done already" in again.content.decode()


def test_a_stranger_cannot_abort_or_publish(
    client: Client, bob: Any, make_run: MakeRun, kit: Any
) -> None:
    run = make_run()
    client.force_login(bob)
    assert client.post(f"/runs/{run.pk}/abort/").status_code == 404
    kit.judge_accepted(run, 1.0)
    page = page_of(client, run)
    assert "Publish this source" not in page
    assert "Only its author and the site's admins may read this source." in page
    client.post(f"/runs/{run.pk}/publication/", {"publish": "1"})
    assert Submission.objects.filter(published_at=None).count() == 1


def test_aborting_and_publishing_need_a_signed_in_post(
    client: Client, make_run: MakeRun, signed_in: Client
) -> None:
    run = make_run()
    for action in ("abort", "publication"):
        assert signed_in.get(f"/runs/{run.pk}/{action}/").status_code == 405
        assert "/accounts/login/" in Client().post(f"/runs/{run.pk}/{action}/")["Location"]
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(run.submission.owner)
    assert strict.post(f"/runs/{run.pk}/abort/").status_code == 403


def test_the_author_publishes_and_everybody_reads(
    client: Client, signed_in: Client, failed: Any
) -> None:
    page_of(client, failed, status=404)
    signed_in.post(f"/runs/{failed.pk}/publication/", {"publish": "1"})
    page = page_of(client, failed)
    assert "// second" in page
    assert "its author published it" in page
    assert client.get(f"/runs/{failed.pk}/source/").content.decode() == SOURCE
    signed_in.post(f"/runs/{failed.pk}/publication/", {"publish": "0"})
    page_of(client, failed, status=404)


def test_a_run_is_compared_with_ones_best_before_it(
    client: Client, signed_in: Client, make_run: MakeRun, kit: Any, bob: Any, alice: Any
) -> None:
    first = make_run(source="same\nold <b>\n")
    second = make_run(source="same\nnew\n")
    assert "diff" not in page_of(signed_in, first)
    page_of(signed_in, first, "diff/", status=404)
    kit.judge_accepted(first, 2.0)
    kit.judge_accepted(second, 1.0)
    assert "Compare with your best before it (2.000 ms, emulated" in page_of(signed_in, second)
    page = page_of(signed_in, second, "diff/")
    assert "1 line removed, 1 added" in page
    assert "2.00× the speed" in page.replace("</strong>", "")
    assert "old &lt;b&gt;" in signed_in.get(f"/runs/{second.pk}/diff/").content.decode()
    client.force_login(bob)
    page_of(client, second, "diff/", status=404)
    publish(alice, second.submission)
    page_of(client, second, "diff/", status=404)  # the other source is still private
    publish(alice, first.submission)
    assert "1 line removed" in page_of(client, second, "diff/")


def test_a_run_page_needs_few_queries_however_many_cases(
    signed_in: Client, make_run: MakeRun, kit: Any, django_assert_max_num_queries: Any
) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    for index in range(60):
        result = CaseResult(f"case {index}", Verdict.AC, {"rows": index}, "normal")
        voice.say(CaseJudged(index, 60, result))
    with django_assert_max_num_queries(15):
        signed_in.get(f"/runs/{run.pk}/")
    with django_assert_max_num_queries(12):
        signed_in.get(f"/runs/{run.pk}/fragment/")
