"""Every way a kernel can fail on a real GPU gets its verdict, and the judge is well afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from judge.devices.interface import RunnerFailure
from judge.domain import Verdict

pytestmark = pytest.mark.gpu


def _kernel(body: str, launch: str = "<<<1, 32>>>", before: str = "") -> str:
    return (
        "#include <cassert>\n#include <cstdlib>\n#include <unistd.h>\n"
        f"__global__ void k(const float* A, float* B, int N) {{ {body} }}\n"
        f'extern "C" void solve(const float* A, float* B, int N) {{ {before} k{launch}(A, B, N); }}'
    )


FAILURES = {
    "illegal address": (
        _kernel("B[1ll << 40] = 1;"),
        Verdict.RTE,
        "cudaErrorIllegalAddress",
    ),
    "misaligned": (
        _kernel("*(float4*)(B + 1) = make_float4(1, 2, 3, 4);"),
        Verdict.RTE,
        "cudaErrorMisalignedAddress",
    ),
    "assert": (_kernel("assert(N < 0);"), Verdict.RTE, "cudaErrorAssert"),
    "trap": (_kernel("__trap();"), Verdict.RTE, "cudaErrorLaunchFailure"),
    "hangs": (_kernel("while (((volatile float*)B)[0] != 12345.678f);"), Verdict.TLE, "within 2 s"),
    "no blocks": (_kernel("B[0] = 1;", "<<<0, 32>>>"), Verdict.RTE, "cudaErrorInvalid"),
    "too many threads": (
        _kernel("B[0] = 1;", "<<<1, 2048>>>"),
        Verdict.RTE,
        "cudaErrorInvalid",
    ),
    "too much shared memory": (
        _kernel(
            "extern __shared__ float s[]; s[threadIdx.x] = 1; B[0] = s[0];", "<<<1, 32, 400000>>>"
        ),
        Verdict.RTE,
        "cudaErrorInvalidValue",
    ),
    "exhausts memory": (
        _kernel("B[0] = 1;", before="void* p; while (cudaMalloc(&p, 1ull << 32) == cudaSuccess);"),
        Verdict.MLE,
        "memory",
    ),
    "keeps too much memory": (
        _kernel("B[0] = 1;", before="void* p; cudaMalloc(&p, 4ull << 30);"),
        Verdict.MLE,
        "MiB",
    ),
    "resets the device": (
        _kernel("B[0] = 1;", before="cudaDeviceReset();"),
        Verdict.RTE,
        # The driver notices, or falls over it.
        ("must not reset the device", "crashed"),
    ),
    "exits": (_kernel("B[0] = 1;", before="exit(0);"), Verdict.RTE, "exited inside solve"),
    "crashes": (_kernel("B[0] = 1;", before="*(volatile int*)0 = 1;"), Verdict.RTE, "SIGSEGV"),
    "sleeps": (_kernel("B[0] = 1;", before="sleep(30);"), Verdict.TLE, "within 2 s"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failing_kernel_gets_its_verdict_and_the_next_runs(name, open_session, build, helpers):
    source, verdict, words = FAILURES[name]
    limits = replace(helpers.LIMITS, call_seconds=2.0)
    with pytest.raises(RunnerFailure) as failed:
        helpers.use(open_session(build(source), helpers.scale_call(1000), limits=limits))
    assert failed.value.verdict is verdict, failed.value.message
    expected = (words,) if isinstance(words, str) else words
    assert any(phrase in failed.value.message for phrase in expected), failed.value.message

    with open_session(build(helpers.SCALE), helpers.scale_call(1000)) as session:
        given = helpers.fresh(1000, seed=1)
        session.stage(0, given)
        session.bracket((0,))
        assert torch.equal(session.snapshot(0)["B"], 2 * given["A"])


def test_code_for_another_architecture_is_not_supported(open_session, build, helpers, device):
    other = "sm_75" if device.target.architecture != "sm_75" else "sm_80"
    artifact = build(helpers.SCALE, other)
    with pytest.raises(RunnerFailure) as failed:
        helpers.use(open_session(artifact, helpers.scale_call(1000)))
    assert failed.value.verdict is Verdict.UNS, failed.value.message
