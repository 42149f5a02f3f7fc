"""The home page, and the pages for what went wrong (JSON where a program asked)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from webapp.ops.models import Device
from webapp.problems.models import Problem


def home(request: HttpRequest) -> HttpResponse:
    context = {
        "problems": Problem.objects.exclude(current=None).select_related("current"),
        "devices": Device.objects.all(),
    }
    return render(request, "home.html", context)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _failure(request, 400, "bad_request", "The site could not make sense of this request.")


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _failure(request, 403, "not_permitted", "Your account may not do this.")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _failure(request, 404, "not_found", "There is nothing here, or it is not yours to see.")


def server_error(request: HttpRequest) -> HttpResponse:
    message = "The site failed to answer this. That is our fault; its admins can see it."
    return _failure(request, 500, "site_fault", message)


def _failure(request: HttpRequest, status: int, code: str, message: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        error = {"code": code, "message": message, "field": None}
        return JsonResponse({"error": error}, status=status)
    return render(request, f"{status}.html", {"message": message}, status=status)
