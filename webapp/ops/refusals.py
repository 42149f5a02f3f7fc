"""Keeping account of messages that were refused: a log line and a counter, never an exception."""

from __future__ import annotations

import logging

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from webapp.ops.models import RefusedMessages
from webapp.text import clean

logger = logging.getLogger(__name__)

_KEPT_CHARACTERS = 2000


def refuse(reason: str, detail: str) -> None:
    """Counts one refused message under ``reason`` and keeps the latest ``detail``."""
    detail = clean(detail)[:_KEPT_CHARACTERS]
    logger.warning("refused a worker's message: %s: %s", reason, ascii(detail)[1:-1])
    with transaction.atomic():
        row, _ = RefusedMessages.objects.get_or_create(
            reason=reason, defaults={"last_at": timezone.now()}
        )
        RefusedMessages.objects.filter(pk=row.pk).update(
            count=F("count") + 1, last_at=timezone.now(), last_detail=detail
        )
