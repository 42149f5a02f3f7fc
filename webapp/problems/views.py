"""The list of problems and a problem's page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.safestring import mark_safe

from judge.domain import DeviceKind
from webapp.ops.models import Device
from webapp.problems.models import Problem
from webapp.problems.statements import render_statement


def problem_list(request: HttpRequest) -> HttpResponse:
    context = {
        "problems": Problem.objects.exclude(current=None).select_related("current"),
        "devices": Device.objects.all(),
    }
    return render(request, "problems/list.html", context)


def problem_page(request: HttpRequest, slug: str) -> HttpResponse:
    problem = get_object_or_404(Problem.objects.exclude(current=None), pk=slug)
    version = problem.current
    assert version is not None  # by the query
    definition = version.problem_definition
    context = {
        "version": version,
        "definition": definition,
        # Cleaned by render_statement; the only HTML on the site that is not a template's.
        "statement": mark_safe(render_statement(version.statement)),
        "workloads": [
            (kind.value, definition.workloads_for(kind))
            for kind in DeviceKind
            if definition.workloads_for(kind)
        ],
        "hidden_cases": sum(case.hidden for case in definition.tests),
        "devices": Device.objects.all(),
    }
    return render(request, "problems/page.html", context)
