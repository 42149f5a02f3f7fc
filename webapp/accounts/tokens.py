"""Making, checking and revoking API tokens. Owns the transactions; knows nothing of HTTP."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils import timezone

from webapp.accounts.models import ApiToken, Scope, User

_PREFIX = "wb_"
_SHOWN_CHARACTERS = 9
#: ``last_used_at`` is written at most this often, so that reads do not become writes.
_USE_RESOLUTION = timedelta(minutes=1)


def digest(text: str) -> str:
    """What is stored of a token. The text has 256 random bits, so a plain hash suffices."""
    return hashlib.sha256(text.encode()).hexdigest()


def create_token(
    user: User, name: str, scopes: Sequence[Scope], expires_at: datetime | None = None
) -> tuple[ApiToken, str]:
    """A new token and its text, which nobody can read again later."""
    text = _PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        prefix=text[:_SHOWN_CHARACTERS],
        digest=digest(text),
        scopes=[scope.value for scope in scopes],
        expires_at=expires_at,
    )
    return token, text


def find_token(text: str) -> ApiToken | None:
    """The live token that ``text`` is, or None; notes that it was used."""
    token = ApiToken.objects.select_related("user").filter(digest=digest(text)).first()
    now = timezone.now()
    if token is None or not token.is_live(now):
        return None
    if token.last_used_at is None or now - token.last_used_at > _USE_RESOLUTION:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


def revoke_token(token: ApiToken) -> None:
    """The token stops working at once; its row stays, so that its owner sees it was revoked."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())
