"""Accounts: sign-up with and without an address, lost passwords, new addresses, throttled tries."""

from __future__ import annotations

import re
from smtplib import SMTPServerDisconnected
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client

from webapp.accounts.models import User
from webapp.environment import parse_email_url

pytestmark = pytest.mark.django_db

PASSWORD = "a long pass phrase"
OTHER = "another long pass phrase"


def sign_up(client: Client, username: str, email: str = "") -> Any:
    form = {"username": username, "email": email, "password1": PASSWORD, "password2": PASSWORD}
    return client.post("/accounts/signup/", form)


def confirm_password(client: Client) -> None:
    assert client.post("/accounts/reauthenticate/", {"password": PASSWORD}).status_code == 302


def link_in_mail(index: int = -1) -> str:
    """The path of the link in one of the mails sent so far."""
    (path,) = re.findall(r"https?://testserver(/accounts/\S+)", mail.outbox[index].body)
    return str(path)


def test_an_address_is_optional_and_nothing_waits_for_it(client: Client) -> None:
    assert sign_up(client, "carol")["Location"] == "/"
    assert mail.outbox == []
    other = Client()
    assert sign_up(other, "dave", "dave@example.org")["Location"] == "/"
    assert [m.to for m in mail.outbox] == [["dave@example.org"]]
    assert "dave" in other.get("/").content.decode()


def test_a_forgotten_password_is_reset_by_mail(client: Client) -> None:
    sign_up(client, "carol", "carol@example.org")
    visitor = Client()
    asked = visitor.post("/accounts/password/reset/", {"email": "Carol@example.org"}, follow=True)
    assert "A link is on its way" in asked.content.decode()
    page = visitor.get(link_in_mail(), follow=True)
    assert "Set a new password" in page.content.decode()
    where = page.redirect_chain[-1][0]
    visitor.post(where, {"password1": OTHER, "password2": OTHER})
    assert User.objects.get(username="carol").check_password(OTHER)
    again = Client().get(link_in_mail(1), follow=True).content.decode()
    assert "This link no longer works" in again
    assert "change was made to your account" in mail.outbox[-1].body


def test_an_unknown_address_gets_the_same_answer(client: Client) -> None:
    answer = client.post("/accounts/password/reset/", {"email": "no@example.org"}, follow=True)
    assert "A link is on its way" in answer.content.decode()


def test_where_no_mail_leaves_the_page_says_who_has_the_link(client: Client, settings: Any) -> None:
    assert "an admin finds the message" not in client.get("/accounts/email/sent/").content.decode()
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    assert "an admin finds the message" in client.get("/accounts/email/sent/").content.decode()


def test_a_new_address_counts_once_it_is_confirmed(client: Client) -> None:
    sign_up(client, "carol", "carol@example.org")
    client.get(link_in_mail())
    client.post(link_in_mail())
    confirm_password(client)
    client.post("/accounts/email/", {"email": "new@example.org", "action_add": ""})
    page = client.get("/accounts/email/").content.decode()
    assert "Now: <strong>carol@example.org</strong>" in page
    assert "<strong>new@example.org</strong> waits to be confirmed" in page
    client.post(link_in_mail())
    assert User.objects.get(username="carol").email == "new@example.org"
    page = client.get("/accounts/email/").content.decode()
    assert "Now: <strong>new@example.org</strong>" in page


class AwayBackend(EmailBackend):
    """A mail server that hangs up."""

    def send_messages(self, messages: Any) -> int:
        raise SMTPServerDisconnected("Connection unexpectedly closed")


def test_a_mail_server_that_is_away_stops_nobody_from_signing_up(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail, "get_connection", lambda *args, **kwargs: AwayBackend())
    assert sign_up(client, "carol", "carol@example.org")["Location"] == "/"
    assert "could not send e-mail just now" in client.get("/").content.decode()


def test_guessing_passwords_is_throttled_with_a_page_that_says_so(client: Client) -> None:
    User.objects.create_user("carol", password=PASSWORD)
    for _ in range(5):
        client.post("/accounts/login/", {"login": "carol", "password": "wrong"})
    answer = client.post("/accounts/login/", {"login": "carol", "password": PASSWORD})
    assert "Too many failed login attempts" in answer.content.decode()
    for _ in range(30):
        answer = client.post("/accounts/login/", {"login": "dave", "password": "wrong"})
    assert answer.status_code == 429
    assert "Wait five minutes" in answer.content.decode()


def test_a_stolen_session_cannot_take_the_account_over(alice: Any, client: Client) -> None:
    client.force_login(alice)
    change = {"email": "evil@example.org", "action_add": ""}
    answer = client.post("/accounts/email/", change)
    assert answer["Location"].startswith("/accounts/reauthenticate/")
    assert not alice.emailaddress_set.exists()
    page = client.get("/accounts/reauthenticate/").content.decode()
    assert "asks for the password again" in page


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://me:p%40ss@mail.example.org", ("mail.example.org", 587, "p@ss", False, True)),
        ("smtps://me:x@mail.example.org", ("mail.example.org", 465, "x", True, False)),
        ("smtp://relay:25?starttls=0", ("relay", 25, "", False, False)),
    ],
)
def test_a_mail_url_becomes_what_django_needs(url: str, expected: tuple[Any, ...]) -> None:
    found = parse_email_url(url)
    keys = ("HOST", "PORT", "HOST_PASSWORD", "USE_SSL", "USE_TLS")
    assert tuple(found[f"EMAIL_{key}"] for key in keys) == expected


@pytest.mark.parametrize("url", ["", "mail.example.org", "imap://h", "smtp://", "smtp://h?tls=1"])
def test_a_bad_mail_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_email_url(url)
