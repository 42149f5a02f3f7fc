"""The judge's native code on the GPU, as typed calls: shared memory, guard bytes, brackets.

Runs in this process beside torch, in the same CUDA context and its default stream; every call
releases the GIL. What runs in the runner is elsewhere (judge/runner/backend_cuda.cpp).
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import TYPE_CHECKING

from judge.runner.protocol import BracketResult, Command, DoorbellState

if TYPE_CHECKING:
    import torch


class GpuFault(RuntimeError):
    """The judge's own use of the GPU failed: never the submission's doing, unless it broke it."""


class SharedDeviceMemory(ctypes.Structure):
    """``SharedDeviceMemory`` of driver.h."""

    _fields_ = (
        ("handle", ctypes.c_uint64),
        ("address", ctypes.c_uint64),
        ("bytes", ctypes.c_uint64),
        ("fd", ctypes.c_int32),
    )


class DeviceSpanList(ctypes.Structure):
    """``DeviceSpanList`` of cuda_layouts.h; ``spans`` is a device address."""

    _fields_ = (
        ("spans", ctypes.c_uint64),
        ("count", ctypes.c_uint64),
        ("largest", ctypes.c_uint64),
    )


class DeviceCopies(ctypes.Structure):
    """``DeviceCopies`` of cuda_layouts.h."""

    _fields_ = (
        ("poison", DeviceSpanList),
        ("reveal", DeviceSpanList),
        ("collect", DeviceSpanList),
        ("keep", DeviceSpanList),
    )


class FlushBuffer(ctypes.Structure):
    """``FlushBuffer`` of cuda_layouts.h."""

    _fields_ = (("address", ctypes.c_uint64), ("bytes", ctypes.c_uint64))


class SharedArena:
    """Zeroed device memory of at least ``size`` bytes, to be sent to a runner as ``fd``.

    ``close`` zeroes it again and gives it back; the memory lives on while a runner has it mapped.
    """

    def __init__(self, helper: GpuHelper, size: int) -> None:
        self._helper = helper
        self._memory = helper.create(size)
        self._open = True

    @property
    def address(self) -> int:
        return int(self._memory.address)

    @property
    def fd(self) -> int:
        return int(self._memory.fd)

    def close(self) -> None:
        """Idempotent; ``address`` and ``fd`` must not be used any more."""
        if not self._open:
            return
        self._open = False
        os.close(self.fd)
        self._helper.destroy(self._memory)


class GpuHelper:
    """The library built from judge/runner/native/cuda_*.cu."""

    def __init__(self, library: Path) -> None:
        self._library = ctypes.CDLL(str(library))
        self._library.warpboard_cuda_failure.restype = ctypes.c_char_p
        for name in ("create", "destroy", "fill_guards", "check_guards", "bracket"):
            getattr(self._library, f"warpboard_cuda_{name}").restype = ctypes.c_bool

    def create(self, size: int) -> SharedDeviceMemory:
        """Zeroed memory; raises GpuFault when the device has not that much."""
        memory = SharedDeviceMemory()
        self._require(
            self._library.warpboard_cuda_create(ctypes.c_uint64(size), ctypes.byref(memory))
        )
        return memory

    def destroy(self, memory: SharedDeviceMemory) -> None:
        """Zero ``memory`` and give it back."""
        self._require(self._library.warpboard_cuda_destroy(ctypes.byref(memory)))

    def fill_guards(self, zones: torch.Tensor, secret: int) -> None:
        """``zones`` is an int64 (n, 2) on the device: address and bytes of each."""
        self._require(
            self._library.warpboard_cuda_fill_guards(
                ctypes.c_void_p(zones.data_ptr()),
                ctypes.c_uint32(zones.shape[0]),
                ctypes.c_uint64(secret),
            )
        )

    def check_guards(self, zones: torch.Tensor, secret: int, first_changed: torch.Tensor) -> None:
        """Write to int64 (n,) ``first_changed`` each zone's first changed offset, or -1."""
        self._require(
            self._library.warpboard_cuda_check_guards(
                ctypes.c_void_p(zones.data_ptr()),
                ctypes.c_uint32(zones.shape[0]),
                ctypes.c_uint64(secret),
                ctypes.c_void_p(first_changed.data_ptr()),
            )
        )

    def bracket(
        self,
        state: DoorbellState,
        command: Command,
        copies: DeviceCopies,
        flush: FlushBuffer,
        limit_ns: int,
    ) -> BracketResult:
        """One bracket; waits at most ``limit_ns`` for the runner."""
        result = BracketResult()
        self._require(
            self._library.warpboard_cuda_bracket(
                ctypes.byref(state),
                ctypes.byref(command),
                ctypes.byref(copies),
                ctypes.byref(flush),
                ctypes.c_uint64(limit_ns),
                ctypes.byref(result),
            )
        )
        return result

    def _require(self, succeeded: bool) -> None:
        if not succeeded:
            raise GpuFault(self._library.warpboard_cuda_failure().decode(errors="replace"))
