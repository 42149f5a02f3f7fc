"""Sign-in with GitHub against a GitHub of our own: off without an OAuth app, whole with one."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.socialaccount.providers.github.views import GitHubOAuth2Adapter
from django.test import Client

from webapp.accounts.github import github_provider
from webapp.accounts.models import User

pytestmark = pytest.mark.django_db

PAGES = ("", "login/", "login/callback/", "signup/", "cancelled/", "error/")


class _GitHub(BaseHTTPRequestHandler):
    """The three answers that signing in needs."""

    _ANSWERS: dict[str, Any] = {  # noqa: RUF012 - never changed
        "/login/oauth/access_token": {"access_token": "t", "scope": "user:email"},
        "/api/v3/user": {"id": 583231, "login": "octocat", "name": "Mona"},
        "/api/v3/user/emails": [
            {"email": "octocat@example.org", "primary": True, "verified": True}
        ],
    }

    def do_GET(self) -> None:
        body = json.dumps(self._ANSWERS[urlsplit(self.path).path]).encode()
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815 - http.server's name

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - http.server's name
        pass


@pytest.fixture
def github(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A GitHub on loopback that the site is set up for."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _GitHub)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}"
    settings.SOCIALACCOUNT_PROVIDERS = github_provider("an-id", "a-secret", url)
    # allauth reads GITHUB_URL when it is imported, which was before this test.
    addresses = {
        "access_token_url": "/login/oauth/access_token",
        "authorize_url": "/login/oauth/authorize",
        "profile_url": "/api/v3/user",
        "emails_url": "/api/v3/user/emails",
    }
    for name, path in addresses.items():
        monkeypatch.setattr(GitHubOAuth2Adapter, name, url + path)
    yield url
    server.shutdown()
    thread.join()
    server.server_close()


def come_back(client: Client, query: str = "") -> Any:
    """Presses the button and comes back from GitHub."""
    asked = client.post(f"/accounts/github/login/{query}")
    state = parse_qs(urlsplit(asked["Location"]).query)["state"][0]
    return client.get("/accounts/github/login/callback/", {"code": "c", "state": state})


def test_without_an_app_github_is_nowhere(client: Client, alice: Any) -> None:
    client.force_login(alice)
    for page in PAGES:
        assert client.get(f"/accounts/github/{page}").status_code == 404
    assert "GitHub" not in client.get("/accounts/tokens/").content.decode()
    for page in ("login", "signup"):
        assert "GitHub" not in Client().get(f"/accounts/{page}/").content.decode()


def test_half_an_app_is_no_app() -> None:
    assert github_provider("an-id", "", "https://github.com") == {}
    assert github_provider("", "a-secret", "https://github.com") == {}


def test_a_visitor_becomes_a_user_in_one_click(client: Client, github: str) -> None:
    assert "Sign in with GitHub" in client.get("/accounts/login/").content.decode()
    asked = client.post("/accounts/github/login/")
    assert asked["Location"].startswith(f"{github}/login/oauth/authorize?")
    assert come_back(client)["Location"] == "/"
    user = User.objects.get()
    assert (user.username, user.email, user.has_usable_password()) == (
        *("octocat", "octocat@example.org"),
        False,
    )
    assert "Set a password" in client.get("/accounts/tokens/").content.decode()
    assert client.get("/accounts/password/set/").status_code == 200


def test_an_address_that_is_taken_opens_no_other_account(client: Client, github: str) -> None:
    """Otherwise whoever makes a GitHub account with your address would be you."""
    taken = User.objects.create_user("carol", "octocat@example.org", "a long pass phrase")
    come_back(client)
    assert "_auth_user_id" not in client.session or client.session["_auth_user_id"] != str(taken.pk)


def test_a_name_that_is_taken_is_asked_for_or_changed(client: Client, github: str) -> None:
    User.objects.create_user("octocat", password="a long pass phrase")
    come_back(client)
    (made,) = User.objects.exclude(username="octocat")
    assert made.email == "octocat@example.org"


def test_a_user_connects_github_and_signs_in_with_it(
    client: Client, alice: Any, github: str
) -> None:
    client.force_login(alice)
    client.post("/accounts/reauthenticate/", {"password": "a long pass phrase"})
    come_back(client, "?process=connect")
    assert "octocat" in client.get("/accounts/github/").content.decode().lower()
    visitor = Client()
    come_back(visitor)
    assert visitor.session["_auth_user_id"] == str(alice.pk)


def test_who_says_no_at_github_is_told_how_else(client: Client, github: str) -> None:
    client.post("/accounts/github/login/")
    denied = {"error": "access_denied"}
    answer = client.get("/accounts/github/login/callback/", denied, follow=True)
    assert "Not signed in" in answer.content.decode() or "could not" in answer.content.decode()
