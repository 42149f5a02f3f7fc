"""What of the driver a sandboxed program is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.devices.driver_files import driver_files, driver_libraries
from judge.devices.interface import DeviceUnavailable
from judge.execution import Mount

MAPS = """\
7f0000000000-7f0000001000 r-xp 00000000 fe:01 123   /usr/lib/x86_64-linux-gnu/libc.so.6
7f0000002000-7f0000003000 r-xp 00000000 fe:01 124   {folder}/libcuda.so.580.159.04
"""


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    for name in ("nvidia1", "nvidiactl", "nvidia-uvm"):
        (tmp_path / name).touch()
    return tmp_path


def _maps(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "maps"
    path.write_text(text)
    return path


def test_what_a_cuda_program_opens_is_found_by_the_names_it_uses(tmp_path):
    for name in ("libcuda.so.1", "libnvidia-ptxjitcompiler.so.1", "libnvidia-nvvm70.so.4"):
        (tmp_path / name).touch()
    (tmp_path / "libc.so.6").touch()
    (tmp_path / "libnvidia-ml.so.1").touch()
    assert [path.name for path in driver_libraries(tmp_path)] == [
        "libcuda.so.1",
        "libnvidia-nvvm70.so.4",
        "libnvidia-ptxjitcompiler.so.1",
    ]


def test_a_driver_under_usr_is_used_from_there(devices, tmp_path):
    maps = _maps(tmp_path, MAPS.format(folder="/usr/local/nvidia/lib64"))
    files = driver_files(1, "GPU-1", maps, devices)
    assert files.mounts == ()
    assert files.environment["LD_LIBRARY_PATH"] == "/usr/local/nvidia/lib64"
    assert files.environment["CUDA_VISIBLE_DEVICES"] == "GPU-1"
    assert [node.name for node in files.device_nodes] == ["nvidia1", "nvidiactl", "nvidia-uvm"]


def test_a_driver_elsewhere_is_mounted_where_it_is(devices, tmp_path):
    maps = _maps(tmp_path, MAPS.format(folder="/opt/driver"))
    files = driver_files(1, "GPU-1", maps, devices)
    assert files.mounts == (Mount(Path("/opt/driver"), Path("/opt/driver"), lasting=True),)


def test_a_missing_device_file_is_named(devices, tmp_path):
    maps = _maps(tmp_path, MAPS.format(folder="/usr/lib"))
    with pytest.raises(DeviceUnavailable, match="nvidia0"):
        driver_files(0, "GPU-1", maps, devices)


def test_a_process_without_the_driver_says_so(devices, tmp_path):
    with pytest.raises(DeviceUnavailable, match="libcuda"):
        driver_files(1, "GPU-1", _maps(tmp_path, ""), devices)
