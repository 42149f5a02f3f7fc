"""The two messages that cross between site and worker, with their schemas.

The site sends a ``JobMessage`` to queue ``device.<name>``; the worker answers with
``EventEnvelope``s on queue ``events``. Both sides validate what they receive: a worker runs
hostile code, so the site treats an envelope as a claim (right run, attempt and key, new sequence).
"""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from judge.domain import Environment
from judge.events import Event
from judge.source import MAX_SOURCE_BYTES

#: Celery task names; the only thing either side knows of the other's code.
JUDGE_TASK = "judge.run"
STORE_EVENT_TASK = "webapp.store_event"
STORE_WORKER_TASK = "webapp.store_worker"

EVENTS_QUEUE = "events"

#: A Run whose worker has been silent this long is judged again by another.
LEASE_SECONDS = 30.0
#: How often a worker that is busy with a Run says so.
HEARTBEAT_SECONDS = 5.0
#: A Run that lost its worker this many times gets the verdict JE.
MAX_ATTEMPTS = 3
#: More events than any attempt has, and more bytes (of JSON) than any event.
MAX_EVENTS = 100_000
MAX_EVENT_BYTES = 4 * 1024 * 1024
#: The same of a worker's report.
MAX_REPORT_BYTES = 64 * 1024


def device_queue(device: str) -> str:
    """The queue on which workers of ``device`` take jobs."""
    return f"device.{device}"


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")

    def to_wire(self) -> dict[str, Any]:
        """A JSON-ready dict; ``model_validate`` of the same class reads it back."""
        return self.model_dump(mode="json")


class JobMessage(_Message):
    """Everything a worker needs to judge one Run; it has no other way to learn anything."""

    run_id: UUID
    attempt: int = Field(ge=1)
    problem: str = Field(min_length=1, max_length=64)
    problem_version: str = Field(pattern=r"^[0-9a-f]{64}$")
    device: str = Field(min_length=1, max_length=64)
    source: str = Field(max_length=MAX_SOURCE_BYTES)
    #: A secret of this attempt. Its events must carry it: no other worker knows it.
    key: str = Field("", max_length=64)
    #: Time the problem's library call; ``source`` is empty then.
    baseline: bool = False


class EventEnvelope(_Message):
    """One event of one attempt at a Run. ``sequence`` counts from 0 within the attempt."""

    run_id: UUID
    attempt: int = Field(ge=1)
    key: str = Field("", max_length=64)
    sequence: int = Field(ge=0, lt=MAX_EVENTS)
    worker: str = Field(min_length=1, max_length=128)
    sent_at: AwareDatetime
    event: Annotated[Event, Field(discriminator="type")]


class WorkerReport(_Message):
    """A worker says what it is and that it lives; sent at start, then every heartbeat.

    ``state`` is ``ready``, ``busy``, ``draining`` (finishing its last Run) or ``stopped``.
    """

    worker: str = Field(min_length=1, max_length=128)
    device: str = Field(min_length=1, max_length=64)
    state: str = Field(pattern="^(ready|busy|draining|stopped)$")
    sent_at: AwareDatetime
    environment: Environment
