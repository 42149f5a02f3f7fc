"""How a ``services.Refusal`` is told over HTTP, by pages and API alike."""

from __future__ import annotations

from http import HTTPStatus

from webapp.submissions.services import Refusal

_STATUS = {
    "source_too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "not_permitted": HTTPStatus.FORBIDDEN,
    "already_done": HTTPStatus.CONFLICT,
    "too_many_runs": HTTPStatus.TOO_MANY_REQUESTS,
    "too_many_submissions": HTTPStatus.TOO_MANY_REQUESTS,
}


def status_of(refusal: Refusal) -> int:
    """The status; 422 for what is merely wrong."""
    return int(_STATUS.get(refusal.code, HTTPStatus.UNPROCESSABLE_ENTITY))


def headers_of(refusal: Refusal) -> dict[str, str]:
    """``Retry-After`` and what is left of the hour, where that is why."""
    left = refusal.allowance
    return {"Retry-After": str(left.reset_s), **left.headers} if left else {}
