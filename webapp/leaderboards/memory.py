"""Keeping what was computed: by key, and by a stamp that says whether it still holds."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)
StampT = TypeVar("StampT")
ValueT = TypeVar("ValueT")


class Memory(Generic[KeyT, StampT, ValueT]):
    """Values up to a total weight, the least lately used dropped first. Safe for threads.

    One for each process: values never change, so that processes need not agree.
    """

    def __init__(self, most: int, weigh: Callable[[ValueT], int] = lambda value: 1) -> None:
        self._most = most
        self._weigh = weigh
        self._kept: OrderedDict[KeyT, tuple[StampT, ValueT]] = OrderedDict()
        self._weight = 0
        self._lock = threading.Lock()

    def get(self, key: KeyT, stamp: StampT) -> ValueT | None:
        """The value of ``key`` if it was kept under this very ``stamp``."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or kept[0] != stamp:
                return None
            self._kept.move_to_end(key)
            return kept[1]

    def put(self, key: KeyT, stamp: StampT, value: ValueT) -> None:
        """Keeps ``value`` in place of what ``key`` had; one too heavy for all is kept alone."""
        with self._lock:
            self._drop(key)
            self._kept[key] = (stamp, value)
            self._weight += self._weigh(value)
            while self._weight > self._most and len(self._kept) > 1:
                self._drop(next(iter(self._kept)))

    def _drop(self, key: KeyT) -> None:
        dropped = self._kept.pop(key, None)
        if dropped is not None:
            self._weight -= self._weigh(dropped[1])
