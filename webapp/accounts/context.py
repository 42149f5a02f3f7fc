"""What every page may know about signing in; asks the database nothing."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from webapp.accounts import github

_CONSOLE = "django.core.mail.backends.console.EmailBackend"


def sign_in(request: HttpRequest) -> dict[str, bool]:
    """Whether people may use GitHub, and whether e-mail leaves this site."""
    return {
        "github_sign_in": github.is_on(),
        "mail_leaves": settings.EMAIL_BACKEND != _CONSOLE,
    }
