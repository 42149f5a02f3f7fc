"""The list of problems and a problem's page: what they show, to whom, and in how many queries."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from judge.domain import DType, Parameter, Problem, Role, Tolerance, ToleranceRule, Workload
from judge.problems.distributions import Distribution
from judge.problems.package import load_package
from webapp.problems.loading import store_package
from webapp.problems.wording import inputs_in_words, quantity, tolerance_text, workload_text

pytestmark = pytest.mark.django_db
MakeRun = Callable[..., Any]


def page_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return html.unescape(answer.content.decode())


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


@pytest.fixture
def more_problems(transpose: Any, version: Any) -> None:
    for name in ("matmul", "reduction"):
        store_package(load_package(transpose.directory.parent / name))


def titles(page: str) -> list[str]:
    return re.findall(r'<th scope="row"><a href="/problems/([a-z-]+)/">', page)


class TestTheList:
    def test_shows_easy_problems_first(self, client: Client, more_problems: None) -> None:
        assert titles(page_of(client, "/problems/")) == ["transpose", "reduction", "matmul"]

    @pytest.mark.parametrize(
        ("query", "left"),
        [
            ("difficulty=medium", ["matmul"]),
            ("tag=memory-bound", ["transpose", "reduction"]),
            ("tag=memory-bound&difficulty=medium", []),
            ("difficulty=&tag=", ["transpose", "reduction", "matmul"]),
            ("state=solved", ["transpose", "reduction", "matmul"]),  # nobody is signed in
        ],
    )
    def test_is_filtered_by_the_address(
        self, client: Client, more_problems: None, query: str, left: list[str]
    ) -> None:
        page = page_of(client, f"/problems/?{query}")
        assert titles(page) == left
        assert f"{len(left)} of 3 problems" in page
        assert left or "Show all 3" in page

    def test_marks_what_the_reader_solved_and_tried(
        self,
        client: Client,
        alice: Any,
        bob: Any,
        more_problems: None,
        make_run: MakeRun,
        kit: Any,
    ) -> None:
        make_run(owner=bob, status="done", verdict="WA")
        kit.judge_accepted(make_run(owner=alice), 1.0)
        make_run(owner=alice, status="done", verdict="WA")
        assert "solved</span>" not in page_of(client, "/problems/")
        client.force_login(alice)
        assert "✓</span> solved" in page_of(client, "/problems/")
        assert titles(page_of(client, "/problems/?state=solved")) == ["transpose"]
        assert "You solved it" in text_of(page_of(client, "/problems/transpose/"))
        client.force_login(bob)
        assert "○</span> tried" in page_of(client, "/problems/")
        assert titles(page_of(client, "/problems/?state=new")) == ["reduction", "matmul"]

    def test_does_not_count_what_was_solved_in_another_version(
        self, signed_in: Client, version: Any, make_run: MakeRun, kit: Any
    ) -> None:
        from webapp.problems.models import ProblemVersion

        kit.judge_accepted(make_run(), 1.0)
        newer = ProblemVersion.objects.get(pk=version.pk)
        newer.pk, newer.digest = None, "0" * 64
        newer.save()
        version.problem.current = newer
        version.problem.save()
        assert "solved</span>" not in page_of(signed_in, "/problems/")


class TestTheProblemPage:
    def test_says_how_many_cases_are_hidden_and_shows_the_others(
        self, client: Client, version: Any
    ) -> None:
        definition = version.problem_definition
        page = page_of(client, "/problems/transpose/")
        hidden = [case for case in definition.tests if case.hidden]
        assert f"{len(hidden)} more cases are hidden" in page
        for case in definition.tests:
            assert (f'<th scope="row">{case.name}</th>' in page) is not case.hidden

    def test_says_what_a_workload_takes(self, client: Client, more_problems: None) -> None:
        text = text_of(page_of(client, "/problems/matmul/"))
        assert "8192 x 6144 x 4096 M=8192, N=6144, K=4096 standard normal 412 GFLOP 436 MB" in text

    def test_draws_the_bound_as_a_formula(self, client: Client, more_problems: None) -> None:
        page = page_of(client, "/problems/matmul/")
        assert "<msqrt><mrow><mi>K</mi></mrow></msqrt>" in page
        assert "2⁻²⁴, half a unit in the last place of float32" in page

    def test_shows_which_devices_have_workers_and_queues(
        self, client: Client, device: Any, make_run: MakeRun
    ) -> None:
        assert "no live worker" in page_of(client, "/problems/transpose/")
        now = timezone.now()
        device.workers.create(
            name="w1", state="ready", sent_at=now, last_seen_at=now, environment={}
        )
        device.workers.create(
            name="w2",
            state="ready",
            sent_at=now,
            last_seen_at=now - timedelta(days=1),
            environment={},
        )
        make_run()
        make_run(status="checking")
        text = text_of(page_of(client, "/problems/transpose/"))
        assert "1 worker live, 1 waiting, 1 being judged" in text

    def test_sets_published_times_beside_measured_ones(
        self, signed_in: Client, make_run: MakeRun, kit: Any
    ) -> None:
        kit.judge_accepted(make_run(reference="v01_row_wise"), 4.5)
        kit.judge_accepted(make_run(), 2.5)
        page = page_of(signed_in, "/problems/transpose/")
        assert "Measured here on emulated" in page
        assert "As published, on unnamed GPU" in page
        assert "not measured here" in page
        rows = [text_of(row) for row in page.split("<tr")]
        assert any("v01_row_wise 4.500 3.650 unnamed GPU" in row for row in rows)
        assert any("alice you 2.500" in row for row in rows)
        assert "emulated, not a GPU time" in page

    def test_needs_few_queries_however_many_entries(
        self,
        signed_in: Client,
        make_run: MakeRun,
        kit: Any,
        django_assert_max_num_queries: Any,
    ) -> None:
        for step in range(5):
            kit.judge_accepted(make_run(reference=f"v0{step}_x"), 1.0 + step)
        with django_assert_max_num_queries(10):
            page_of(signed_in, "/problems/transpose/")
        with django_assert_max_num_queries(10):
            page_of(signed_in, "/problems/")
        with django_assert_max_num_queries(10):
            page_of(signed_in, "/problems/transpose/submit/")


def problem(tolerance: Tolerance, flops: str = "0") -> Problem:
    return Problem(
        slug="x",
        title="x",
        difficulty="easy",
        tags=(),
        entry="solve",
        parameters=(Parameter("y", DType.FLOAT16, Role.OUT, ("n",)),),
        tolerance=tolerance,
        limits=Any,  # type: ignore[arg-type]
        tests=(),
        workloads=(),
        flops=flops,
        bytes="2*n",
    )


class TestWording:
    def test_every_distribution_has_words(self) -> None:
        for distribution in Distribution:
            assert inputs_in_words(distribution) != distribution.value

    def test_the_elementwise_rule_names_both_shares(self) -> None:
        text = tolerance_text(problem(Tolerance(ToleranceRule.ELEMENTWISE, rtol=1e-3, atol=1e-5)))
        assert [each.meaning for each in text.where] == [
            "1e-05, the fixed amount",
            "0.001, the share",
        ]
        assert text.formula is not None
        assert "<math" in text.formula

    def test_the_reduction_rule_names_the_type_it_sums_in_and_the_output_s(self) -> None:
        text = tolerance_text(problem(Tolerance(ToleranceRule.REDUCTION, length="n", constant=2)))
        meanings = " ".join(each.meaning for each in text.where)
        assert "2⁻²⁴, half a unit in the last place of float32" in meanings
        assert "2⁻¹¹, the same of float16" in meanings

    def test_a_problem_without_arithmetic_has_no_intensity(self) -> None:
        text = workload_text(
            problem(Tolerance(ToleranceRule.EXACT)), Workload("w", {"n": 1_000_000})
        )
        assert (text.operations, text.bytes, text.intensity) == ("none", "2 MB", None)

    @pytest.mark.parametrize(
        ("value", "shown"),
        [
            (0.0, "0 B"),
            (7.0, "7 B"),
            (999.4, "999 B"),
            (999.9, "1 kB"),
            (590_000, "590 kB"),
            (412.3e9, "412 GB"),
            (1.5e15, "1500 TB"),
        ],
    )
    def test_quantities_have_three_digits_and_a_prefix(self, value: float, shown: str) -> None:
        assert quantity(value, "B") == shown
