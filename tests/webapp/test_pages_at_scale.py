"""With 200 problems, 10,000 entries on one board and 20,000 runs, pages stay few queries and light.

Pages are found by the routes, so a new one is held to this as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bench.crowd import Crowd, fill
from bench.pages import Page, body_of, get, pages, weight_of

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("pages at scale")]

MAX_QUERIES = 15
MAX_BYTES = 150_000


@pytest.fixture(scope="module")
def crowd(django_db_setup: None, django_db_blocker: Any) -> Iterator[Crowd]:
    """Filled once for the module, outside its tests' transactions."""
    with django_db_blocker.unblock():
        filled = fill(with_timings=False)
    yield filled
    with django_db_blocker.unblock():
        call_command("flush", interactive=False, verbosity=0)


@pytest.fixture(params=["anonymous", "signed in", "staff"])
def client(request: pytest.FixtureRequest, crowd: Crowd) -> Client:
    visitor = Client()
    if request.param != "anonymous":
        visitor.force_login(crowd.viewer if request.param == "signed in" else crowd.staff)
    return visitor


@pytest.mark.parametrize("page", pages(), ids=str)
def test_a_page_asks_few_questions_and_is_light(client: Client, crowd: Crowd, page: Page) -> None:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        answer = get(client, page, crowd)
    body = body_of(answer)
    assert answer.status_code < 500
    assert len(asked) <= MAX_QUERIES, "\n".join(query["sql"][:200] for query in asked)
    if answer["Content-Type"].startswith("text/html"):
        assert weight_of(client, body) < MAX_BYTES
