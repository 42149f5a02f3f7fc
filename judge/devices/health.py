"""Whether a GPU was steady while it was timed, and whether it is fit to be timed on at all.

Decisions on readings, pure: nothing here asks a GPU anything, so they are tested anywhere.
Clocks are never changed by us; what somebody has locked is recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntFlag

#: Of the SM clock within one window of timing, relative to its highest.
MAX_CLOCK_DRIFT = 0.01

#: Of the sentinel kernel's time, relative to what it took when the host was measured.
MAX_SENTINEL_DRIFT = 0.01

#: Other programs that compute on the device make every time worthless.
MAX_OTHER_PROCESSES = 0


class Throttle(IntFlag):
    """Why a GPU's clocks are where they are; bits of NVML's nvmlClocksEventReasons."""

    GPU_IDLE = 0x1
    CLOCKS_SETTING = 0x2
    POWER_CAP = 0x4
    HARDWARE_SLOWDOWN = 0x8
    SYNC_BOOST = 0x10
    THERMAL = 0x20
    HARDWARE_THERMAL = 0x40
    POWER_BRAKE = 0x80
    DISPLAY_CLOCK = 0x100
    BOARD_LIMIT = 0x200
    RELIABILITY = 0x400


#: Reasons that make a kernel slower than the same kernel was a moment before, in words.
HARMFUL: dict[Throttle, str] = {
    Throttle.POWER_CAP: "the power limit",
    Throttle.HARDWARE_SLOWDOWN: "a hardware slowdown",
    Throttle.SYNC_BOOST: "another GPU of its boost group",
    Throttle.THERMAL: "the temperature",
    Throttle.HARDWARE_THERMAL: "the temperature (hardware)",
    Throttle.POWER_BRAKE: "an external power brake",
    Throttle.BOARD_LIMIT: "a limit of the board",
    Throttle.RELIABILITY: "a reliability limit",
}


@dataclass(frozen=True)
class Reading:
    """One look at a GPU. ``seconds`` is the monotonic clock's; clocks are current, not maxima."""

    seconds: float
    sm_mhz: float
    memory_mhz: float
    temperature_c: float
    power_w: float
    throttle: Throttle


@dataclass(frozen=True)
class GpuState:
    """What changes rarely. None where the device or driver does not tell."""

    persistence: bool | None
    ecc: bool | None
    uncorrected_errors: int | None
    mig: bool | None
    locked_sm_mhz: float | None
    max_sm_mhz: float | None
    other_processes: int


@dataclass(frozen=True)
class WindowHealth:
    """What readings say of the window of timing in which they were taken.

    ``drift`` is that of the SM clock; ``reasons`` is empty when the window was steady, else each
    is a clause for people. ``readings`` counts those in which the device was busy.
    """

    steady: bool
    drift: float
    reasons: tuple[str, ...]
    readings: int


def judge_window(readings: Sequence[Reading]) -> WindowHealth:
    """Whether the clocks held still; readings of an idle device say nothing and are left out."""
    busy = [reading for reading in readings if not reading.throttle & Throttle.GPU_IDLE]
    if not busy:
        return WindowHealth(True, 0.0, (), 0)
    highest = max(reading.sm_mhz for reading in busy)
    lowest = min(reading.sm_mhz for reading in busy)
    drift = (highest - lowest) / highest if highest > 0 else 0.0
    reasons = []
    if drift > MAX_CLOCK_DRIFT:
        reasons.append(f"the SM clock moved between {lowest:g} and {highest:g} MHz")
    seen = Throttle(0)
    for reading in busy:
        seen |= reading.throttle
    reasons += [f"clocks were held down by {words}" for bit, words in HARMFUL.items() if seen & bit]
    return WindowHealth(not reasons, drift, tuple(reasons), len(busy))


def remarks_on(state: GpuState) -> tuple[str, ...]:
    """What makes times on this device doubtful now, each a sentence; it may pass."""
    if state.other_processes > MAX_OTHER_PROCESSES:
        return (
            f"{state.other_processes} other program(s) use this GPU. A judge needs it to itself.",
        )
    return ()


def unfit(state: GpuState) -> tuple[str, ...]:
    """Why the device cannot be used any more, each a sentence; empty when it can."""
    if state.uncorrected_errors:
        return (
            f"The GPU's memory has had {state.uncorrected_errors} uncorrectable error(s) since it "
            "was last reset. Have an operator reset or replace it.",
        )
    return ()


def sentinel_drifted(baseline_us: float, measured_us: float) -> bool:
    """Whether a kernel of known cost says that the device is not what it was."""
    return not abs(measured_us - baseline_us) <= MAX_SENTINEL_DRIFT * baseline_us
