"""Who may do what: visitor, user, problem author, admin."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from webapp.accounts.models import ApiToken, User
from webapp.accounts.roles import AUTHORS

pytestmark = pytest.mark.django_db


def scopes_offered(user: User) -> set[str]:
    client = Client()
    client.force_login(user)
    page = client.get("/accounts/tokens/").content.decode()
    return {s for s in ("submit", "reference", "worker") if f'value="{s}"' in page}


def test_a_user_may_submit_and_no_more(alice: Any) -> None:
    assert scopes_offered(alice) == {"submit"}


def test_a_problem_author_may_also_submit_references(alice: Any) -> None:
    alice.groups.add(Group.objects.get(name=AUTHORS))
    author = User.objects.get(pk=alice.pk)
    assert scopes_offered(author) == {"submit", "reference"}
    assert author.has_perm("problems.change_problem")
    assert not author.is_staff


def test_only_staff_make_tokens_for_workers(alice: Any, staff: Any) -> None:
    assert "worker" in scopes_offered(staff)
    client = Client()
    client.force_login(alice)
    form = {"name": "x", "scopes": ["worker"], "expires": "never"}
    assert client.post("/accounts/tokens/", form).status_code == 422
    assert ApiToken.objects.count() == 0


def test_a_tokens_life_is_what_was_chosen(alice: Any) -> None:
    client = Client()
    client.force_login(alice)
    for expires in ("30", "never"):
        client.post("/accounts/tokens/", {"name": expires, "scopes": "submit", "expires": expires})
    lives = {
        token.name: token.expires_at and round((token.expires_at - token.created_at).days)
        for token in ApiToken.objects.all()
    }
    assert lives["never"] is None
    assert lives["30"] in (29, 30)
    page = client.get("/accounts/tokens/").content.decode()
    ApiToken.objects.filter(name="30").update(expires_at=ApiToken.objects.first().created_at)  # type: ignore[union-attr]
    assert "expired" not in page
    assert "expired" in client.get("/accounts/tokens/").content.decode()


def test_what_an_admin_makes_of_the_group_stays(db: None) -> None:
    from django.core.management import call_command

    Group.objects.get(name=AUTHORS).permissions.clear()
    call_command("migrate", verbosity=0)
    assert not Group.objects.get(name=AUTHORS).permissions.exists()
