"""Making, checking and revoking API tokens. Owns the transactions; knows nothing of HTTP."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Q
from django.utils import timezone

from webapp.accounts.models import ApiToken, Scope, User

_PREFIX = "wb_"
_SHOWN_CHARACTERS = 9
#: ``last_used_at`` is written at most this often, so that reads do not become writes.
_USE_RESOLUTION = timedelta(minutes=1)


#: How many tokens that work one user may have.
MAX_LIVE_TOKENS = 50


class TokenFault(StrEnum):
    """Why a token is refused; the value is for whoever sent it."""

    UNKNOWN = "This token is unknown here. Copy it again, or make a new one on your account's page."
    REVOKED = "This token was revoked. Make a new one on your account's page."
    EXPIRED = "This token has expired. Make a new one on your account's page."
    INACTIVE = "This token's account may not sign in any more. Ask an admin of this site."


def live_tokens(user: User) -> int:
    """How many tokens of ``user`` are neither revoked nor expired."""
    lasting = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return user.tokens.filter(lasting, revoked_at=None).count()


def permitted_scopes(user: User) -> list[Scope]:
    """What ``user`` may put into a token. A worker's token opens every package: staff only."""
    scopes = [Scope.SUBMIT]
    if user.has_perm("submissions.submit_reference"):
        scopes.append(Scope.REFERENCE)
    if user.is_staff:
        scopes.append(Scope.WORKER)
    return scopes


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


def find_token(text: str) -> ApiToken | TokenFault:
    """The live token that ``text`` is, or why it is none; notes that it was used."""
    token = ApiToken.objects.select_related("user").filter(digest=digest(text)).first()
    if token is None:
        return TokenFault.UNKNOWN
    if token.revoked_at is not None:
        return TokenFault.REVOKED
    now = timezone.now()
    if token.is_expired(now):
        return TokenFault.EXPIRED
    if not token.user.is_active:
        return TokenFault.INACTIVE
    if token.last_used_at is None or now - token.last_used_at > _USE_RESOLUTION:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


def revoke_token(token: ApiToken) -> None:
    """The token stops working at once; its row stays, so that its owner sees it was revoked."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())
