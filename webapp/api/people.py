"""The call that reads a person's profile: their places on boards and what they have solved."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Path, Router

from webapp.accounts.models import User
from webapp.api import errors
from webapp.api.auth import TokenWelcome, viewer_of
from webapp.api.runs import run_summary
from webapp.api.schemas import PersonName, PersonOut
from webapp.profiles.reading import Placed, read_profile

router = Router(tags=["people"])


@router.get(
    "people/{username}",
    response={200: PersonOut, **errors.FAILURES},
    auth=TokenWelcome(),
    summary="A person: best ranks, recent runs, problems solved",
)
def read_person(request: HttpRequest, path: Path[PersonName]) -> Any:
    person = User.objects.filter(username=path.username, is_active=True).first()
    if person is None:
        raise errors.not_found("person")
    profile = read_profile(person, viewer_of(request))
    return {
        "username": person.get_username(),
        "places": [_place(place) for place in profile.places],
        "boards": profile.boards,
        "runs": [run_summary(request, run) for run in profile.runs],
        "solved": profile.solved,
        "problems": profile.problems,
        "difficulties": profile.difficulties,
        "tags": profile.tags,
    }


def _place(place: Placed) -> dict[str, Any]:
    return {
        "problem": place.problem,
        "device": place.device.name,
        "emulated": place.device.is_emulated,
        "time_label": place.device.time_label,
        "problem_version": place.digest,
        "is_current": place.is_current,
        "rank": place.row.rank,
        "of": place.of,
        "percentile": place.row.percentile,
        "median_ms": place.row.median_ms,
        "run": place.row.run_id,
    }
