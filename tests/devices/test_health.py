"""When a window of timing was steady, and when a GPU is fit to be timed on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.devices.health import (
    HARMFUL,
    GpuState,
    Reading,
    Throttle,
    judge_window,
    remarks_on,
    sentinel_drifted,
    unfit,
)

#: As read from an H200 under a matrix product, and from the same one doing nothing.
BUSY = Reading(0.0, 1980.0, 3201.0, 45.0, 540.0, Throttle(0))
IDLE = Reading(0.0, 345.0, 3201.0, 33.0, 80.2, Throttle.GPU_IDLE)

FIT = GpuState(
    persistence=True,
    ecc=True,
    uncorrected_errors=0,
    mig=False,
    locked_sm_mhz=None,
    max_sm_mhz=1980.0,
    other_processes=0,
)


def test_clocks_that_hold_still_are_steady():
    health = judge_window([BUSY, replace(BUSY, sm_mhz=1965.0), BUSY])
    assert health.steady
    assert health.drift == pytest.approx(15 / 1980)
    assert health.readings == 3


def test_clocks_that_move_by_more_than_a_percent_are_not():
    health = judge_window([BUSY, replace(BUSY, sm_mhz=1950.0)])
    assert not health.steady
    assert "between 1950 and 1980 MHz" in health.reasons[0]


@pytest.mark.parametrize("bit", HARMFUL)
def test_every_harmful_reason_is_told(bit):
    health = judge_window([BUSY, replace(BUSY, throttle=bit), BUSY])
    assert not health.steady
    assert HARMFUL[bit] in health.reasons[0]


def test_a_clock_that_an_operator_has_chosen_is_no_reason():
    locked = replace(BUSY, sm_mhz=1500.0, throttle=Throttle.CLOCKS_SETTING)
    assert judge_window([locked, locked]).steady


def test_an_idle_device_s_low_clock_says_nothing():
    health = judge_window([IDLE, BUSY, BUSY, IDLE])
    assert health.steady
    assert health.readings == 2
    assert judge_window([IDLE]).readings == 0
    assert judge_window([]).steady


def test_a_device_to_oneself_without_errors_is_fit():
    assert unfit(FIT) == ()
    assert unfit(replace(FIT, uncorrected_errors=None, ecc=None)) == ()


def test_memory_errors_make_it_unfit():
    (broken,) = unfit(replace(FIT, uncorrected_errors=1))
    assert "uncorrectable" in broken


def test_other_programs_are_remarked_on():
    assert remarks_on(FIT) == ()
    shared = replace(FIT, other_processes=2)
    assert unfit(shared) == ()
    (remark,) = remarks_on(shared)
    assert "2 other program(s)" in remark


@pytest.mark.parametrize(
    ("measured", "drifted"),
    [(100.0, False), (100.9, False), (99.1, False), (101.1, True), (98.9, True)],
)
def test_the_sentinel_tells_a_drift_of_a_percent(measured, drifted):
    assert sentinel_drifted(100.0, measured) is drifted


def test_a_sentinel_without_a_time_has_drifted():
    assert sentinel_drifted(100.0, float("nan"))
