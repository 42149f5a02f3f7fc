"""The build cache: whole entries, read-only, bounded, safe between processes."""

from __future__ import annotations

import multiprocessing
import os
import stat
from pathlib import Path

import pytest

from judge.compiler.cache import BuildCache

HOUR = 3600.0


def key(number: int) -> str:
    return f"{number:064x}"


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def publish(cache: BuildCache, number: int, content: bytes = b"x") -> Path:
    with cache.staging() as folder:
        (folder / "product").write_bytes(content)
        return cache.publish(key(number), folder)


def staged(cache_root: Path) -> list[Path]:
    return list((cache_root / "staging").iterdir())


@pytest.fixture
def cache(tmp_path):
    return BuildCache(tmp_path / "cache")


def test_what_was_published_is_found(cache):
    assert cache.get(key(1)) is None
    published = publish(cache, 1, b"content")
    assert cache.get(key(1)) == published
    assert (published / "product").read_bytes() == b"content"


def test_an_entry_is_read_only_and_keeps_programs_executable(cache):
    with cache.staging() as folder:
        (folder / "sub").mkdir()
        (folder / "sub" / "program").write_bytes(b"#!/bin/sh\n")
        (folder / "sub" / "program").chmod(0o700)
        (folder / "data").write_bytes(b"x")
        entry = cache.publish(key(1), folder)
    modes = {
        str(path.relative_to(entry)): stat.S_IMODE(path.stat().st_mode)
        for path in (entry, *entry.rglob("*"))
    }
    assert modes == {".": 0o555, "sub": 0o555, "sub/program": 0o555, "data": 0o444}


def test_the_first_to_publish_wins(cache, tmp_path):
    publish(cache, 1, b"first")
    entry = publish(cache, 1, b"second")
    assert (entry / "product").read_bytes() == b"first"
    assert staged(tmp_path / "cache") == []


def test_a_folder_from_elsewhere_is_copied(cache, tmp_path):
    (tmp_path / "built").mkdir()
    (tmp_path / "built" / "product").write_bytes(b"x")
    entry = cache.publish(key(1), tmp_path / "built")
    assert (entry / "product").read_bytes() == b"x"
    assert (tmp_path / "built" / "product").exists()


def test_a_build_that_fails_leaves_nothing(cache, tmp_path):
    def fail_halfway() -> None:
        with cache.staging() as folder:
            (folder / "half").write_bytes(b"x")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_halfway()
    assert staged(tmp_path / "cache") == []


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_links_and_special_files_are_refused(cache, kind):
    with cache.staging() as folder:
        if kind == "link":
            (folder / "product").symlink_to("/etc/passwd")
        else:
            os.mkfifo(folder / "product")
        with pytest.raises(ValueError, match="product"):
            cache.publish(key(1), folder)
    assert cache.get(key(1)) is None


@pytest.mark.parametrize("bad", ["", "../../etc", "ABCDEF0123456789", "0" * 15, "0" * 15 + "/"])
def test_only_hashes_are_keys(cache, bad):
    with pytest.raises(ValueError, match="not a cache key"):
        cache.get(bad)


def test_the_longest_unused_leaves_first(tmp_path):
    clock = Clock()
    cache = BuildCache(tmp_path, capacity_bytes=2500, clock=clock)
    for number in (1, 2):
        publish(cache, number, bytes(1000))
        clock.now += 2 * HOUR
    assert cache.get(key(1)) is not None  # so 2 is the older now
    clock.now += 2 * HOUR
    publish(cache, 3, bytes(1000))
    assert [cache.get(key(number)) is not None for number in (1, 2, 3)] == [True, False, True]
    assert staged(tmp_path) == []


def test_nothing_used_within_the_hour_leaves_even_when_full(tmp_path):
    clock = Clock()
    cache = BuildCache(tmp_path, capacity_bytes=100, clock=clock)
    for number in range(3):
        publish(cache, number, bytes(1000))
        clock.now += 60
    assert all(cache.get(key(number)) for number in range(3))
    clock.now += 2 * HOUR
    publish(cache, 9, bytes(1000))
    assert [cache.get(key(number)) is not None for number in (0, 1, 2, 9)] == [
        False,
        False,
        False,
        True,
    ]


def test_what_a_dead_process_left_in_staging_is_cleared(tmp_path):
    clock = Clock()
    cache = BuildCache(tmp_path, clock=clock)
    leftover = tmp_path / "staging" / "leftover"
    leftover.mkdir()
    (leftover / "half").write_bytes(b"x")
    os.utime(leftover, (clock.now, clock.now))
    publish(cache, 1)
    assert leftover.exists()
    clock.now += 48 * HOUR
    publish(cache, 2)
    assert not leftover.exists()


def _publish_all(root: Path, worker: int) -> None:
    cache = BuildCache(root)
    for number in range(20):
        entry = publish(cache, number, f"{worker}".encode() * 1000)
        content = (entry / "product").read_bytes()
        assert len(content) == 1000
        assert len(set(content)) == 1


def test_processes_may_publish_the_same_keys_at_once(tmp_path):
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_publish_all, args=(tmp_path, n)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0] * 4
    assert staged(tmp_path) == []
