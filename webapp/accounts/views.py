"""The page where people make and revoke their tokens."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from webapp.accounts.forms import TokenForm
from webapp.accounts.tokens import create_token, revoke_token


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def token_list(request: HttpRequest) -> HttpResponse:
    """Lists tokens; a POST makes one and shows its text this one time."""
    user = request.user
    assert user.is_authenticated  # by login_required
    text = None
    form = TokenForm(user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        name, scopes = form.cleaned_data["name"], form.scopes_given()
        _, text = create_token(user, name, scopes, form.expires_at())
        form = TokenForm(user)
    status = 422 if form.is_bound else 200
    context = {"form": form, "tokens": user.tokens.all(), "text": text}
    return render(request, "accounts/tokens.html", context, status=status)


@login_required
@require_POST
def token_revoke(request: HttpRequest, token_id: UUID) -> HttpResponse:
    """Revokes one of the user's own tokens."""
    user = request.user
    assert user.is_authenticated  # by login_required
    token = get_object_or_404(user.tokens, pk=token_id)
    revoke_token(token)
    messages.success(request, f"The token “{token.name}” no longer works.")
    return redirect("tokens")
