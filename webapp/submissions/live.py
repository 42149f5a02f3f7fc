"""A Run as a stream of server-sent events, for a page that watches it.

Each event carries the parts of the page that the watcher does not have, and an id that says which
it then has. So a page that opens late gets the present state first, and one that comes back with
its Last-Event-ID only what changed meanwhile; nothing is kept here between connections.

Changes are heard of over Redis (``announcements``); now and then the Run is looked at anyway, so
that a lost message costs seconds. Runs in one process's event loop; knows HTTP only by its bytes.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import redis.asyncio as redis
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connection

from judge.control import redis_url
from webapp.submissions import visibility
from webapp.submissions.announcements import queue_channel, run_channel
from webapp.submissions.parts import NAMES, Part, render_parts
from webapp.submissions.progress import progress_of
from webapp.submissions.visibility import Viewer

#: How long a stream may be silent: proxies cut connections that seem dead.
HEARTBEAT_SECONDS = 15.0
#: Changes that come within this time of each other are sent together.
BREATH_SECONDS = 0.2
#: A stream ends after this long and its page comes back, with its rights looked at afresh.
LONGEST_SECONDS = 15 * 60
#: How many streams one process holds, one person, and all who are not signed in together. A page
#: without one polls.
MOST_STREAMS = 200
MOST_STREAMS_OF_ONE = 12
MOST_STREAMS_OF_VISITORS = 100

_RETRY = b"retry: 2000\n\n"
_HEARTBEAT = b": still here\n\n"
#: No stream now; the page polls and asks again later.
_AWAY = b"retry: 30000\nevent: away\ndata: {}\n\n"
_REDIS_SECONDS = 5.0


class _Seats:
    """Counts the open streams of this process, and of each person."""

    def __init__(self) -> None:
        self._taken: Counter[int | None] = Counter()

    @contextmanager
    def taken(self, person: int | None) -> Iterator[bool]:
        """True with a seat for as long as the context lasts, else False."""
        most = MOST_STREAMS_OF_VISITORS if person is None else MOST_STREAMS_OF_ONE
        if self._taken.total() >= MOST_STREAMS or self._taken[person] >= most:
            yield False
            return
        self._taken[person] += 1
        try:
            yield True
        finally:
            self._taken[person] -= 1


seats = _Seats()


@dataclass(frozen=True)
class Snapshot:
    """A Run as one viewer may see it at one moment."""

    status: str
    verdict: str
    progress: str
    parts: list[Part]

    @property
    def id(self) -> str:
        """Names the content of every part; a watcher sends it back to say what it has."""
        return ".".join(part.digest for part in self.parts)

    def event(self, seen: str) -> bytes:
        """The event that takes a watcher from ``seen``, an id or nothing, to here."""
        had = seen.split(".")
        if len(had) != len(NAMES):
            had = [""] * len(NAMES)
        data: dict[str, Any] = {
            "status": self.status,
            "verdict": self.verdict,
            "progress": self.progress,
            "parts": {
                part.name: part.html
                for part, digest in zip(self.parts, had, strict=True)
                if part.digest != digest
            },
        }
        # JSON has no line feeds, which would end the event's line.
        return f"id: {self.id}\nevent: state\ndata: {json.dumps(data)}\n\n".encode()

    @property
    def is_done(self) -> bool:
        return bool(self.verdict)


def look(viewer: Viewer, run_id: UUID) -> Snapshot | None:
    """The Run as it is now, or None if ``viewer`` may not know of it. Gives its connection back."""
    try:
        run = visibility.find_run(viewer, run_id)
        if run is None:
            return None
        return Snapshot(run.status, run.verdict or "", progress_of(run), render_parts(run, viewer))
    finally:
        # A stream lives for minutes and reads for milliseconds.
        if not connection.in_atomic_block:
            connection.close()


async def stream(viewer: Viewer, run_id: UUID, device: str, seen: str) -> AsyncIterator[bytes]:
    """Server-sent events about the Run until it is done; ``seen`` is the last id the page had."""
    with seats.taken(viewer.pk) as seated:
        if not seated:
            yield _AWAY
            return
        yield _RETRY
        try:
            async with _changes(run_channel(run_id), queue_channel(device)) as changes:
                ends = time.monotonic() + LONGEST_SECONDS
                is_first = True
                while time.monotonic() < ends:
                    snapshot = await sync_to_async(look)(viewer, run_id)
                    if snapshot is None:  # its source was closed meanwhile
                        yield _AWAY
                        return
                    if is_first or snapshot.id != seen:
                        yield snapshot.event(seen)
                        seen, is_first = snapshot.id, False
                    if snapshot.is_done:
                        return
                    if not await changes.within(HEARTBEAT_SECONDS):
                        yield _HEARTBEAT
        except redis.RedisError:
            yield _AWAY


class _Changes:
    """Messages on channels, of which only the coming matters."""

    def __init__(self, subscription: Any) -> None:
        self._subscription = subscription

    async def within(self, seconds: float) -> bool:
        """True soon after something changed, False when nothing did for ``seconds``."""
        if not await self._message(seconds):
            return False
        await asyncio.sleep(BREATH_SECONDS)
        while await self._message(0):
            pass
        return True

    async def _message(self, seconds: float) -> bool:
        found = await self._subscription.get_message(
            ignore_subscribe_messages=True, timeout=seconds
        )
        return found is not None


@asynccontextmanager
async def _changes(*channels: str) -> AsyncIterator[_Changes]:
    """What is announced on ``channels`` from now on: it returns once Redis said it listens."""
    client = redis.Redis.from_url(
        redis_url(settings.WARPBOARD_BROKER_URL), socket_connect_timeout=_REDIS_SECONDS
    )
    try:
        subscription = client.pubsub()
        await subscription.subscribe(*channels)
        for _ in channels:
            if await subscription.get_message(timeout=_REDIS_SECONDS) is None:
                raise redis.TimeoutError("Redis did not answer to a subscription")
        yield _Changes(subscription)
    finally:
        await client.aclose(close_connection_pool=True)
