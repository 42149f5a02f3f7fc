"""Django system checks: a site that is set up wrongly says so, with an id and what to do.

``manage.py check`` and every server start run them.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.checks import Warning as Caution

from webapp.environment import PROBLEMS, is_given, text

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
_MIN_SECRET_CHARACTERS = 32
_KEY_HINT = 'Set it to the output of: python -c "import secrets; print(secrets.token_hex(32))"'


def _public() -> list[str]:
    """The names by which others reach the site."""
    return [host for host in settings.ALLOWED_HOSTS if host not in _LOOPBACK]


@register()
def unreadable_settings(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """webapp.E002 to E006, E008 and E010: a variable holds what its kind does not allow."""
    return [Error(p.message, hint=p.hint, id=p.id) for p in PROBLEMS]


@register()
def secret_key(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """webapp.E001 and W001: the key is too short to be secret, or not set.

    A site for others needs one: its processes must share it, and it must outlive them.
    """
    given = text("WARPBOARD_SECRET_KEY")
    if not given and not _public():
        return [
            Caution(
                "WARPBOARD_SECRET_KEY is not set: sign-ins end when this process does.",
                hint=_KEY_HINT,
                id="webapp.W001",
            )
        ]
    if len(given) < _MIN_SECRET_CHARACTERS:
        return [
            Error(
                f"WARPBOARD_SECRET_KEY has {len(given)} characters; "
                f"it needs at least {_MIN_SECRET_CHARACTERS} random ones.",
                hint=_KEY_HINT,
                id="webapp.E001",
            )
        ]
    return []


@register()
def exposure(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """webapp.E007 and W002: what is fine on one's own machine is not fine on a network."""
    public = _public()
    found: list[CheckMessage] = []
    if public and settings.DEBUG:
        found.append(
            Error(
                f"WARPBOARD_DEBUG is on while the site answers to {public[0]!r}: "
                "every visitor can read tracebacks and settings.",
                hint="Unset WARPBOARD_DEBUG, or take the host out of WARPBOARD_ALLOWED_HOSTS.",
                id="webapp.E007",
            )
        )
    if public and settings.WARPBOARD_INSECURE_COOKIES:
        found.append(
            Caution(
                f"The site answers to {public[0]!r} with cookies that cross the network "
                "unencrypted.",
                hint="Serve it behind a proxy with TLS and unset WARPBOARD_INSECURE_COOKIES.",
                id="webapp.W002",
            )
        )
    return found


@register()
def email(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """webapp.W003: people of a public site wait for e-mail that only its log ever sees."""
    public = _public()
    if not public or is_given("WARPBOARD_EMAIL_URL"):
        return []
    return [
        Caution(
            f"The site answers to {public[0]!r} but sends no e-mail: password resets are printed "
            "to its log.",
            hint="Set WARPBOARD_EMAIL_URL to a mail server, or to console: if that is meant.",
            id="webapp.W003",
        )
    ]


@register()
def github(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """webapp.E009: half of the OAuth app is named, so that sign-in with GitHub stays off."""
    names = ("WARPBOARD_GITHUB_CLIENT_ID", "WARPBOARD_GITHUB_CLIENT_SECRET")
    missing = [name for name in names if not text(name)]
    if len(missing) != 1:
        return []
    return [
        Error(
            f"{missing[0]} is not set, so nobody can sign in with GitHub.",
            hint=f"Set it to what the OAuth app's page shows, or unset the other of {names}.",
            id="webapp.E009",
        )
    ]
