"""Who may read a source: the whole matrix, and what goes with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from webapp.problems.models import Problem
from webapp.submissions import visibility
from webapp.submissions.models import Run
from webapp.submissions.publication import publish, unpublish
from webapp.submissions.services import Refusal

pytestmark = pytest.mark.django_db

MakeRun = Callable[..., Any]

#: Each viewer against each way in which alice's run may be open.
MATRIX = {
    #                     nobody bob   solver owner staff
    ("private", "WA"): (False, False, False, True, True),
    ("private", "AC"): (False, False, False, True, True),
    ("published", "WA"): (True, True, True, True, True),
    ("published", "AC"): (True, True, True, True, True),
    ("opens", "WA"): (False, False, False, True, True),
    ("opens", "AC"): (False, False, True, True, True),
    ("reference", "AC"): (True, True, True, True, True),
    ("reference", "WA"): (True, True, True, True, True),
}
VIEWERS = ("nobody", "bob", "solver", "owner", "staff")


@pytest.fixture
def viewers(alice: Any, bob: Any, staff: Any, make_run: MakeRun) -> dict[str, Any]:
    from webapp.accounts.models import User

    solver = User.objects.create_user("solver")
    make_run(owner=solver, status="done", verdict="AC")
    make_run(owner=bob, status="done", verdict="WA")
    return {
        "nobody": AnonymousUser(),
        "bob": bob,
        "solver": solver,
        "owner": alice,
        "staff": staff,
    }


@pytest.mark.parametrize("case", MATRIX, ids="-".join)
def test_who_may_read(
    case: tuple[str, str], viewers: dict[str, Any], make_run: MakeRun, alice: Any
) -> None:
    how, verdict = case
    reference = "v01_naive" if how == "reference" else ""
    run = make_run(status="done", verdict=verdict, reference=reference)
    if how == "published":
        publish(alice, run.submission)
    if how == "opens":
        Problem.objects.update(opens_sources=True)
    run = Run.objects.get(pk=run.pk)
    found = tuple(visibility.may_see_source(viewers[name], run.submission) for name in VIEWERS)
    assert found == MATRIX[case]
    for name, may_read in zip(VIEWERS, found, strict=True):
        viewer = viewers[name]
        seen = visibility.find_submission(viewer, run.submission_id) is not None
        assert seen is may_read
        assert (visibility.find_run(viewer, run.pk) is not None) is (may_read or verdict == "AC")


def test_the_audience_is_told_in_words(make_run: MakeRun, alice: Any) -> None:
    run = make_run(status="done", verdict="AC")
    assert "Only its author" in visibility.audience(run.submission)
    publish(alice, run.submission)
    assert "published" in visibility.audience(run.submission)
    unpublish(alice, run.submission)
    assert "Only its author" in visibility.audience(run.submission)
    Problem.objects.update(opens_sources=True)
    run = Run.objects.get(pk=run.pk)
    assert "whoever has solved" in visibility.audience(run.submission)
    reference = make_run(reference="v01_naive")
    assert "ladder" in visibility.audience(reference.submission)


def test_only_the_author_publishes(make_run: MakeRun, bob: Any, staff: Any, alice: Any) -> None:
    run = make_run()
    for viewer in (bob, staff, AnonymousUser()):
        with pytest.raises(Refusal):
            publish(viewer, run.submission)
    reference = make_run(reference="v01_naive")
    with pytest.raises(Refusal):
        unpublish(alice, reference.submission)


def test_a_published_source_can_be_closed_again(make_run: MakeRun, alice: Any, bob: Any) -> None:
    run = make_run()
    publish(alice, run.submission)
    assert visibility.find_submission(bob, run.submission_id)
    unpublish(alice, run.submission)
    assert visibility.find_submission(bob, run.submission_id) is None


def test_hidden_cases_stay_hidden_from_all_but_staff(
    make_run: MakeRun, alice: Any, bob: Any, staff: Any
) -> None:
    from webapp.submissions.models import CaseResult

    run = make_run(status="done", verdict="WA")
    CaseResult.objects.create(
        run=run, index=0, case="secret name", verdict="WA", sizes={"rows": 7}, hidden=True,
        distribution="large", message="element 3 of the secret", mismatch={"output": "x"},
    )  # fmt: skip
    publish(alice, run.submission)
    for viewer in (alice, bob):
        (case,) = visibility.cases_of(run, viewer)
        assert (case.name, case.sizes, case.message) == ("hidden case 1", {}, "")
        assert case.mismatch is None
    (case,) = visibility.cases_of(run, staff)
    assert case.name == "secret name"


def test_the_previous_best_is_ones_own_fastest_before(
    make_run: MakeRun, bob: Any, kit: Any
) -> None:
    first, second, third = make_run(), make_run(), make_run()
    kit.judge_accepted(first, 2.0)
    kit.judge_accepted(second, 3.0)
    kit.judge_accepted(make_run(owner=bob), 1.0)
    assert visibility.previous_best(first) is None
    found = visibility.previous_best(third)
    assert found is not None
    assert found.pk == first.pk


def test_an_admin_opens_the_sources_of_a_problem_and_changes_nothing_else(
    client: Any, version: Any
) -> None:
    from webapp.accounts.models import User

    client.force_login(User.objects.create_superuser("root", password="a long pass phrase"))
    address = "/admin/problems/problem/transpose/change/"
    assert 'name="slug"' not in client.get(address).content.decode()
    assert client.post(address, {"opens_sources": "on", "slug": "other"}).status_code == 302
    problem = Problem.objects.get()
    assert (problem.slug, problem.opens_sources) == ("transpose", True)
    assert client.post("/admin/problems/problem/transpose/delete/").status_code == 403
