"""The control channel between site and worker, over a real Redis."""

from __future__ import annotations

import uuid
from typing import Any

from judge.control import AbortWatch, connect, flag_aborted, redis_url

DEADLINE_SECONDS = 20


def test_a_run_is_watched_until_its_flag_is_set(redis_server: Any) -> None:
    run_id = uuid.uuid4()
    watch = AbortWatch(redis_server.url)
    with watch.watching(run_id) as aborted:
        assert not aborted.is_set()
        flag_aborted(connect(redis_server.url), run_id)
        assert aborted.wait(DEADLINE_SECONDS)


def test_a_flag_set_before_the_job_was_taken_is_seen_at_once(redis_server: Any) -> None:
    run_id = uuid.uuid4()
    flag_aborted(connect(redis_server.url), run_id)
    watch = AbortWatch(redis_server.url)
    assert watch.is_aborted(run_id)
    with watch.watching(run_id) as aborted:
        assert aborted.is_set()


def test_the_flag_of_one_run_stops_no_other(redis_server: Any) -> None:
    flag_aborted(connect(redis_server.url), uuid.uuid4())
    assert not AbortWatch(redis_server.url).is_aborted(uuid.uuid4())


def test_a_redis_that_is_away_aborts_nothing(redis_server: Any) -> None:
    run_id = uuid.uuid4()
    watch = AbortWatch(redis_server.url)
    flag_aborted(connect(redis_server.url), run_id)
    redis_server.stop()
    assert not watch.is_aborted(run_id)
    redis_server.start()


def test_kombus_socket_urls_are_understood() -> None:
    assert redis_url("redis+socket:///run/redis.sock") == "unix:///run/redis.sock?db=0"
    assert redis_url("redis+socket:///r.sock?virtual_host=3") == "unix:///r.sock?db=3"
    assert redis_url("redis://host:6379/1") == "redis://host:6379/1"
