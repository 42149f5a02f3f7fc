"""What the emulated device says of itself."""

from __future__ import annotations

import pytest

from judge.devices.emulated import EmulatedDevice, processor_model
from judge.devices.interface import Device, DeviceUnavailable
from judge.domain import DeviceKind


def test_it_is_a_device_for_the_emulated_target(device):
    as_device: Device = device
    assert as_device.name == "emulated"
    assert as_device.kind is DeviceKind.EMULATED
    assert as_device.target.kind is DeviceKind.EMULATED
    assert as_device.torch_device.type == "cpu"
    assert as_device.clocks() == {}
    assert as_device.threads >= 1


def test_its_hardware_id_is_stable_and_names_nothing(device, tmp_path):
    described = device.describe()
    assert described.keys() == {"hardware", "hardware_id", "driver", "cuda"}
    assert len(described["hardware_id"]) == 16
    assert EmulatedDevice(helper_directory=tmp_path).describe() == described


def test_the_processor_is_named_as_its_maker_does(tmp_path):
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor\t: 0\nmodel name\t: Fast   CPU @ 3 GHz\n")
    assert processor_model(cpuinfo) == "Fast CPU @ 3 GHz"


def test_without_a_compiler_it_is_unavailable_and_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DeviceUnavailable, match=r"g\+\+"):
        EmulatedDevice(helper_directory=tmp_path / "nothing built here")
