"""What allauth asks the site: whether people may sign up, and how its mail leaves."""

from __future__ import annotations

import logging
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as allauth_context
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest

logger = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth is untyped
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return bool(settings.WARPBOARD_SIGNUP)

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Whether to ask for the password again; who has none cannot be asked."""
        request = allauth_context.request
        has_password = request is None or request.user.has_usable_password()
        return has_password and bool(super().is_reauthentication_required(app=app, **kwargs))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Sends a mail; a mail server that fails costs the reader a word, not the request.

        Otherwise nobody could sign up while it is away.
        """
        try:
            super().send_mail(template_prefix, email, context)
        except (SMTPException, OSError):
            logger.exception("e-mail could not be sent (%s)", template_prefix)
            request = allauth_context.request
            if request is not None:
                messages.error(
                    request,
                    "The site could not send e-mail just now. Its admins can see why; "
                    "try again later.",
                )
