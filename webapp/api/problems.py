"""Calls about problems, their packages, and the devices that judge them."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from webapp.accounts.models import Scope
from webapp.api import errors
from webapp.api.auth import TokenRequired
from webapp.api.schemas import DeviceList, ProblemFilter, ProblemList, ProblemOut
from webapp.problems.catalogue import current_versions
from webapp.problems.models import Problem, ProblemVersion
from webapp.problems.public import public_definition
from webapp.submissions.availability import device_availability

router = Router(tags=["problems"])


def current_version(slug: str) -> ProblemVersion:
    """What is judged of a problem now; 404 where there is none."""
    problem = Problem.objects.select_related("current").filter(pk=slug).first()
    if problem is None or problem.current is None:
        raise errors.not_found("problem")
    return problem.current


@router.get(
    "problems",
    response={200: ProblemList, **errors.FAILURES},
    auth=None,
    summary="All problems, or those that the filters leave",
)
def list_problems(request: HttpRequest, query: Query[ProblemFilter]) -> Any:
    versions = sorted(current_versions(), key=lambda version: version.problem_id)
    return {"problems": [_problem(version) for version in versions if query.leaves(version)]}


@router.get(
    "problems/{slug:slug}",
    response={200: ProblemOut, **errors.FAILURES},
    auth=None,
    summary="A problem",
)
def read_problem(request: HttpRequest, slug: str) -> Any:
    version = current_version(slug)
    return {
        **_problem(version),
        "statement": version.statement,
        "starter": version.starter,
        "signature": version.signature,
        "definition": public_definition(version),
    }


@router.get(
    "problems/{slug:slug}/versions/{slug:digest}/archive",
    response=errors.FAILURES,
    auth=TokenRequired(Scope.WORKER),
    summary="A problem's package (zip), for workers",
    openapi_extra={
        "responses": {
            200: {
                "description": "The package",
                "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
            }
        }
    },
)
def read_archive(request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    version = ProblemVersion.objects.filter(problem=slug, digest=digest).first()
    if version is None:
        raise errors.not_found("version of the problem")
    return HttpResponse(bytes(version.archive), content_type="application/zip")


@router.get(
    "devices",
    response={200: DeviceList, **errors.FAILURES},
    auth=None,
    summary="Devices, their live workers and their queues",
)
def list_devices(request: HttpRequest) -> Any:
    return {
        "devices": [
            {
                "name": each.device.name,
                "kind": each.device.kind,
                "emulated": each.device.is_emulated,
                "time_label": each.device.time_label,
                "workers": each.live_workers,
                "waiting": each.waiting,
                "judging": each.judging,
            }
            for each in device_availability()
        ]
    }


def _problem(version: ProblemVersion) -> dict[str, Any]:
    return {
        "slug": version.problem_id,
        "title": version.title,
        "difficulty": version.difficulty,
        "tags": version.tags,
        "version": version.digest,
    }
