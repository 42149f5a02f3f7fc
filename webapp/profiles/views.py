"""The page of a person."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from webapp import charts
from webapp.accounts.models import User
from webapp.profiles.reading import read_profile
from webapp.text import clean


def profile(request: HttpRequest, username: str) -> HttpResponse:
    """Ranks, runs and activity of an active account."""
    person = get_object_or_404(User, username=clean(username), is_active=True)
    found = read_profile(person, request.user)
    activity = None
    if any(week.runs for week in found.weeks):
        activity = charts.responsive(
            "activity",
            lambda ident, width: charts.activity(
                ident, width, found.weeks, title=f"Runs of {person.username} by week"
            ),
        )
    return render(request, "profiles/profile.html", {"profile": found, "activity": activity})
