"""What of the NVIDIA driver a sandboxed program needs: device files and the driver's libraries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from judge.devices.interface import DeviceUnavailable
from judge.execution import Mount

_CONTROL = (Path("/dev/nvidiactl"), Path("/dev/nvidia-uvm"))
_LIBRARY = "libcuda.so"
#: The driver's own library and what it opens by itself: the compiler of PTX and its parts.
_OPENED = (
    "libcuda.so.1",
    "libnvidia-ptxjitcompiler.so.1",
    "libnvidia-nvvm*.so.[0-9]",
    "libnvidia-gpucomp.so.*",
)


@dataclass(frozen=True)
class DriverFiles:
    """Device files, mounts and environment for a Command that uses one GPU."""

    device_nodes: tuple[Path, ...]
    mounts: tuple[Mount, ...]
    environment: Mapping[str, str]


def driver_files(
    minor: int, gpu_uuid: str, maps: Path = Path("/proc/self/maps"), devices: Path = Path("/dev")
) -> DriverFiles:
    """For the GPU with device file ``/dev/nvidia<minor>`` and ``gpu_uuid``.

    The libraries are where this process has loaded the driver from (``maps``). Raises
    DeviceUnavailable when a device file is missing.
    """
    nodes = tuple(
        devices / node.relative_to("/dev") for node in (Path(f"/dev/nvidia{minor}"), *_CONTROL)
    )
    missing = [str(node) for node in nodes if not node.exists()]
    if missing:
        raise DeviceUnavailable(
            f"The GPU's device files are not all here: {', '.join(missing)}. "
            "In a container, expose the GPU to it (docker run --gpus)."
        )
    folder = _driver_folder(maps)
    return DriverFiles(
        device_nodes=nodes,
        mounts=_mounts(folder),
        environment={
            "LD_LIBRARY_PATH": str(folder),
            "CUDA_VISIBLE_DEVICES": gpu_uuid,
            # All of a submission's code is loaded with the library, never within a timed call.
            "CUDA_MODULE_LOADING": "EAGER",
            "CUDA_CACHE_DISABLE": "1",
        },
    )


def _mounts(folder: Path) -> tuple[Mount, ...]:
    if not folder.is_relative_to("/usr"):
        return (Mount(folder, folder, lasting=True),)
    # Not the folder: a sandbox with a /usr of its own has its own C library there.
    return tuple(Mount(path.resolve(), path, lasting=True) for path in driver_libraries(folder))


def driver_libraries(folder: Path) -> list[Path]:
    """The files in ``folder`` that a CUDA program opens by these names, links among them."""
    return sorted(path for pattern in _OPENED for path in folder.glob(pattern))


def _driver_folder(maps: Path) -> Path:
    for line in maps.read_text().splitlines():
        path = line.rpartition(" ")[2]
        if Path(path).name.startswith(_LIBRARY):
            return Path(path).parent
    raise DeviceUnavailable("The NVIDIA driver's library libcuda is not loaded in this process.")
