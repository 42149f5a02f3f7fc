"""Forms of accounts: what allauth's need in addition, and the form that makes a token."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from allauth.account import forms as allauth
from django import forms
from django.utils import timezone

from webapp.accounts.models import Scope, User
from webapp.accounts.tokens import MAX_LIVE_TOKENS, live_tokens, permitted_scopes

#: What a token's life may be; None is for ever.
_LIVES: dict[str, timedelta | None] = {
    "30": timedelta(days=30),
    "90": timedelta(days=90),
    "365": timedelta(days=365),
    "never": None,
}


class SignupForm(allauth.SignupForm):  # type: ignore[misc]  # allauth is untyped
    """allauth's, saying what the address is for."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        email = self.fields["email"]
        email.label = "E-mail (optional)"
        email.help_text = "Only to reset a forgotten password. Nobody else sees it."


class TokenForm(forms.Form):
    """Name, scopes and expiry of a new token; offers ``user`` only the scopes they may give."""

    name = forms.CharField(
        max_length=64,
        label="Name",
        help_text="What will use it: a machine, a course, a script.",
    )
    scopes = forms.MultipleChoiceField(
        label="May",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one thing that the token may do."},
    )
    expires = forms.ChoiceField(
        label="Stops working",
        choices=[
            ("30", "after 30 days"),
            ("90", "after 90 days"),
            ("365", "after a year"),
            ("never", "never"),
        ],
        initial="90",
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._user = user
        scopes = self.fields["scopes"]
        assert isinstance(scopes, forms.MultipleChoiceField)
        scopes.choices = [(scope.value, scope.label) for scope in permitted_scopes(user)]
        scopes.initial = [Scope.SUBMIT.value]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if not name.isprintable():
            raise forms.ValidationError("Use printable characters only, on one line.")
        if live_tokens(self._user) >= MAX_LIVE_TOKENS:
            raise forms.ValidationError(
                f"You have {MAX_LIVE_TOKENS} tokens that work, which is the limit. Revoke one."
            )
        return name

    def scopes_given(self) -> list[Scope]:
        return [Scope(value) for value in self.cleaned_data["scopes"]]

    def expires_at(self) -> datetime | None:
        life = _LIVES[self.cleaned_data["expires"]]
        return timezone.now() + life if life else None
