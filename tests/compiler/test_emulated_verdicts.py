"""What the emulation back end says of a source: an executable, CE or UNS, and why."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.compiler.cache import BuildCache
from judge.compiler.emulated import EmulatedCompiler
from judge.compiler.interface import CompileRequest, CompileResult, Target
from judge.compiler.nvcc import NvccCompiler
from judge.compiler.toolkit import find_nvcc
from judge.domain import DeviceKind, Limits, Verdict
from judge.execution import Executor

SIGNATURE = "void solve(const float* A, float* C, int n)"
PROTOTYPE = f"""#pragma once
extern "C" {SIGNATURE};
extern "C" inline __attribute__((used)) void warpboard_invoke(void* const* a) {{
    solve(*(const float* const*)a[0], *(float* const*)a[1], *(const int*)a[2]);
}}
"""
KERNEL = """__global__ void copy(const float* A, float* C, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) C[i] = A[i];
}
"""
SOLVE = """extern "C" void solve(const float* A, float* C, int n) {
    copy<<<(n + 255) / 256, 256>>>(A, C, n);
}
"""

Compile = Callable[[str], CompileResult]


def request(source: str) -> CompileRequest:
    return CompileRequest(
        source=source,
        prototype=PROTOTYPE,
        signature=SIGNATURE,
        entry="solve",
        target=Target(DeviceKind.EMULATED),
        limits=Limits(compile_seconds=60.0),
    )


@pytest.fixture(scope="module")
def compiled(executor: Executor, support_cache: BuildCache) -> Compile:
    compiler = EmulatedCompiler(executor, support_cache, None)
    return lambda source: compiler.compile(request(source))


def test_a_right_source_becomes_an_executable_and_then_comes_from_the_cache(
    compiled: Compile,
) -> None:
    compiled(KERNEL + SOLVE)
    again = compiled(KERNEL + SOLVE)
    assert again.failure is None
    assert again.cached
    assert again.artifact is not None
    assert again.artifact.stat().st_mode & stat.S_IXUSR
    assert "-O3" in again.flags
    assert "emulated" in again.toolchain


def test_an_error_is_told_with_the_users_own_line(compiled: Compile) -> None:
    result = compiled(KERNEL + SOLVE.replace("A, C, n);", "A, C, m);"))
    assert result.failure is Verdict.CE
    assert "submission.cu:6:" in result.output
    assert result.diagnostics[0].line == 6
    assert "m" in result.message


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (KERNEL, 'no function named solve: expected `extern "C" void solve('),
        ("", 'no function named solve: expected `extern "C" void solve('),
        (
            KERNEL + SOLVE.replace("int n)", "long n)"),
            'wrong signature of solve: expected `extern "C" void solve(',
        ),
        (KERNEL + SOLVE.replace("copy<<<", "copi<<<"), "copi"),
        ('#include "secret.h"\n' + KERNEL + SOLVE, "header secret.h not found"),
        (KERNEL + SOLVE + "}", "line 8"),
        (
            KERNEL.replace("int i", "__shared__ float s[64][256]; int i").replace(
                "C[i] = A[i];", "s[i % 64][n] = A[i]; __syncthreads(); C[i] = s[n % 64][i];"
            )
            + SOLVE,
            "`copy` has 65536 bytes of static shared memory; a kernel may have 49152",
        ),
    ],
)
def test_what_is_wrong_is_said_in_the_message(compiled: Compile, source: str, message: str) -> None:
    result = compiled(source)
    assert result.failure is Verdict.CE
    assert message in result.message
    assert result.artifact is None


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            KERNEL.replace("if (i < n)", 'asm volatile("bar.sync 0;"); if (i < n)') + SOLVE,
            "the emulated device does not support inline PTX (asm) (line 3)",
        ),
        ("#include <cub/grid/grid_queue.cuh>\n", "does not support this part of CUB (line 1)"),
        ("#include <cublas_v2.h>\n" + KERNEL + SOLVE, "does not support cuBLAS (line 1)"),
        (
            "#include <cooperative_groups.h>\n"
            + KERNEL.replace("if (i < n)", "cooperative_groups::this_grid().sync(); if (i < n)")
            + SOLVE,
            "does not support grid-wide synchronisation",
        ),
        (
            KERNEL + SOLVE.replace("    copy", "    cudaGraph_t g; cudaGraphCreate(&g, 0); copy"),
            "does not support cudaGraphCreate",
        ),
        (
            KERNEL.replace("if (i < n)", "copy<<<1, 1>>>(A, C, n); if (i < n)") + SOLVE,
            "does not support dynamic parallelism (a launch in device code) (line 3)",
        ),
    ],
)
def test_what_the_device_lacks_is_unsupported_by_name(
    compiled: Compile, source: str, message: str
) -> None:
    result = compiled(source)
    assert result.failure is Verdict.UNS
    assert message in result.message


def test_a_refused_construct_in_a_dropped_branch_does_not_count(compiled: Compile) -> None:
    dropped = '#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800\nasm("mov");\n#endif\n'
    unused = '#define COPY_ASYNC(x) asm volatile("cp.async" :: "r"(x))\n'
    assert compiled(dropped + unused + KERNEL + SOLVE).failure is None


@pytest.mark.parametrize("missing", ["FLT_MAX", "sizeof(std::vector<int>)", "__half(1)"])
def test_what_nvcc_does_not_bring_along_must_be_included(compiled: Compile, missing: str) -> None:
    result = compiled(KERNEL.replace("A[i]", f"A[i] + float({missing})") + SOLVE)
    assert result.failure is Verdict.CE
    assert result.diagnostics[0].line == 3


def test_the_cuda_standard_library_is_there(compiled: Compile) -> None:
    source = "#include <cuda/std/array>\n#include <cuda/functional>\n#include <cuda/cmath>\n"
    use = KERNEL.replace("= A[i]", "= cuda::std::array<float, 1>{A[i]}[0]")
    assert compiled(source + use + SOLVE).failure is None


@pytest.mark.parametrize(
    "source",
    ["\0" * 100, "é\u2028\ud800", "#define A A A\nA" * 50],
    ids=["null bytes", "half a surrogate pair", "a macro of itself"],
)
def test_nonsense_is_a_compile_error(compiled: Compile, source: str) -> None:
    assert compiled(source).failure is Verdict.CE


@pytest.fixture(scope="module")
def with_nvcc(executor: Executor, support_cache: BuildCache) -> Compile:
    if find_nvcc() is None:
        pytest.skip("needs nvcc: pip install 'warpboard[nvcc]'")
    nvcc = NvccCompiler(executor, support_cache)
    compiler = EmulatedCompiler(executor, support_cache, nvcc)
    return lambda source: compiler.compile(request(source))


def test_beside_nvcc_the_errors_are_nvccs_own(with_nvcc: Compile) -> None:
    result = with_nvcc(KERNEL + SOLVE.replace("A, C, n);", "A, C, m);"))
    assert result.failure is Verdict.CE
    assert 'identifier "m" is undefined' in result.output
    assert result.diagnostics[0].line == 6


def test_beside_nvcc_an_accepted_source_has_its_resources(with_nvcc: Compile) -> None:
    result = with_nvcc(KERNEL + SOLVE)
    assert result.failure is None
    assert isinstance(result.artifact, Path)
    assert [resources.registers > 0 for resources in result.resources] == [True]


def test_what_only_nvcc_compiles_is_no_error_of_the_user(with_nvcc: Compile) -> None:
    video = KERNEL.replace("if (i < n)", "if (__vadd4(i, 0) < n)")
    result = with_nvcc(video + SOLVE)
    assert result.failure is Verdict.UNS
    assert "nvcc compiles this, but the emulated device cannot" in result.message
