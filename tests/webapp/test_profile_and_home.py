"""Profiles show others what boards show and oneself everything; home shows what is live."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from judge.cli.main import main
from judge.domain import Verdict
from judge.events import Finished
from webapp.accounts.models import User
from webapp.leaderboards.live import most_active_board
from webapp.leaderboards.models import Entry
from webapp.ops.models import Device
from webapp.profiles.reading import WEEKS, read_profile
from webapp.submissions.models import Run

pytestmark = pytest.mark.django_db

MakeRun = Callable[..., Any]


def page_of(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return html.unescape(answer.content.decode())


def plain(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


@pytest.fixture
def judged(make_run: MakeRun, alice: Any, kit: Any) -> tuple[Any, Any]:
    """One accepted and one wrong Run of alice."""
    good, bad = make_run(), make_run()
    kit.judge_accepted(good, 2.0)
    kit.Speaker(bad).say(Finished(Verdict.WA, "Wrong."))
    return good, bad


@pytest.fixture
def judged_on(make_run: MakeRun, kit: Any) -> Callable[[Any, float], None]:
    """``judged_on(device, ms)``: an accepted Run of alice on another device."""

    def make(device: Any, ms: float) -> None:
        run = make_run()
        kit.judge_accepted(run, ms)
        Entry.objects.filter(run=run).update(device=device)
        Run.objects.filter(pk=run.pk).update(device=device)

    return make


def test_others_see_accepted_runs_only(client: Client, bob: Any, judged: tuple[Any, Any]) -> None:
    good, bad = judged
    for sign_in in (False, True):
        if sign_in:
            client.force_login(bob)
        page = page_of(client, "/people/alice/")
        assert str(good.pk) in page
        assert str(bad.pk) not in page
        assert "wrong answer" not in page
        assert "Accepted runs, newest first" in page
        assert "1 runs, 1 of them accepted" in page


def test_oneself_and_staff_see_all_runs(
    signed_in: Client, client: Client, staff: Any, judged: tuple[Any, Any]
) -> None:
    client.force_login(staff)
    for viewer in (signed_in, client):
        page = page_of(viewer, "/people/alice/")
        assert str(judged[1].pk) in page
        assert "wrong answer" in page
        assert "2 runs, 1 of them accepted" in page


def test_a_profile_has_ranks_and_what_is_solved(
    client: Client, make_run: MakeRun, bob: Any, judged: tuple[Any, Any], kit: Any
) -> None:
    kit.judge_accepted(make_run(owner=bob), 1.0)
    page = plain(page_of(client, "/people/alice/"))
    assert "1 of 1 problems solved" in page
    assert "2 of 2 0.0 2.000" in page
    assert "emulated, not a GPU time" in page
    assert "easy 1 of 1" in page
    bobs = plain(page_of(client, "/people/bob/"))
    assert "1 of 2 100.0 1.000" in bobs


def test_ranks_on_earlier_versions_come_last_and_are_marked(
    client: Client, version: Any, judged: tuple[Any, Any]
) -> None:
    from webapp.problems.models import ProblemVersion

    newer = ProblemVersion.objects.get(pk=version.pk)
    newer.pk, newer.digest = None, "1" * 64
    newer.save()
    version.problem.current = newer
    version.problem.save()
    page = page_of(client, "/people/alice/")
    assert "earlier version" in page
    assert f"/boards/transpose/emulated/?version={version.digest}" in page


def test_a_profile_of_nobody_or_of_a_closed_account_is_not_there(
    client: Client, alice: Any
) -> None:
    page_of(client, "/people/nobody/", status=404)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    page_of(client, "/people/alice/", status=404)


def test_names_with_marks_have_profiles(client: Client, db: None) -> None:
    User.objects.create_user("a.b+c@d-e")
    assert "a.b+c@d-e" in page_of(client, "/people/a.b+c@d-e/")


def test_an_empty_profile_says_what_to_do(signed_in: Client, version: Any) -> None:
    page = page_of(signed_in, "/people/alice/")
    assert "Choose a problem" in page
    assert "No runs to show" in page
    assert "0 of 1" in plain(page)


def test_activity_counts_weeks_from_mondays(alice: Any, make_run: MakeRun) -> None:
    now = timezone.now()
    monday = datetime.combine(
        (now - timedelta(days=now.weekday())).date(), datetime.min.time(), tzinfo=UTC
    )
    for moment in (
        monday,
        monday - timedelta(seconds=1),
        monday - timedelta(weeks=1),
        monday - timedelta(weeks=WEEKS),
    ):
        Run.objects.filter(pk=make_run().pk).update(created_at=moment)
    weeks = read_profile(alice, alice).weeks
    assert [week.runs for week in weeks] == [0] * (WEEKS - 2) + [2, 1]


def test_a_profile_takes_a_fixed_number_of_queries(
    signed_in: Client,
    judged_on: Callable[[Any, float], None],
    django_assert_max_num_queries: Any,
) -> None:
    for index in range(12):
        board = Device.objects.create(name=f"gpu{index}", kind="cuda")
        judged_on(board, 1.0 + index)
    with django_assert_max_num_queries(12):
        page = page_of(signed_in, "/people/alice/")
    assert "on 12 boards" in page


def test_the_board_links_to_profiles(client: Client, judged: tuple[Any, Any]) -> None:
    assert 'href="/people/alice/"' in page_of(client, "/boards/transpose/emulated/")


def test_home_without_anything_says_how_to_begin(client: Client, db: None) -> None:
    page = page_of(client, "/")
    assert "load_problems" in page
    assert "Sign up to submit" in page
    assert "pip install warpboard" in page
    assert 'class="board"' not in page


def test_home_with_problems_but_no_entries_invites_the_first(client: Client, version: Any) -> None:
    page = page_of(client, "/")
    assert "The first one opens a board" in page
    assert "--problem transpose" in page


def test_home_shows_the_most_active_board(
    signed_in: Client, judged: tuple[Any, Any], make_run: MakeRun, kit: Any
) -> None:
    kit.judge_accepted(make_run(reference="v01_naive"), 8.0)
    page = page_of(signed_in, "/")
    assert 'aria-labelledby="live-wide-title"' in page
    assert "The fastest 2 of 2" in page
    assert "4.00×" in page
    assert "emulated, not a GPU time" in page
    assert "Sign up to submit" not in page


def test_the_most_active_board_is_the_one_that_changed_most_lately(
    make_run: MakeRun,
    judged_on: Callable[[Any, float], None],
    bob: Any,
    alice: Any,
    device: Any,
    kit: Any,
) -> None:
    assert most_active_board() is None
    h200 = Device.objects.create(name="h200", kind="cuda")
    judged_on(h200, 1.0)
    for owner in (alice, bob):
        kit.judge_accepted(make_run(owner=owner), 1.0)
    live = most_active_board()
    assert live is not None
    assert live.device == device
    Entry.objects.filter(device=device).update(changed_at=timezone.now() - timedelta(days=40))
    live = most_active_board()
    assert live is not None
    assert live.device == h200


def test_home_lists_a_few_problems_and_links_to_the_rest(
    client: Client, version: Any, django_assert_max_num_queries: Any
) -> None:
    from webapp.problems.models import Problem, ProblemVersion

    for index in range(30):
        copy = ProblemVersion.objects.get(pk=version.pk)
        problem = Problem.objects.create(slug=f"p{index}")
        copy.pk, copy.digest, copy.problem = None, f"{index:064}", problem
        copy.save()
        problem.current = copy
        problem.save()
    with django_assert_max_num_queries(10):
        page = page_of(client, "/")
    assert "8 of 31" in page
    assert "all problems" in page


def test_the_commands_at_home_are_commands_there_are(
    client: Client, version: Any, device: Any
) -> None:
    page = page_of(client, "/").replace("\\\n", " ")
    shown = re.findall(r"warpboard (login|submit|judge)([^\n<]*)", page)
    assert [command for command, _ in shown] == ["login", "submit", "judge"]
    for command, rest in shown:
        parser = main.commands[command]
        required = {o for p in parser.params if p.required for o in p.opts if o.startswith("--")}
        known = {option for parameter in parser.params for option in parameter.opts}
        given = set(re.findall(r"--[a-z-]+", rest))
        assert required <= given <= known, command
