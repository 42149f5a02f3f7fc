"""The home page, and the pages for what went wrong (JSON where a program asked)."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from webapp.leaderboards.live import LiveBoard, live_board
from webapp.ops.models import Device
from webapp.outage import MESSAGE, RETRY_SECONDS, is_outage
from webapp.problems.models import Problem

#: Problems that the home page lists; the others are a link away.
_PROBLEMS_AT_HOME = 8


def home(request: HttpRequest) -> HttpResponse:
    """What this is, the most active board, and how to start, on one screen."""
    problems = Problem.objects.exclude(current=None)
    listed = problems.select_related("current").only(
        "slug", "current__title", "current__difficulty"
    )
    devices = list(Device.objects.all())
    live = live_board(request.user.pk if request.user.is_authenticated else None)
    context = {
        "live": live,
        "problems": list(listed[:_PROBLEMS_AT_HOME]),
        "problem_count": problems.count(),
        "example": _example(live),
        "devices": devices,
        "device": live.board.device if live else next(iter(devices), None),
        "site": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "home.html", context)


def _example(live: LiveBoard | None) -> str | None:
    """A problem's slug to show a command with."""
    if live is not None:
        return live.board.version.problem_id
    return Problem.objects.exclude(current=None).values_list("pk", flat=True).first()


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _failure(request, 400, "bad_request", "The site could not make sense of this request.")


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _failure(request, 403, "not_permitted", "Your account may not do this.")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _failure(request, 404, "not_found", "There is nothing here, or it is not yours to see.")


def server_error(request: HttpRequest) -> HttpResponse:
    # Django calls this while it handles what went wrong, and hands it on in no other way.
    if is_outage(sys.exception()):
        response = _failure(request, 503, "database_away", MESSAGE)
        response["Retry-After"] = RETRY_SECONDS
        return response
    message = "The site failed to answer this. That is our fault; its admins can see it."
    return _failure(request, 500, "site_fault", message)


def _failure(request: HttpRequest, status: int, code: str, message: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        error = {"code": code, "message": message, "field": None}
        return JsonResponse({"error": error}, status=status)
    return render(request, f"{status}.html", {"message": message}, status=status)
