"""The control channel from the site to its workers: which Runs shall no longer be judged.

A Run that was aborted has a flag in the broker's Redis. Flags are kept state, not messages: a
worker that takes the job later, or was cut off meanwhile, still finds it. The flag of a Run says
nothing about its verdict; the site gave that already.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import UUID

import redis
import structlog
from redis.backoff import NoBackoff
from redis.retry import Retry

log = structlog.get_logger(__name__)

#: How often a worker looks whether the Run that it judges was aborted.
ABORT_POLL_SECONDS = 0.5

#: A flag outlives the longest wait in a queue that anybody will bear.
FLAG_SECONDS = 24 * 3600

_TIMEOUT_SECONDS = 1.0


def redis_url(broker_url: str) -> str:
    """redis-py's form of kombu's URL of a Redis (``redis+socket:///path?virtual_host=1``)."""
    parts = urlsplit(broker_url)
    if parts.scheme != "redis+socket":
        return broker_url
    database = parse_qs(parts.query).get("virtual_host", ["0"])[-1]
    return f"unix://{unquote(parts.path)}?db={database}"


def connect(broker_url: str) -> redis.Redis:
    """A client that tries once, for a second: nobody hangs on a Redis that is away."""
    return redis.Redis.from_url(
        redis_url(broker_url),
        socket_connect_timeout=_TIMEOUT_SECONDS,
        socket_timeout=_TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )


def flag_aborted(client: redis.Redis, run_id: UUID) -> None:
    """Tells every worker, now and later, to leave this Run. Raises redis.RedisError."""
    client.set(_key(run_id), 1, ex=FLAG_SECONDS)


def is_flagged(client: redis.Redis, run_id: UUID) -> bool:
    """Whether the Run was aborted. Raises redis.RedisError."""
    return bool(client.exists(_key(run_id)))


class AbortWatch:
    """A worker's view of the flags; a Redis that is away counts as no flag.

    Judging a Run that nobody wants costs time and nothing else, so silence never stops one.
    """

    def __init__(self, broker_url: str) -> None:
        self._client = connect(broker_url)

    def is_aborted(self, run_id: UUID) -> bool:
        """Asks Redis now."""
        try:
            return is_flagged(self._client, run_id)
        except redis.RedisError as error:
            log.warning("cannot ask whether a run was aborted", run=str(run_id), error=str(error))
            return False

    @contextmanager
    def watching(self, run_id: UUID) -> Iterator[threading.Event]:
        """An event that is set soon after the Run was aborted; asking it costs nothing.

        It is a thread that asks Redis, never the one that measures.
        """
        aborted = threading.Event()
        over = threading.Event()
        if self.is_aborted(run_id):
            aborted.set()

        def look() -> None:
            while not aborted.is_set() and not over.wait(ABORT_POLL_SECONDS):
                if self.is_aborted(run_id):
                    aborted.set()

        thread = threading.Thread(target=look, name="abort-watch", daemon=True)
        thread.start()
        try:
            yield aborted
        finally:
            over.set()
            thread.join()


def _key(run_id: UUID) -> str:
    return f"warpboard:abort:{run_id}"
