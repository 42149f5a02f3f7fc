"""The composition root: which sandbox, compiler and device this machine judges with."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from judge.compiler.cache import BuildCache
from judge.compiler.emulated import EmulatedCompiler
from judge.compiler.interface import Compiler, ToolchainMissing
from judge.compiler.nvcc import NvccCompiler
from judge.compiler.toolkit import INSTALL_NVCC, find_nvcc
from judge.devices.cuda import CudaDevice, gpu_is_here
from judge.devices.emulated import EmulatedDevice
from judge.devices.interface import Device, UnknownDevice
from judge.domain import AUTO, EMULATED_DEVICE
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
    """What this machine judges ``device`` with; AUTO is its GPU, or the emulated one without.

    Raises UnknownDevice for a device it does not have, and DeviceUnavailable, SandboxUnavailable or
    ToolchainMissing when a part of it is missing; each says what to do.
    """
    builds = cache_directory() / "builds"
    if device == EMULATED_DEVICE or (device == AUTO and not gpu_is_here()):
        return emulated_machine(builds)
    if not gpu_is_here():
        raise UnknownDevice(
            f"This machine has no device {device!r}. It can judge on: {EMULATED_DEVICE}."
        )
    machine = cuda_machine(builds)
    if device not in (AUTO, machine.device.name):
        raise UnknownDevice(
            f"This machine has no device {device!r}. "
            f"It can judge on: {machine.device.name}, {EMULATED_DEVICE}."
        )
    return machine


def cuda_machine(builds: Path) -> Machine:
    """The first GPU that CUDA shows this process, with nvcc and a build cache in ``builds``."""
    toolkit = find_nvcc()
    if toolkit is None:
        raise ToolchainMissing(f"A GPU is here but no working nvcc: {INSTALL_NVCC}")
    executor = default_executor()
    compiler = NvccCompiler(executor, BuildCache(builds), toolkit)
    nvcc = toolkit.root / "bin" / "nvcc"
    return Machine(executor, compiler, CudaDevice(nvcc, toolkit.library_folder))


def emulated_machine(builds: Path) -> Machine:
    """The emulated device with its build cache in ``builds``; nvcc beside it where there is one.

    What all submissions share is built now, so that no user waits for it: seconds, once.
    """
    executor = default_executor()
    cache = BuildCache(builds)
    nvcc = NvccCompiler(executor, cache) if find_nvcc() else None
    compiler = EmulatedCompiler(executor, cache, nvcc)
    compiler.prepare()
    return Machine(executor, compiler, EmulatedDevice())
