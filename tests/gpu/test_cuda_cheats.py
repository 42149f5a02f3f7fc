"""Programs that would have a time they did not need: each is seen through on a real GPU."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judge import pipeline
from judge.cli.report import Report
from judge.domain import Verdict
from judge.problems.package import load_package

pytestmark = pytest.mark.gpu

VECTOR_ADD = Path(__file__).resolve().parent.parent / "data" / "problems" / "vector-add"

_KERNEL = """#include <cuda_runtime.h>
#include <thread>
#include <chrono>
#include <unistd.h>
__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}
"""
_SOLVE = 'extern "C" void solve(const float* A, const float* B, float* C, int N)'

HONEST = _KERNEL + _SOLVE + " { add<<<(N + 255) / 256, 256>>>(A, B, C, N); }\n"

#: The events are on the legacy stream, which a non-blocking one does not wait for.
DEFERRED = (
    _KERNEL
    + _SOLVE
    + """ {
  static cudaStream_t aside = [] {
    cudaStream_t made;
    cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
    return made;
  }();
  add<<<(N + 255) / 256, 256, 0, aside>>>(A, B, C, N);
}
"""
)

EARLY = (
    _KERNEL
    + _SOLVE
    + """ {
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  }).detach();
}
"""
)

#: Right in small tests; large calls are left to whatever the buffer holds.
ONLY_ONCE = (
    _KERNEL
    + _SOLVE
    + """ {
  static int calls = 0;
  if (N < 100000 || calls++ < 2) add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
"""
)


@pytest.fixture
def judged(machine) -> Callable[[str], Report]:
    def judge(source: str) -> Report:
        return Report.of(pipeline.judge(source, load_package(VECTOR_ADD), machine))

    return judge


def test_an_honest_program_is_accepted(judged):
    report = judged(HONEST)
    assert report.verdict is Verdict.AC, report.message + report.detail
    (timing,) = report.timings
    assert timing.t_us == pytest.approx(timing.e_us, rel=0.05)


@pytest.mark.parametrize("source", [DEFERRED, EARLY, ONLY_ONCE], ids=["deferred", "early", "once"])
def test_a_cheat_is_seen_through(judged, source):
    report = judged(source)
    assert report.verdict in (Verdict.TNC, Verdict.WA), report.message + report.detail
