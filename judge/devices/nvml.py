"""What NVML says of one GPU: identity, clocks, temperature, power. Only ever reads.

Called outside the sandbox; a submission cannot reach it.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import pynvml

from judge.devices.health import GpuState, Reading, Throttle
from judge.devices.interface import DeviceUnavailable

_T = TypeVar("_T")


@dataclass(frozen=True)
class GpuIdentity:
    """``minor`` is the number of its device file; ``driver`` and ``cuda`` are versions."""

    product: str
    uuid: str
    minor: int
    driver: str
    cuda: str


class Gpu:
    """One GPU by ``uuid`` (``GPU-…``). Raises DeviceUnavailable when NVML cannot tell."""

    def __init__(self, uuid: str) -> None:
        try:
            pynvml.nvmlInit()
            self._handle = pynvml.nvmlDeviceGetHandleByUUID(uuid)
            self.identity = GpuIdentity(
                product=_text(pynvml.nvmlDeviceGetName(self._handle)),
                uuid=uuid,
                minor=int(pynvml.nvmlDeviceGetMinorNumber(self._handle)),
                driver=_text(pynvml.nvmlSystemGetDriverVersion()),
                cuda=_cuda_version(int(pynvml.nvmlSystemGetCudaDriverVersion())),
            )
        except pynvml.NVMLError as error:
            raise DeviceUnavailable(
                f"NVML, the driver's monitoring library, does not know the GPU {uuid}: {error}. "
                "See that the whole driver is installed (nvidia-smi must work)."
            ) from error

    def read(self) -> Reading:
        """Clocks, temperature, power and throttle reasons now; takes well under a millisecond."""
        return Reading(
            seconds=time.monotonic(),
            sm_mhz=self._clock(pynvml.NVML_CLOCK_SM),
            memory_mhz=self._clock(pynvml.NVML_CLOCK_MEM),
            temperature_c=float(
                self._asked(pynvml.nvmlDeviceGetTemperature, pynvml.NVML_TEMPERATURE_GPU) or 0
            ),
            power_w=float(self._asked(pynvml.nvmlDeviceGetPowerUsage) or 0) / 1e3,
            throttle=Throttle(
                int(self._asked(pynvml.nvmlDeviceGetCurrentClocksThrottleReasons) or 0)
                & sum(Throttle)
            ),
        )

    def state(self) -> GpuState:
        """What an operator may have set, and who else is here."""
        ecc = self._asked(pynvml.nvmlDeviceGetEccMode)
        mig = self._asked(pynvml.nvmlDeviceGetMigMode)
        persistence = self._asked(pynvml.nvmlDeviceGetPersistenceMode)
        errors = self._asked(
            pynvml.nvmlDeviceGetTotalEccErrors,
            pynvml.NVML_MEMORY_ERROR_TYPE_UNCORRECTED,
            pynvml.NVML_VOLATILE_ECC,
        )
        processes = self._asked(pynvml.nvmlDeviceGetComputeRunningProcesses) or []
        return GpuState(
            persistence=None if persistence is None else bool(persistence),
            ecc=None if ecc is None else bool(ecc[0]),
            uncorrected_errors=None if errors is None else int(errors),
            mig=None if mig is None else bool(mig[0]),
            locked_sm_mhz=self._locked_sm_mhz(),
            max_sm_mhz=self._number(pynvml.nvmlDeviceGetMaxClockInfo, pynvml.NVML_CLOCK_SM),
            other_processes=sum(1 for process in processes if process.pid != os.getpid()),
        )

    def _locked_sm_mhz(self) -> float | None:
        """The clock that an operator has chosen, where one is in force."""
        reasons = int(self._asked(pynvml.nvmlDeviceGetCurrentClocksThrottleReasons) or 0)
        if not reasons & Throttle.CLOCKS_SETTING:
            return None
        return self._number(pynvml.nvmlDeviceGetApplicationsClock, pynvml.NVML_CLOCK_SM)

    def _clock(self, which: int) -> float:
        return self._number(pynvml.nvmlDeviceGetClockInfo, which) or 0.0

    def _number(self, function: Callable[..., object], *arguments: int) -> float | None:
        value = self._asked(function, *arguments)
        return None if value is None else float(str(value))

    def _asked(self, function: Callable[..., _T], *arguments: int) -> _T | None:
        """What ``function`` says; None where this device, driver or machine does not tell."""
        with contextlib.suppress(pynvml.NVMLError):
            return function(self._handle, *arguments)
        return None


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


def _cuda_version(number: int) -> str:
    """13000 is 13.0."""
    return f"{number // 1000}.{number % 1000 // 10}"
