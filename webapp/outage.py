"""The site without its database: what is answered meanwhile, and where monitoring asks.

A page or call that could not reach the database is answered 503: it is right to try again, unlike
after a fault of ours. Broker and workers may be away without any of this; runs wait for them.
"""

from __future__ import annotations

from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, JsonResponse

from webapp.submissions.broker import BrokerAway, waiting_events

MESSAGE = "The site's database does not answer. Nothing is lost; try again in a minute."
RETRY_SECONDS = "30"


def is_outage(error: BaseException | None) -> bool:
    """Whether ``error`` is the database's absence rather than a fault in what was asked of it."""
    return isinstance(error, OperationalError | InterfaceError)


def health(request: HttpRequest) -> JsonResponse:
    """``/health/``: 200 while the site can serve, 503 while it cannot; the rest is for reading.

    ``waiting_events`` is what workers said and nobody stored yet: it grows when the event worker
    is down.
    """
    found: dict[str, str | int | None] = {"database": "ok", "broker": "ok", "waiting_events": None}
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (OperationalError, InterfaceError):
        found["database"] = "away"
    try:
        found["waiting_events"] = waiting_events()
    except BrokerAway:
        found["broker"] = "away"
    status = 200 if found["database"] == "ok" else 503
    return JsonResponse(found, status=status, headers={"Cache-Control": "no-store"})
