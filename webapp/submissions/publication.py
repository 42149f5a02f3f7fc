"""Opening a source to everybody, and closing it again. Who may is in ``visibility``."""

from __future__ import annotations

from django.utils import timezone

from webapp.submissions import visibility
from webapp.submissions.models import Submission
from webapp.submissions.services import Refusal


def publish(viewer: visibility.Viewer, submission: Submission) -> None:
    """Everybody may read the source from now on. Raises Refusal (``not_permitted``)."""
    _require_author(viewer, submission)
    now = timezone.now()
    Submission.objects.filter(pk=submission.pk, published_at=None).update(published_at=now)
    submission.published_at = submission.published_at or now


def unpublish(viewer: visibility.Viewer, submission: Submission) -> None:
    """The source is private again; who read it has read it. Raises Refusal (``not_permitted``)."""
    _require_author(viewer, submission)
    Submission.objects.filter(pk=submission.pk).update(published_at=None)
    submission.published_at = None


def _require_author(viewer: visibility.Viewer, submission: Submission) -> None:
    if not visibility.may_publish(viewer, submission):
        raise Refusal("not_permitted", "Only its author may publish a source.", None)
