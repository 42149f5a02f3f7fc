"""Peaks of a real GPU: measured once, kept, and of the right order; and the device's own probe."""

from __future__ import annotations

import pytest
import torch

from judge.devices.health import sentinel_drifted
from judge.devices.interface import Fitness
from judge.devices.peaks import event_ns, host_figures, sentinel_us

pytestmark = pytest.mark.gpu


def test_peaks_are_measured_once_and_kept(device, tmp_path):
    described = device.describe()
    arguments = (device.torch_device, described["hardware_id"], described["driver"], tmp_path)
    first = host_figures(*arguments)

    assert host_figures(*arguments) == first
    assert first.peaks.copy_bytes_per_s > 1e11
    assert first.peaks.cache_bytes > 1e6
    assert all(rate > 1e12 for rate in first.peaks.flops_per_s.values())
    if device.target.architecture >= "sm_80":
        assert first.peaks.flops_per_s["bf16"] > first.peaks.flops_per_s["fp32"]


def test_a_quiet_device_s_sentinel_holds_still(device):
    sentinel_us(device.torch_device)
    first, second = (sentinel_us(device.torch_device) for _ in range(2))
    assert not sentinel_drifted(first, second)


def test_a_quiet_device_is_fit(device):
    assert device.fitness() == Fitness()


def test_a_window_of_work_is_watched(device):
    with device.watch() as window:
        sentinel_us(device.torch_device)
    assert all(isinstance(clause, str) for clause in window.disturbances())


def test_a_call_of_the_judge_s_own_is_timed_like_a_submission_s(device):
    left = torch.randn(4096, 4096, device="cuda")
    out = torch.empty_like(left)

    def work():
        torch.mm(left, left, out=out)

    times = sorted(device.time_call(work) for _ in range(9))
    assert times[4] == pytest.approx(sorted(event_ns(work) for _ in range(9))[4], rel=0.1)
