"""What of a command a container is made for, before the command itself is known.

Two commands of one ``Shape`` can run in containers made alike; what differs between them is copied
in or sent to the launcher. Nothing here talks to an engine.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge.execution import MIB, Command, ExecutionLimits, Mount
from judge.sandbox.grants import NOBODY

LAUNCHER_INSIDE = "/.launcher"
JUDGE_INSIDE = "/.judge"
SOCKET_NAME = "socket"

_TMP_BYTES = 256 * MIB
_WRITABLE_BYTES = 512 * MIB
_FILES = 16_384
#: Memory limits are rounded up to this, so that few kinds of containers serve all commands; what a
#: command may exactly use is watched from outside.
_MEMORY_STEP_BYTES = 1024 * MIB
#: For a program without a memory limit, beyond what it may write to: what a driver pins and maps.
_DRIVER_BYTES = 4096 * MIB
#: The launcher.
_OWN_PROCESSES = 1
#: runc's own threads count while it starts the container; fewer, and it fails.
_LEAST_PROCESSES = 16
#: What nice 10 is beside nice 0, in shares of which a container has 1024 by default.
_BACKGROUND_SHARES = 110
#: Docker's own list, which naming any replaces, and all of /sys.
_MASKED = (
    "/proc/acpi",
    "/proc/asound",
    "/proc/interrupts",
    "/proc/kcore",
    "/proc/keys",
    "/proc/latency_stats",
    "/proc/sched_debug",
    "/proc/scsi",
    "/proc/timer_list",
    "/proc/timer_stats",
    "/sys",
)
_READ_ONLY = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")


@dataclass(frozen=True)
class Shape:
    """``files`` and ``folders`` are targets of read-only mounts whose source comes later."""

    lasting: tuple[Mount, ...]
    files: tuple[Path, ...]
    folders: tuple[Path, ...]
    writable: tuple[Path, ...]
    device_nodes: tuple[Path, ...]
    processes: int
    memory_bytes: int | None
    cpus: frozenset[int] | None
    background: bool

    @classmethod
    def of(cls, command: Command) -> Shape:
        """Raises FileNotFoundError for a mount whose source does not exist."""
        for mount in command.mounts:
            if not mount.source.exists():
                raise FileNotFoundError(f"cannot mount {mount.source}: it does not exist")
            if mount.writable and not mount.source.is_dir():
                raise ValueError(f"cannot mount {mount.source} writable: only folders can be")
        passing = [mount for mount in command.mounts if not (mount.lasting or mount.writable)]
        return cls(
            lasting=tuple(mount for mount in command.mounts if mount.lasting),
            files=tuple(mount.target for mount in passing if not mount.source.is_dir()),
            folders=tuple(mount.target for mount in passing if mount.source.is_dir()),
            writable=tuple(mount.target for mount in command.mounts if mount.writable),
            device_nodes=command.device_nodes,
            processes=command.limits.processes,
            memory_bytes=_memory_bytes(command.limits),
            cpus=command.cpus,
            background=command.background,
        )


def _memory_bytes(limits: ExecutionLimits) -> int | None:
    if limits.memory_bytes is not None:
        wanted = limits.memory_bytes + _TMP_BYTES
    elif limits.data_bytes is not None:
        wanted = limits.data_bytes + _TMP_BYTES + _DRIVER_BYTES
    else:
        return None
    return -(-wanted // _MEMORY_STEP_BYTES) * _MEMORY_STEP_BYTES


def configuration(
    shape: Shape, image: str, binds: Mapping[Path, Path], labels: Mapping[str, str]
) -> dict[str, Any]:
    """The engine's description of a container of ``shape``.

    ``binds`` maps targets to what the engine mounts there read-only, the launcher and the folder
    of the judge's socket among them.
    """
    host: dict[str, Any] = {
        "NetworkMode": "none",
        "IpcMode": "none",
        "CgroupnsMode": "private",
        "ReadonlyRootfs": True,
        "CapDrop": ["ALL"],
        "SecurityOpt": ["no-new-privileges:true"],
        "MaskedPaths": list(_MASKED),
        "ReadonlyPaths": list(_READ_ONLY),
        "AutoRemove": True,
        "LogConfig": {"Type": "none"},
        "OomScoreAdj": 500,
        "PidsLimit": max(_LEAST_PROCESSES, shape.processes + _OWN_PROCESSES),
        "Devices": [_device(node) for node in shape.device_nodes],
        "Tmpfs": {
            "/tmp": f"rw,exec,nosuid,nodev,mode=1777,size={_TMP_BYTES},nr_inodes={_FILES}",
            **{str(target): _tmpfs_options() for target in shape.writable},
        },
        "Mounts": [_bind(source, target) for target, source in binds.items()],
    }
    if shape.memory_bytes is not None:
        host |= {"Memory": shape.memory_bytes, "MemorySwap": shape.memory_bytes}
    if shape.cpus is not None:
        host["CpusetCpus"] = ",".join(map(str, sorted(shape.cpus)))
    if shape.background:
        host["CpuShares"] = _BACKGROUND_SHARES
    hand_over = [part for target in shape.writable for part in ("--hand-over", str(target))]
    return {
        "Image": image,
        "Entrypoint": [
            LAUNCHER_INSIDE,
            "--wait",
            f"{JUDGE_INSIDE}/{SOCKET_NAME}",
            *hand_over,
        ],
        "Cmd": [],
        "User": f"{NOBODY}:{NOBODY}",
        "WorkingDir": "/",
        "Hostname": "sandbox",
        "NetworkDisabled": True,
        "Labels": dict(labels),
        "HostConfig": host,
    }


def _tmpfs_options() -> str:
    owner = f"uid={NOBODY},gid={NOBODY},mode=0755" if os.geteuid() == 0 else "mode=0777"
    return f"rw,exec,nosuid,nodev,{owner},size={_WRITABLE_BYTES},nr_inodes={_FILES}"


def _device(node: Path) -> dict[str, str]:
    return {"PathOnHost": str(node), "PathInContainer": str(node), "CgroupPermissions": "rw"}


def _bind(source: Path, target: Path) -> dict[str, Any]:
    return {"Type": "bind", "Source": str(source), "Target": str(target), "ReadOnly": True}
