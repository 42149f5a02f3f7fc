"""Pages of Runs. Who may see what is in ``visibility``."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from webapp.submissions import visibility
from webapp.submissions.models import Run
from webapp.submissions.progress import progress_of

_RUNS_A_PAGE = 50
#: htmx's status for "swap this in, and stop polling".
_STOP_POLLING = 286


@login_required
def run_list(request: HttpRequest) -> HttpResponse:
    """The signed-in user's Runs, newest first."""
    assert request.user.is_authenticated  # by login_required
    runs = Run.objects.filter(submission__owner=request.user).select_related(
        "submission__version", "device"
    )
    page = Paginator(runs, _RUNS_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "submissions/runs.html", {"page": page})


@never_cache
def run_page(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The Run; while it is judged the page polls its fragment, or without scripts reloads."""
    return render(request, "submissions/run.html", _context(request, run_id))


@never_cache
def run_fragment(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The part of the Run's page that changes."""
    context = _context(request, run_id)
    status = _STOP_POLLING if context["run"].is_done else 200
    return render(request, "submissions/_run.html", context, status=status)


def run_source(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The source as a text file, for those who may read it."""
    run = _visible(request, run_id)
    if not visibility.may_see_source(request.user, run.submission):
        raise Http404
    name = f"{run.submission.version.problem_id}-{str(run.pk)[:8]}.cu"
    return HttpResponse(
        run.submission.source,
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _visible(request: HttpRequest, run_id: UUID) -> Run:
    run = visibility.find_run(request.user, run_id)
    if run is None:
        raise Http404
    return run


def _context(request: HttpRequest, run_id: UUID) -> dict[str, Any]:
    run = _visible(request, run_id)
    is_private = not visibility.may_see_source(request.user, run.submission)
    return {
        "run": run,
        "version": run.submission.version,
        "is_private": is_private,
        "compilation": None if is_private else getattr(run, "compilation", None),
        "cases": [] if is_private else visibility.cases_of(run, request.user),
        "timings": run.timings.all(),
        "progress": progress_of(run),
    }
