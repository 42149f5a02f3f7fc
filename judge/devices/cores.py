"""Which cores of this machine a runner computes on and which the judge keeps.

A runner that shares its core with the judge's own threads is timed too slow and too unsteadily.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class CoreShare:
    """The division; ``runner`` and ``judge`` are None where there are too few cores to divide."""

    threads: int
    runner: frozenset[int] | None
    judge: frozenset[int] | None


def share_cores(available: frozenset[int], threads: int | None) -> CoreShare:
    """Give the last ``threads`` cores to the runner (None: all but one), the rest to the judge."""
    if threads is None:
        threads = max(1, len(available) - 1)
    if threads < 1:
        raise ValueError(f"a runner needs at least one thread, not {threads}")
    if threads >= len(available):
        return CoreShare(threads, None, None)
    ordered = sorted(available)
    return CoreShare(threads, frozenset(ordered[-threads:]), frozenset(ordered[:-threads]))


@contextmanager
def judge_confined_to(cores: frozenset[int] | None) -> Iterator[None]:
    """Keep the calling thread and torch's arithmetic to ``cores`` while inside (None: as it is).

    torch's pool would otherwise spin on the runner's core for a while after each operation.
    """
    if cores is None:
        yield
        return
    affinity, torch_threads = os.sched_getaffinity(0), torch.get_num_threads()
    os.sched_setaffinity(0, cores)
    torch.set_num_threads(min(torch_threads, len(cores)))
    try:
        yield
    finally:
        torch.set_num_threads(torch_threads)
        os.sched_setaffinity(0, affinity)
