"""The devices of this machine, each set up as a judge would, and the cores and disk beside them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from judge.compiler.interface import ToolchainMissing
from judge.devices.cuda import CudaDevice, gpu_is_here
from judge.devices.health import GpuState, remarks_on
from judge.devices.interface import DeviceUnavailable, UnknownDevice
from judge.doctor.finding import Finding, State
from judge.domain import AUTO, EMULATED_DEVICE
from judge.execution import MIB, SandboxUnavailable
from judge.machine import Machine, cache_directory, this_machine

_GIB = 1024 * MIB
_LOW_BYTES = 5 * _GIB
_TOO_LOW_BYTES = 256 * MIB


def hardware_findings(device: str, environment: Mapping[str, str]) -> Iterator[Finding]:
    """``device`` must work, others may."""
    yield _disk(cache_directory(environment))
    if gpu_is_here():
        must = device != EMULATED_DEVICE
        name = device if must else AUTO
        yield from _device("GPU", name, State.FAULT if must else State.WARNING)
    else:
        yield Finding(
            State.NOTE,
            "GPU",
            "torch sees none; the emulated device judges without",
            "for a GPU's board, see that nvidia-smi works and that torch is a CUDA build",
        )
    if device not in (AUTO, EMULATED_DEVICE) and not gpu_is_here():
        yield Finding(
            State.FAULT, f"device {device}", "not on this machine", f"use {EMULATED_DEVICE}"
        )
    must = device == EMULATED_DEVICE or not gpu_is_here()
    yield from _device("emulated device", EMULATED_DEVICE, State.FAULT if must else State.WARNING)


def _device(what: str, name: str, if_not: State) -> Iterator[Finding]:
    try:
        machine = this_machine(name)
        fitness = machine.device.fitness()
    except (DeviceUnavailable, SandboxUnavailable, ToolchainMissing, UnknownDevice) as error:
        yield Finding(if_not, what, "cannot be judged on", str(error))
        return
    if fitness.broken:
        yield Finding(if_not, what, "broken", fitness.broken)
        return
    described = machine.device.describe()
    parts = [described["hardware"], f"compiled by {machine.compiler.toolchain}"]
    if described["driver"]:
        parts.insert(1, f"driver {described['driver']}, {machine.device.target.architecture}")
    yield Finding(State.OK, what, f"{machine.device.name}: {'; '.join(parts)}")
    yield _cores(what, machine)
    if isinstance(machine.device, CudaDevice):
        remarked = machine.device.state()
        yield from _operator_settings(remarked)
        # The rest of the remarks: what fitness found beyond what the state says.
        for remark in set(fitness.remarks) - set(remarks_on(remarked)):
            yield Finding(State.WARNING, "GPU times", remark, "wait until the GPU is idle and cool")


def _cores(what: str, machine: Machine) -> Finding:
    available = len(os.sched_getaffinity(0))
    name = f"{what}'s cores"
    if machine.device.cpus is None:
        return Finding(
            State.WARNING,
            name,
            f"{available} for judge and runner together: times are unsteady",
            "give the judge more: 2 cores do for the emulated device, 3 for a GPU",
        )
    return Finding(
        State.OK, name, f"{len(machine.device.cpus)} of {available} are the runner's alone"
    )


def _operator_settings(state: GpuState) -> Iterator[Finding]:
    """What an operator may have set, and who else is there."""
    if state.locked_sm_mhz is not None:
        yield Finding(State.OK, "GPU clocks", f"locked at {state.locked_sm_mhz:g} MHz")
    else:
        highest = "" if state.max_sm_mhz is None else f" below {state.max_sm_mhz:g} MHz"
        yield Finding(
            State.NOTE,
            "GPU clocks",
            f"not locked{highest}; windows in which they move are timed again",
            "an operator may lock them (nvidia-smi --lock-gpu-clocks) for steadier times",
        )
    if state.persistence is False:
        yield Finding(
            State.WARNING,
            "GPU persistence",
            "off: the driver starts anew for every run",
            "sudo nvidia-smi --persistence-mode=1, or start nvidia-persistenced",
        )
    if state.mig:
        yield Finding(
            State.WARNING,
            "GPU partitions",
            "MIG is on: others may share this chip's memory and power",
            "have an operator turn MIG off, or give its neighbours to nobody",
        )
    for remark in remarks_on(state):
        yield Finding(State.WARNING, "GPU programs", remark, "end them, or use another GPU")


def _disk(cache: Path) -> Finding:
    folder = next(path for path in (cache, *cache.parents) if path.exists())
    free = shutil.disk_usage(folder).free
    found = f"{cache}: {free / _GIB:.1f} GiB free"
    if not os.access(folder, os.W_OK):
        to_do = "let this user write there, or set WARPBOARD_CACHE to another folder"
        return Finding(State.FAULT, "cache", f"{cache} cannot be written", to_do)
    to_do = "free some, or set WARPBOARD_CACHE to a folder with more"
    if free < _TOO_LOW_BYTES:
        return Finding(State.FAULT, "cache", found, to_do)
    if free < _LOW_BYTES:
        return Finding(State.WARNING, "cache", found, to_do)
    return Finding(State.OK, "cache", found)
