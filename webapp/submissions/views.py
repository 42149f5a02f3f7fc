"""Pages of submitting and of Runs. Rules are in ``services`` and ``visibility``."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from webapp.problems.models import Problem
from webapp.submissions import visibility
from webapp.submissions.forms import SubmitForm
from webapp.submissions.models import Run, Submission
from webapp.submissions.progress import progress_of
from webapp.submissions.services import Refusal, submit

_RUNS_A_PAGE = 50
#: htmx's status for "swap this in, and stop polling".
_STOP_POLLING = 286
_UNPROCESSABLE = 422
_STATUS_OF = {"source_too_large": 413, "too_many_runs": 429}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def submit_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The form; a good POST leads to the Run's page, a bad one back here with what was typed."""
    assert request.user.is_authenticated  # by login_required
    problem = get_object_or_404(Problem.objects.exclude(current=None), pk=slug)
    version = problem.current
    assert version is not None  # by the query
    status = 200
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
                status = _STATUS_OF.get(refusal.code, _UNPROCESSABLE)
            else:
                return redirect("run", run.pk)
    else:
        initial: dict[str, Any] = {"source": _first_text(request, version.starter)}
        if "device" in request.GET:
            initial["device"] = request.GET["device"]
        form = SubmitForm(initial=initial)
    context = {"form": form, "version": version}
    return render(request, "submissions/submit.html", context, status=status)


def _first_text(request: HttpRequest, starter: str) -> str:
    """The source of the submission that ``?from=`` names, if it may be read, else the starter."""
    try:
        given = UUID(request.GET.get("from", ""))
    except ValueError:
        return starter
    found: Submission | None = visibility.find_submission(request.user, given)
    return found.source if found else starter


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
