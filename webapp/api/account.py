"""Calls about the token's own account: whom it speaks for, and that account's tokens.

A token makes no other: whoever steals one must not be able to outlive its revocation. New tokens
are made on the account's page.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest
from ninja import Router, Status

from webapp.accounts.models import ApiToken, Scope
from webapp.accounts.tokens import revoke_token
from webapp.api import errors
from webapp.api.auth import AnyToken, TokenRequired, token_of
from webapp.api.schemas import MeOut, TokenList
from webapp.submissions.limits import unfinished_runs

router = Router(tags=["account"])


@router.get(
    "me",
    response={200: MeOut, **errors.FAILURES},
    auth=AnyToken(),
    summary="Whom this token speaks for, and its scopes",
)
def read_me(request: HttpRequest) -> Any:
    token = token_of(request)
    user = token.user
    is_curator = user.has_perm("submissions.submit_reference")
    return {
        "username": user.get_username(),
        "token": token.name,
        "scopes": token.scopes,
        "expires_at": token.expires_at,
        "is_staff": user.is_staff,
        "submits_references": is_curator,
        "submissions_an_hour": None if is_curator else settings.WARPBOARD_SUBMISSIONS_AN_HOUR,
        "max_unfinished_runs": None if is_curator else settings.WARPBOARD_MAX_UNFINISHED_RUNS,
        "unfinished_runs": unfinished_runs(user),
    }


@router.get(
    "tokens",
    response={200: TokenList, **errors.FAILURES},
    auth=TokenRequired(Scope.SUBMIT),
    summary="Your tokens, newest first; never their text",
)
def list_tokens(request: HttpRequest) -> Any:
    own = token_of(request)
    return {
        "tokens": [_token(token, own) for token in ApiToken.objects.filter(user=own.user)[:1000]]
    }


@router.delete(
    "tokens/{token_id}",
    response={204: None, **errors.FAILURES},
    auth=TokenRequired(Scope.SUBMIT),
    summary="Revoke one of your tokens, this one included",
)
def delete_token(request: HttpRequest, token_id: UUID) -> Any:
    token = ApiToken.objects.filter(user=token_of(request).user, pk=token_id).first()
    if token is None:
        raise errors.not_found("token")
    revoke_token(token)
    return Status(204, None)


def _token(token: ApiToken, own: ApiToken) -> dict[str, Any]:
    return {
        "id": token.pk,
        "name": token.name,
        "prefix": token.prefix,
        "scopes": token.scopes,
        "state": token.state,
        "is_this": token.pk == own.pk,
        "created_at": token.created_at,
        "last_used_at": token.last_used_at,
        "expires_at": token.expires_at,
    }
