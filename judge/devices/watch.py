"""Reads a GPU's clocks and temperature beside a window of timing, in a thread of the judge's."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType

from judge.devices.health import Reading, WindowHealth, judge_window

#: Often enough to see a clock step, seldom enough to leave the judge's cores alone.
INTERVAL_SECONDS = 0.05


class ClockWatch:
    """Takes readings with ``read`` from entering to leaving, the first at once.

    What ``read`` raises ends the watch and is raised when it is left.
    """

    def __init__(
        self, read: Callable[[], Reading], interval_seconds: float = INTERVAL_SECONDS
    ) -> None:
        self._read = read
        self._interval_seconds = interval_seconds
        self._readings: list[Reading] = []
        self._over = threading.Event()
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="clock-watch", daemon=True)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Everything read so far, in order."""
        return tuple(self._readings)

    def health(self) -> WindowHealth:
        """What the readings so far say."""
        return judge_window(self._readings)

    def disturbances(self) -> tuple[str, ...]:
        """See ``judge.devices.interface.Window``."""
        return self.health().reasons

    def __enter__(self) -> ClockWatch:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()
        if self._failure is not None and error is None:
            raise self._failure

    def _run(self) -> None:
        try:
            while True:
                self._readings.append(self._read())
                if self._over.wait(self._interval_seconds):
                    return
        # The thread has no caller: whoever leaves the watch gets the exception instead.
        except Exception as failure:  # noqa: BLE001
            self._failure = failure
