"""A judge worker whose emulated device fails its probe after so many good ones.

``draining_worker.py BROKER PACKAGES CACHE GOOD_PROBES``; everything else about it is real.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from judge.devices.emulated import EmulatedDevice
from judge.devices.interface import Fitness
from judge.machine import this_machine
from judge.problems.store import PackageStore
from judge.worker import JudgeWorker, create_app

REASON = "The GPU adds wrongly. Reset it or replace it, then start its worker again."


class BreakingDevice(EmulatedDevice):
    """Says of itself that it is broken once it was probed ``good_probes`` times."""

    def __init__(self, good_probes: int) -> None:
        super().__init__()
        self.timing = replace(self.timing, max_seconds=0.3)  # this is not about times
        self._good_probes = good_probes

    def fitness(self) -> Fitness:
        self._good_probes -= 1
        return Fitness() if self._good_probes >= 0 else Fitness(broken=REASON)


def main(broker: str, packages: str, cache: str, good_probes: str) -> None:
    machine = replace(this_machine("emulated"), device=BreakingDevice(int(good_probes)))
    store = PackageStore([Path(packages)], Path(cache))
    JudgeWorker(create_app(broker), machine, store).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
