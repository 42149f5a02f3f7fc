"""Memory shared with a hostile process: it can neither resize it nor gain the right to write."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator

import pytest

from judge.runner.shared_memory import SharedMemory


@pytest.fixture
def read_only() -> Iterator[SharedMemory]:
    memory = SharedMemory("test", 4096, peer_may_write=False)
    yield memory
    memory.close()


@pytest.fixture
def writable() -> Iterator[SharedMemory]:
    memory = SharedMemory("test", 4096, peer_may_write=True)
    yield memory
    memory.close()


@pytest.mark.parametrize("size", [0, 8192])
def test_it_cannot_be_resized(writable, size):
    with pytest.raises(PermissionError):
        os.ftruncate(writable.fd, size)


def test_a_peer_may_map_it_to_read_only(read_only):
    peer = mmap.mmap(read_only.fd, 4096, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ)
    assert peer[0] == 0
    peer.close()
    with pytest.raises(PermissionError):
        mmap.mmap(read_only.fd, 4096, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ | mmap.PROT_WRITE)
    with pytest.raises(PermissionError):
        os.pwrite(read_only.fd, b"x", 0)


def test_opening_it_again_gives_no_more_rights(read_only):
    again = os.open(f"/proc/self/fd/{read_only.fd}", os.O_RDWR)
    try:
        with pytest.raises(PermissionError):
            mmap.mmap(again, 4096, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ | mmap.PROT_WRITE)
    finally:
        os.close(again)


def test_closing_twice_is_harmless(writable):
    writable.close()
    writable.close()
