"""Errors of the API: one shape, ``{"error": {"code", "message", "field"}}``, and a status."""

from __future__ import annotations

import json
import logging
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from webapp.api.schemas import ErrorOut
from webapp.outage import MESSAGE, RETRY_SECONDS, is_outage
from webapp.submissions.refusal_answers import headers_of, status_of
from webapp.submissions.services import Refusal

#: The answers other than success that any call may give, for its documentation.
FAILURES: dict[Any, Any] = {frozenset({400, 401, 403, 404, 409, 413, 422, 429}): ErrorOut}

logger = logging.getLogger(__name__)

_HTTP_CODES = {400: "bad_request", 403: "not_permitted", 404: "not_found", 429: "too_many_requests"}


class ApiError(Exception):
    """An answer other than success, made by the API itself."""

    def __init__(self, status: int, code: str, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.field = field


def not_found(what: str) -> ApiError:
    return ApiError(404, "not_found", f"There is no such {what} here, or it is not yours to see.")


def body_of(code: str, message: str, field: str | None = None) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "field": field}}


def install(api: NinjaAPI) -> None:
    """Makes ``api`` answer every exception in the one shape."""

    def answer(
        request: HttpRequest, status: int, code: str, message: str, field: str | None = None
    ) -> HttpResponse:
        response = api.create_response(request, body_of(code, message, field), status=status)
        if status == 401:
            response["WWW-Authenticate"] = 'Bearer realm="warpboard"'
        return response

    @api.exception_handler(ApiError)
    def on_api_error(request: HttpRequest, error: ApiError) -> HttpResponse:
        return answer(request, error.status, error.code, error.message, error.field)

    @api.exception_handler(Refusal)
    def on_refusal(request: HttpRequest, error: Refusal) -> HttpResponse:
        status = status_of(error)
        response = answer(request, status, error.code, error.message, error.field)
        for name, value in headers_of(error).items():
            response[name] = value
        return response

    @api.exception_handler(AuthenticationError)
    def on_no_token(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
        message = "This needs an API token: send the header “Authorization: Bearer wb_…”."
        return answer(request, 401, "no_token", message)

    @api.exception_handler(ValidationError)
    def on_invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
        first = error.errors[0]
        field = str(first["loc"][-1]) if first.get("loc") else None
        message = f"{field}: {first['msg']}." if field else f"{first['msg']}."
        return answer(request, 422, "invalid", message, field)

    @api.exception_handler(RequestDataTooBig)
    def on_too_big(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
        return answer(
            request, 413, "too_large", "The request is too large; a source may be 256 KiB."
        )

    @api.exception_handler(HttpError)
    def on_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
        # ninja wraps whatever goes wrong while it reads a body; what lies below says more.
        cause = error.__cause__
        if isinstance(cause, ApiError):
            return on_api_error(request, cause)
        if isinstance(cause, RequestDataTooBig):
            return on_too_big(request, cause)
        if isinstance(cause, json.JSONDecodeError):
            message = f"The request's body is not JSON: {cause}."
            return answer(request, 400, "not_json", message)
        code = _HTTP_CODES.get(error.status_code, "bad_request")
        return answer(request, error.status_code, code, str(error))

    @api.exception_handler(Http404)
    def on_not_found(request: HttpRequest, error: Http404) -> HttpResponse:
        return answer(request, 404, "not_found", "There is nothing here.")

    @api.exception_handler(Exception)
    def on_our_fault(request: HttpRequest, error: Exception) -> HttpResponse:
        logger.exception("the API failed at %s", request.path, exc_info=error)
        if is_outage(error):
            response = answer(request, 503, "database_away", MESSAGE)
            response["Retry-After"] = RETRY_SECONDS
            return response
        message = "The site failed to answer this. That is our fault; its admins can see it."
        return answer(request, 500, "site_fault", message)
