"""What is settled around every view: bodies that are too large, methods that mean nothing."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render

#: A source of 256 KiB, each byte of it escaped as ``\u00xx`` in JSON, and room for the rest.
MAX_BODY_BYTES = 2 * 1024 * 1024


class BodyLimitMiddleware:
    """Answers 413 to a request that announces more than ``MAX_BODY_BYTES``."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        announced = request.headers.get("Content-Length", "0")
        if not announced.isdecimal() or int(announced) <= MAX_BODY_BYTES:
            return self.get_response(request)
        message = (
            f"The request is {int(announced)} bytes or more; the site takes at most "
            f"{MAX_BODY_BYTES}. A source may have 256 KiB."
        )
        if request.path.startswith("/api/"):
            error = {"code": "too_large", "message": message, "field": None}
            return JsonResponse({"error": error}, status=413)
        return render(request, "413.html", {"message": message}, status=413)


class CompressionMiddleware(GZipMiddleware):
    """Django's gzip (which pads against BREACH), but for streams: their events must not wait."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        return response if response.streaming else super().process_response(request, response)


class MethodRefusalMiddleware:
    """Gives the API's 405, which django-ninja answers in plain text, the shape of its errors."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != 405 or not request.path.startswith("/api/"):
            return response
        allowed = response.get("Allow", "")
        message = f"{request.method} means nothing here. Allowed: {allowed or 'nothing'}."
        error = {"code": "method_not_allowed", "message": message, "field": None}
        return JsonResponse({"error": error}, status=405, headers={"Allow": allowed})
