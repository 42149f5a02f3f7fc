"""The page that submits: a form that needs no script. Rules are in ``services``."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from csp.constants import NONCE
from csp.decorators import csp_update
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from judge.source import MAX_SOURCE_BYTES
from webapp.problems.models import Problem
from webapp.submissions import visibility
from webapp.submissions.availability import device_availability, first_choice
from webapp.submissions.forms import SubmitForm
from webapp.submissions.models import Submission
from webapp.submissions.refusal_answers import headers_of, status_of
from webapp.submissions.services import Refusal, submit

_UNPROCESSABLE = 422


# CodeMirror writes its style sheet at run time; the nonce lets in that one and no other.
@csp_update({"style-src": [NONCE]})  # type: ignore[arg-type]  # typed for views without arguments
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def submit_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The form; a good POST leads to the Run's page, a bad one back here with what was typed."""
    assert request.user.is_authenticated  # by login_required
    problem = get_object_or_404(
        Problem.objects.exclude(current=None).select_related("current"), pk=slug
    )
    version = problem.current
    assert version is not None  # by the query
    status = 200
    headers: dict[str, str] = {}
    devices = device_availability()
    if request.method == "POST":
        form = SubmitForm(request.POST, request.FILES)
        status = _UNPROCESSABLE
        if form.is_valid():
            try:
                device = form.cleaned_data["device"].name
                run = submit(request.user, problem.slug, device, form.source_bytes())
            except Refusal as refusal:
                field = form.source_field() if refusal.field == "source" else refusal.field
                form.add_error(field, refusal.message)
                status, headers = status_of(refusal), headers_of(refusal)
            else:
                return redirect("run", run.pk)
    else:
        initial: dict[str, Any] = {"source": _first_text(request, version.starter)}
        initial["device"] = request.GET.get("device") or first_choice(devices)
        form = SubmitForm(initial=initial)
    context = {
        "form": form,
        "version": version,
        "devices": devices,
        "max_source_bytes": MAX_SOURCE_BYTES,
    }
    response = render(request, "submissions/submit.html", context, status=status)
    for name, value in headers.items():
        response[name] = value
    return response


def _first_text(request: HttpRequest, starter: str) -> str:
    """The source of the submission that ``?from=`` names, if it may be read, else the starter."""
    try:
        given = UUID(request.GET.get("from", ""))
    except ValueError:
        return starter
    found: Submission | None = visibility.find_submission(request.user, given)
    return found.source if found else starter
