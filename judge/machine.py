"""The composition root: which sandbox, compiler and device this machine judges with."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from judge.compiler.cache import BuildCache
from judge.compiler.emulated import EmulatedCompiler
from judge.compiler.interface import Compiler
from judge.compiler.nvcc import NvccCompiler
from judge.compiler.toolkit import find_nvcc
from judge.devices.emulated import EmulatedDevice
from judge.devices.interface import Device, UnknownDevice
from judge.domain import EMULATED_DEVICE
from judge.execution import Executor
from judge.sandbox import default_executor


@dataclass(frozen=True)
class Machine:
    """Everything that judges on this machine; one Run at a time may use ``device``."""

    executor: Executor
    compiler: Compiler
    device: Device


def cache_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """Where builds and fetched packages are kept: WARPBOARD_CACHE, else the user's cache folder."""
    configured = environment.get("WARPBOARD_CACHE")
    if configured:
        return Path(configured)
    base = environment.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "warpboard"


def this_machine(device: str) -> Machine:
    """What this machine judges ``device`` with.

    Raises UnknownDevice for a device it does not have, and DeviceUnavailable, SandboxUnavailable or
    ToolchainMissing when a part of it is missing; each says what to do.
    """
    if device != EMULATED_DEVICE:
        raise UnknownDevice(
            f"This machine has no device {device!r}. It can judge on: {EMULATED_DEVICE}."
        )
    return emulated_machine(cache_directory() / "builds")


def emulated_machine(builds: Path) -> Machine:
    """The emulated device with its build cache in ``builds``; nvcc beside it where there is one."""
    executor = default_executor()
    cache = BuildCache(builds)
    nvcc = NvccCompiler(executor, cache) if find_nvcc() else None
    return Machine(executor, EmulatedCompiler(executor, cache, nvcc), EmulatedDevice())
