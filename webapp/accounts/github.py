"""Sign-in with GitHub: off, and nowhere to be seen, until an OAuth app is named by environment.

``webapp.settings`` imports this, so it knows no model and no setting.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse

View = Callable[..., HttpResponse]


def github_provider(client_id: str, secret: str, url: str) -> dict[str, Any]:
    """allauth's ``SOCIALACCOUNT_PROVIDERS``: empty without both parts of an OAuth app.

    ``url`` is github.com or an Enterprise server; allauth finds the latter's API below it.
    """
    if not client_id or not secret:
        return {}
    app = {"client_id": client_id, "secret": secret}
    github: dict[str, Any] = {"APPS": [app], "VERIFIED_EMAIL": True}
    if url.rstrip("/") != "https://github.com":
        github["GITHUB_URL"] = url
    return {"github": github}


def is_on() -> bool:
    from django.conf import settings

    return bool(settings.SOCIALACCOUNT_PROVIDERS)


def where_on(view: View) -> View:
    """``view``, not found while sign-in with GitHub is off."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not is_on():
            raise Http404
        return view(request, *args, **kwargs)

    return guarded
