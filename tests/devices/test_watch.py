"""Watching clocks beside a window of timing."""

from __future__ import annotations

import threading

import pytest

from judge.devices.health import Reading, Throttle
from judge.devices.watch import ClockWatch


def reading(sm_mhz: float = 1980.0) -> Reading:
    return Reading(0.0, sm_mhz, 3201.0, 45.0, 540.0, Throttle(0))


def test_readings_are_taken_until_the_window_closes():
    enough, taken = threading.Event(), 0

    def read() -> Reading:
        nonlocal taken
        taken += 1
        if taken == 3:
            enough.set()
        return reading(1980.0 if taken < 3 else 1500.0)

    with ClockWatch(read, interval_seconds=0.0) as watch:
        assert enough.wait(30)
    after = len(watch.readings)
    assert after == taken >= 3
    assert not watch.health().steady


def test_a_window_of_no_length_has_one_reading():
    with ClockWatch(reading) as watch:
        pass
    assert len(watch.readings) == 1
    assert watch.health().steady


def test_a_failing_reader_is_told_of_when_the_window_closes():
    failed = threading.Event()

    def read() -> Reading:
        failed.set()
        raise OSError("the GPU has fallen off the bus")

    watch = ClockWatch(read)
    with pytest.raises(OSError, match="fallen off the bus"), watch:
        assert failed.wait(30)


def test_a_failure_inside_the_window_comes_first():
    def read() -> Reading:
        raise OSError("no reading")

    with pytest.raises(ValueError, match="inside"), ClockWatch(read):
        raise ValueError("inside")
