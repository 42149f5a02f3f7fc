"""The page of a board."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from webapp.leaderboards.boards import read_board
from webapp.ops.models import Device
from webapp.problems.models import Problem, ProblemVersion


def board(request: HttpRequest, slug: str, device: str) -> HttpResponse:
    """The board of the current version, or of the one that ``?version=`` names."""
    problem = get_object_or_404(Problem.objects.exclude(current=None), pk=slug)
    digest = request.GET.get("version")
    version = (
        get_object_or_404(ProblemVersion, problem=problem, digest=digest)
        if digest
        else problem.current
    )
    assert version is not None  # by the query
    context = {
        "board": read_board(version, get_object_or_404(Device, pk=device)),
        "is_current": version == problem.current,
        "devices": Device.objects.all(),
    }
    return render(request, "leaderboards/board.html", context)
