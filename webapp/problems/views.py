"""The list of problems and a problem's page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.safestring import mark_safe

from judge.domain import DeviceKind
from webapp.leaderboards.ladders import read_ladder
from webapp.ops.models import EMULATED_LABEL, Device
from webapp.problems.catalogue import Filter, catalogue, current_versions
from webapp.problems.ladder_charts import ladder_figures
from webapp.problems.models import Problem
from webapp.problems.statements import render_statement
from webapp.problems.wording import inputs_in_words, tolerance_text, workload_text
from webapp.submissions.availability import device_availability
from webapp.submissions.records import states_of

_KIND_NAMES = {
    DeviceKind.CUDA: "Timed workloads on GPUs",
    DeviceKind.EMULATED: f"Timed workloads on the emulated device ({EMULATED_LABEL})",
}


def problem_list(request: HttpRequest) -> HttpResponse:
    """All problems, or those that ``?difficulty=``, ``?tag=`` and ``?state=`` leave."""
    chosen = Filter(**{name: request.GET.get(name, "") for name in ("difficulty", "tag", "state")})
    states = states_of(request.user) if request.user.is_authenticated else None
    context = {
        "chosen": chosen,
        "is_filtered": chosen != Filter(),
        "catalogue": catalogue(current_versions(), chosen, states),
        "devices": Device.objects.all(),
    }
    return render(request, "problems/list.html", context)


def problem_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything a kernel must do, how it is judged, and what others reached."""
    problem = get_object_or_404(
        Problem.objects.exclude(current=None).select_related("current"), pk=slug
    )
    version = problem.current
    assert version is not None  # by the query
    definition = version.problem_definition
    reader = request.user if request.user.is_authenticated else None
    ladder = read_ladder(version, definition.ladder, reader)
    hidden = [case for case in definition.tests if case.hidden]
    context = {
        "version": version,
        "definition": definition,
        # Cleaned by render_statement; with formulas the only HTML here that is not a template's.
        "statement": mark_safe(render_statement(version.statement)),
        "tolerance": tolerance_text(definition),
        "cases": [
            (case, inputs_in_words(case.distribution))
            for case in definition.tests
            if not case.hidden
        ],
        "hidden_cases": len(hidden),
        "hidden_only_on_gpus": sum(case.devices == {DeviceKind.CUDA} for case in hidden),
        "workloads": [
            (_KIND_NAMES[kind], [workload_text(definition, each) for each in workloads])
            for kind in DeviceKind
            if (workloads := definition.workloads_for(kind))
        ],
        "ladder": ladder,
        "figures": ladder_figures(ladder),
        "devices": device_availability(),
        "state": states_of(reader).get(slug) if reader else None,
    }
    return render(request, "problems/page.html", context)
