"""Who calls the API: bearer tokens alone. Sessions do not count, so CSRF is no concern here."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from ninja.security import HttpBearer

from webapp.accounts.models import ApiToken, Scope, User
from webapp.accounts.tokens import TokenFault, find_token
from webapp.api.errors import ApiError


class TokenRequired(HttpBearer):
    """A live token with ``scope``."""

    def __init__(self, scope: Scope) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken:
        found = _live(token)
        if not found.has_scope(self.scope):
            raise ApiError(
                403,
                "wrong_scope",
                f"This token lacks the scope “{self.scope.value}”. Make one that has it.",
            )
        return found


class AnyToken(HttpBearer):
    """A live token, whatever its scopes."""

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken:
        return _live(token)


class TokenWelcome(HttpBearer):
    """Public, but a token that is given must be live: its owner sees more."""

    def __call__(self, request: HttpRequest) -> Any:
        if "Authorization" not in request.headers:
            return AnonymousUser()
        return super().__call__(request)

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken:
        return _live(token)


def token_of(request: HttpRequest) -> ApiToken:
    """The token of a call behind ``TokenRequired`` or ``AnyToken``."""
    token = getattr(request, "auth", None)
    if not isinstance(token, ApiToken):
        raise TypeError("token_of() is for calls that need a token")
    return token


def viewer_of(request: HttpRequest) -> User | AnonymousUser:
    """Whom a call speaks for. A worker's token speaks for nobody: it may fetch packages only."""
    token = getattr(request, "auth", None)
    if isinstance(token, ApiToken) and token.has_scope(Scope.SUBMIT):
        return token.user
    return AnonymousUser()


_FAULT_CODES = {
    TokenFault.UNKNOWN: "bad_token",
    TokenFault.REVOKED: "revoked_token",
    TokenFault.EXPIRED: "expired_token",
    TokenFault.INACTIVE: "inactive_account",
}


def _live(text: str) -> ApiToken:
    found = find_token(text)
    if isinstance(found, TokenFault):
        raise ApiError(401, _FAULT_CODES[found], found.value)
    return found
