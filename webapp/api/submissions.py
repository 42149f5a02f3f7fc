"""Calls that submit, and that read and publish what was submitted."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router, Status

from webapp.accounts.models import Scope
from webapp.api import errors
from webapp.api.auth import TokenRequired, TokenWelcome, token_of, viewer_of
from webapp.api.runs import run_answer
from webapp.api.schemas import SubmissionAccepted, SubmissionIn, SubmissionOut
from webapp.submissions import publication, visibility
from webapp.submissions.limits import allowance
from webapp.submissions.models import Submission
from webapp.submissions.services import submit

router = Router(tags=["submissions"])


@router.post(
    "submissions",
    response={201: SubmissionAccepted, **errors.FAILURES},
    auth=TokenRequired(Scope.SUBMIT),
    summary="Submit a source; the answer names the run to follow",
)
def create_submission(request: HttpRequest, response: HttpResponse, body: SubmissionIn) -> Any:
    token = token_of(request)
    if body.reference and not token.has_scope(Scope.REFERENCE):
        raise errors.ApiError(
            403, "wrong_scope", "This token lacks the scope “reference”.", "reference"
        )
    run = submit(token.user, body.problem, body.device, body.source.encode(), body.reference)
    for name, value in allowance(token.user, body.problem, timezone.now()).headers.items():
        response[name] = value
    return Status(201, {"id": run.submission_id, "run": run_answer(request, run)})


@router.get(
    "submissions/{submission_id}",
    response={200: SubmissionOut, **errors.FAILURES},
    auth=TokenWelcome(),
    summary="A submission with its source, if you may read that",
)
def read_submission(request: HttpRequest, submission_id: UUID) -> Any:
    return _submission(_find(request, submission_id))


@router.put(
    "submissions/{submission_id}/publication",
    response={200: SubmissionOut, **errors.FAILURES},
    auth=TokenRequired(Scope.SUBMIT),
    summary="Open the source to everybody",
)
def publish(request: HttpRequest, submission_id: UUID) -> Any:
    submission = _find(request, submission_id)
    publication.publish(viewer_of(request), submission)
    return _submission(submission)


@router.delete(
    "submissions/{submission_id}/publication",
    response={200: SubmissionOut, **errors.FAILURES},
    auth=TokenRequired(Scope.SUBMIT),
    summary="Close the source again",
)
def unpublish(request: HttpRequest, submission_id: UUID) -> Any:
    submission = _find(request, submission_id)
    publication.unpublish(viewer_of(request), submission)
    return _submission(submission)


def _find(request: HttpRequest, submission_id: UUID) -> Submission:
    submission = visibility.find_submission(viewer_of(request), submission_id)
    if submission is None:
        raise errors.not_found("submission")
    return submission


def _submission(submission: Submission) -> dict[str, Any]:
    return {
        "id": submission.pk,
        "problem": submission.version.problem_id,
        "problem_version": submission.version.digest,
        "name": submission.competitor_name,
        "kind": submission.kind,
        "source": submission.source,
        "created_at": submission.created_at,
        "published_at": submission.published_at,
        "runs": list(submission.runs.values_list("pk", flat=True)),
    }
