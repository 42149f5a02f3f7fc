"""What the pipeline makes of a device's own word: sensors, probe and peaks.

The emulated device has none of these; here it is given some.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest

from judge import pipeline
from judge.cli.report import Report
from judge.devices.emulated import EmulatedDevice
from judge.devices.interface import Fitness
from judge.domain import DevicePeaks, Verdict
from judge.machine import Machine
from judge.problems.package import ProblemPackage

RIGHT = """
__global__ void add(const float* A, const float* B, float* C, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) C[i] = A[i] + B[i];
}
extern "C" void solve(const float* A, const float* B, float* C, int N) {
    add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
"""


@dataclass(frozen=True)
class SeenWindow:
    clauses: tuple[str, ...]

    def disturbances(self) -> tuple[str, ...]:
        return self.clauses


class DeviceWithSensors(EmulatedDevice):
    """Emulated, with sensors, a probe and peaks that say what a test wants them to say."""

    timing = replace(EmulatedDevice.timing, max_seconds=0.5)

    def __init__(self) -> None:
        super().__init__()
        self.windows: list[tuple[str, ...]] = []
        self.watched = 0
        self.probe = Fitness()
        self.measured: DevicePeaks | None = None

    @contextmanager
    def watch(self) -> Iterator[SeenWindow]:
        self.watched += 1
        yield SeenWindow(self.windows.pop(0) if self.windows else ())

    def fitness(self) -> Fitness:
        return self.probe

    def peaks(self) -> DevicePeaks | None:
        return self.measured


@pytest.fixture
def device() -> DeviceWithSensors:
    return DeviceWithSensors()


@pytest.fixture
def judged(
    device: DeviceWithSensors, machine: Machine, vector_add: ProblemPackage
) -> Callable[[], Report]:
    def judge() -> Report:
        return Report.of(pipeline.judge(RIGHT, vector_add, replace(machine, device=device)))

    return judge


def test_a_disturbed_window_is_repeated_and_not_spoken_of(device, judged):
    device.windows = [("the SM clock moved",)]
    report = judged()
    assert report.verdict is Verdict.AC, report.detail
    assert report.environment.remarks == ()
    assert device.watched == device.timing.processes + 1


def test_what_is_disturbed_again_is_kept_and_said_once(device, judged):
    device.windows = [("the SM clock moved",)] * 3
    report = judged()
    assert report.verdict is Verdict.AC, report.detail
    (remark,) = report.environment.remarks
    assert "the SM clock moved" in remark
    assert device.watched == device.timing.processes + 1


def test_remarks_of_the_probe_go_into_the_environment(device, judged):
    device.probe = Fitness(remarks=("Another program uses this GPU.",))
    assert judged().environment.remarks == ("Another program uses this GPU.",)


def test_on_a_broken_device_nobody_is_judged(device, judged):
    device.probe = Fitness(broken="The GPU adds wrongly.")
    report = judged()
    assert report.verdict is Verdict.JE
    assert "The GPU adds wrongly." in report.detail
    assert report.cases == []


def test_a_time_beyond_the_device_is_not_credible(device, judged):
    device.measured = DevicePeaks(copy_bytes_per_s=1.0, flops_per_s={"fp32": 1.0}, cache_bytes=0)
    report = judged()
    assert report.verdict is Verdict.TNC
    assert "this device needs at least" in report.message
    assert report.environment.peaks == device.measured
