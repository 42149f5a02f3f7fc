"""The page of a board, and the same rows as CSV and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render

from judge.domain import DeviceKind
from webapp.leaderboards.boards import Board, Row, read_board
from webapp.leaderboards.exports import as_csv, as_json
from webapp.leaderboards.pictures import pictures_of
from webapp.leaderboards.queries import BoardQuery, select
from webapp.leaderboards.rates import Work, work_of
from webapp.ops.models import Device
from webapp.ops.peaks import peaks_of
from webapp.problems.models import ProblemVersion


@dataclass(frozen=True)
class _View:
    """A board as one request asks for it."""

    board: Board
    query: BoardQuery
    work: Work
    versions: list[ProblemVersion]
    current: ProblemVersion
    viewer_id: int | None

    @property
    def own(self) -> Row | None:
        if self.viewer_id is None:
            return None
        return next((r for r in self.board.rows if r.owner_id == self.viewer_id), None)


def board(request: HttpRequest, slug: str, device: str) -> HttpResponse:
    """The board of the current version, or of the one that ``?version=`` names."""
    view = _read(request, slug, device)
    definition = view.board.version.problem_definition
    context: dict[str, Any] = {
        "board": view.board,
        "query": view.query,
        "selection": select(view.board.rows, view.query, view.viewer_id),
        "pictures": pictures_of(view.board, view.own, view.work, definition.ladder),
        "work": view.work,
        "own": view.own,
        "versions": view.versions,
        "current": view.current,
        "is_current": view.board.version.pk == view.current.pk,
        "devices": Device.objects.all(),
        "columns": _columns(view),
    }
    return render(request, "leaderboards/board.html", context)


def board_csv(request: HttpRequest, slug: str, device: str) -> HttpResponse:
    """The rows that the page's filters leave, all pages of them."""
    view = _read(request, slug, device)
    rows = select(view.board.rows, view.query, view.viewer_id).rows
    return HttpResponse(
        as_csv(rows, view.work),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{slug}-{device}.csv"'},
    )


def board_json(request: HttpRequest, slug: str, device: str) -> HttpResponse:
    """The same as JSON."""
    view = _read(request, slug, device)
    rows = select(view.board.rows, view.query, view.viewer_id).rows
    return JsonResponse(as_json(view.board, rows, view.work, view.query))


@dataclass(frozen=True)
class Column:
    """A head of the table that leads to the same rows in another order."""

    title: str
    sort: str
    url: str
    #: As ``aria-sort`` says it; empty when the rows are in another column's order.
    order: str
    is_number: bool


def _columns(view: _View) -> list[Column]:
    def column(title: str, sort: str, is_number: bool) -> Column:
        order = "descending" if view.query.descending else "ascending"
        is_sorted = view.query.sort == sort
        return Column(
            title, sort, view.query.sorted_by(sort), order if is_sorted else "", is_number
        )

    return [
        column("Rank", "rank", True),
        column("Competitor", "name", False),
        column("Kind", "kind", False),
        column("± %", "spread", True),
        column("Age", "age", False),
    ]


def _read(request: HttpRequest, slug: str, device: str) -> _View:
    query = BoardQuery.parse(request.GET.dict())
    # Without packages and statements: a version may weigh megabytes.
    versions = list(
        ProblemVersion.objects.filter(problem=slug)
        .select_related("problem")
        .defer("archive", "statement", "starter", "signature")
    )
    current = next((v for v in versions if v.pk == v.problem.current_id), None)
    if current is None:
        raise Http404
    version = current
    if query.version:
        named = next((v for v in versions if v.digest == query.version), None)
        if named is None:
            raise Http404
        version = named
    found = get_object_or_404(Device, pk=device)
    definition = version.problem_definition
    peaks = peaks_of(found, definition.tolerance.precision)
    return _View(
        board=read_board(version, found),
        query=query,
        work=work_of(definition, DeviceKind(found.kind), peaks),
        versions=versions,
        current=current,
        viewer_id=request.user.pk if request.user.is_authenticated else None,
    )
