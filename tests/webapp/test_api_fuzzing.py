"""Requests made from the OpenAPI document, good and bad: none fails the site, and every answer is
one that the document promises.

The draws are fixed, so that a failure here fails again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

pytestmark = pytest.mark.django_db

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]

schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application())


@pytest.fixture(autouse=True)
def _one_connection() -> Iterator[None]:
    """Requests stay within the test's transaction; a server would look after its connections."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def known(make_run: Any, alice: Any, kit: Any) -> dict[str, Any]:
    """What path parameters may name, so that requests get past the door."""
    run = make_run()
    kit.judge_accepted(run, 2.0)
    make_run(reference="v01_naive")
    return {
        "slug": "transpose",
        "digest": run.submission.version.digest,
        "device": "emulated",
        "run_id": str(run.pk),
        "submission_id": str(run.submission_id),
        "username": alice.username,
    }


@pytest.fixture(params=["anonymous", "with a token", "with a token, at what is there"])
def visitor(
    request: pytest.FixtureRequest, alice: Any, token_for: Any, known: dict[str, Any]
) -> tuple[dict[str, str], dict[str, Any]]:
    """Headers, and path parameters to put in place of drawn ones."""
    if request.param == "anonymous":
        return {}, {}
    headers = token_for(alice, "submit", "reference", "worker")
    return headers, known if request.param.endswith("there") else {}


@schema.parametrize()
@settings(
    max_examples=12,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_call_answers_as_documented(
    case: Case, visitor: tuple[dict[str, str], dict[str, Any]]
) -> None:
    headers, places = visitor
    for name in case.path_parameters or {}:
        if name in places:
            case.path_parameters[name] = places[name]
    if places and isinstance(case.body, dict) and "problem" in case.body:
        case.body.update(problem="transpose", device="emulated")
    # Called within this process, nothing between would unpack what the site compresses.
    case.call_and_validate(headers={**headers, "Accept-Encoding": "identity"}, checks=CHECKS)
