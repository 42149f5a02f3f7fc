"""Pages of Runs: one's own, a Run while it is judged and after, what may be done with it.

Who may see and do what is in ``visibility``; what the parts of the page show in ``parts``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from webapp.submissions import device_code, live, visibility
from webapp.submissions.abort import abort
from webapp.submissions.diffing import TooLarge, diff
from webapp.submissions.listing import listing
from webapp.submissions.models import Run
from webapp.submissions.parts import render_parts
from webapp.submissions.progress import progress_of
from webapp.submissions.publication import publish, unpublish
from webapp.submissions.services import Refusal

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
@require_safe
def run_page(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The Run. While it is judged the page follows a stream, else polls, else reloads."""
    run = _visible(request, run_id)
    submission = run.submission
    is_private = not visibility.may_see_source(request.user, submission)
    diagnostics = [] if is_private else _diagnostics(run)
    context = {
        "run": run,
        "version": submission.version,
        "is_private": is_private,
        "is_owner": visibility.is_owner(request.user, submission),
        "parts": render_parts(run, request.user),
        "progress": progress_of(run),
        "audience": visibility.audience(submission),
        "may_abort": visibility.may_abort(request.user, run),
        "may_publish": visibility.may_publish(request.user, submission),
        "best": None if is_private else _readable_best(request, run),
        "link": request.build_absolute_uri(reverse("run", args=[run.pk])),
        "source_is_open": visibility.is_open(submission),
        "listing": None if is_private else listing(submission.source, diagnostics),
        "listing_open": bool(diagnostics),
    }
    return render(request, "submissions/run.html", context)


@never_cache
@require_safe
def run_fragment(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The parts of the Run's page that change, for a page that polls."""
    run = _visible(request, run_id)
    context = {"run": run, "parts": render_parts(run, request.user)}
    status = _STOP_POLLING if run.is_done else 200
    return render(request, "submissions/_run.html", context, status=status)


@require_safe
async def run_events(request: HttpRequest, run_id: UUID) -> HttpResponseBase:
    """The same as a stream of server-sent events (``live``).

    A page that comes back says what it has by the header Last-Event-ID, or by ``?seen=`` where a
    script opens the stream anew.
    """
    viewer = await request.auser()
    run = await sync_to_async(visibility.find_run)(viewer, run_id)
    if run is None:
        raise Http404
    seen = request.headers.get("Last-Event-ID") or request.GET.get("seen", "")
    return StreamingHttpResponse(
        live.stream(viewer, run.pk, run.device_id, seen),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


@require_safe
def run_source(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """The source as a text file, for those who may read it."""
    run = _visible(request, run_id)
    if not visibility.may_see_source(request.user, run.submission):
        raise Http404
    suffix = "py" if run.submission.is_baseline else "cu"
    name = f"{run.submission.version.problem_id}-{str(run.pk)[:8]}.{suffix}"
    return HttpResponse(
        run.submission.source,
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_safe
def run_code(request: HttpRequest, run_id: UUID, kind: str) -> HttpResponse:
    """The device code that the compiler made, searchable, for those who may read the source."""
    run = _visible(request, run_id)
    if kind not in device_code.KINDS or not visibility.may_see_source(request.user, run.submission):
        raise Http404
    code = device_code.code_of(run, kind)
    query = request.GET.get("q", "")[:200]
    context = {
        "run": run,
        "version": run.submission.version,
        "kind": device_code.KINDS[kind],
        "kinds": device_code.kinds_of(run),
        "code": code,
        "query": query,
        "found": device_code.search(code.text, query),
    }
    return render(request, "submissions/code.html", context)


@require_safe
def run_diff(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """What changed since the owner's best Run before this one."""
    run = _visible(request, run_id)
    if not visibility.may_see_source(request.user, run.submission):
        raise Http404
    best = _readable_best(request, run)
    if best is None:
        raise Http404
    try:
        changes = diff(best.submission.source, run.submission.source)
    except TooLarge:
        changes = None
    context = {
        "run": run,
        "best": best,
        "version": run.submission.version,
        "is_owner": visibility.is_owner(request.user, run.submission),
        "changes": changes,
        "speedup": best.score_ms / run.score_ms if run.score_ms and best.score_ms else None,
    }
    return render(request, "submissions/diff.html", context)


@login_required
@require_POST
def run_abort(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Aborts the Run, and leads back to it with a word about what came of it."""
    run = _visible(request, run_id)
    try:
        abort(request.user, run)
    except Refusal as refusal:
        messages.warning(request, refusal.message)
    return redirect("run", run_id)


@login_required
@require_POST
def run_publication(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Publishes the Run's source (``publish=1``), or makes it private again."""
    run = _visible(request, run_id)
    change = publish if request.POST.get("publish") == "1" else unpublish
    try:
        change(request.user, run.submission)
    except Refusal as refusal:
        messages.warning(request, refusal.message)
    return redirect("run", run_id)


def _visible(request: HttpRequest, run_id: UUID) -> Run:
    run = visibility.find_run(request.user, run_id)
    if run is None:
        raise Http404
    return run


def _readable_best(request: HttpRequest, run: Run) -> Run | None:
    """The owner's best Run before this one, if the viewer may read that source too."""
    best = visibility.previous_best(run)
    if best is None or not visibility.may_see_source(request.user, best.submission):
        return None
    return best


def _diagnostics(run: Run) -> Iterable[dict[str, Any]]:
    compilation = getattr(run, "compilation", None)
    return [d for d in compilation.diagnostics if d.get("line")] if compilation else []
