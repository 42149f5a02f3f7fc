"""Submissions through the real nvcc, in the real sandbox."""

from __future__ import annotations

import ctypes
import subprocess

import pytest

from judge.compiler.cache import BuildCache
from judge.compiler.interface import CompileRequest, Target, ToolchainMissing
from judge.compiler.nvcc import NvccCompiler
from judge.compiler.toolkit import INSTALL_NVCC, Toolkit, find_nvcc, find_wheel_nvcc
from judge.domain import DeviceKind, KernelResources, Limits, Verdict
from judge.execution import SandboxUnavailable
from judge.sandbox import default_executor

SIGNATURE = "void solve(const float* A, float* B, int N)"
EXPECTED = f'expected `extern "C" {SIGNATURE}`'
PROTOTYPE = f"""\
#pragma once
extern "C" {SIGNATURE};
extern "C" void warpboard_invoke(void* const* arguments) {{
    solve(*static_cast<const float* const*>(arguments[0]),
          *static_cast<float* const*>(arguments[1]), *static_cast<const int*>(arguments[2]));
}}
"""
GOOD = """\
template <int Threads> __global__ void twice(const float* a, float* b, int n) {
    __shared__ float tile[Threads];
    const int i = blockIdx.x * Threads + threadIdx.x;
    tile[threadIdx.x] = i < n ? a[i] : 0.0f;
    __syncthreads();
    if (i < n) b[i] = 2.0f * tile[threadIdx.x];
}
extern "C" void solve(const float* A, float* B, int N) {
    twice<256><<<(N + 255) / 256, 256>>>(A, B, N);
}
"""
GPU = Target(DeviceKind.CUDA, "sm_80")
EMULATED = Target(DeviceKind.EMULATED)


def request(source: str, target: Target = GPU, seconds: float = 60.0) -> CompileRequest:
    return CompileRequest(
        source=source,
        prototype=PROTOTYPE,
        signature=SIGNATURE,
        entry="solve",
        target=target,
        limits=Limits(compile_seconds=seconds),
    )


@pytest.fixture(scope="module")
def executor():
    try:
        return default_executor()
    except SandboxUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def compiler(executor, tmp_path_factory):
    if find_nvcc() is None:
        pytest.skip(f"no nvcc: {INSTALL_NVCC}")
    return NvccCompiler(executor, BuildCache(tmp_path_factory.mktemp("builds")))


def test_a_good_submission_becomes_a_library_with_its_report(compiler):
    result = compiler.compile(request(GOOD))
    assert result.failure is None, result.output
    assert result.output == ""
    assert result.artifact is not None
    symbols = subprocess.run(
        ["nm", "-D", "--defined-only", result.artifact], capture_output=True, text=True, check=True
    ).stdout
    assert " T solve\n" in symbols
    assert " T warpboard_invoke\n" in symbols
    # No driver is needed to load it.
    assert ctypes.CDLL(str(result.artifact)).solve
    (kernel,) = result.resources
    assert kernel == KernelResources(
        kernel="void twice<256>(float const*, float*, int)",
        registers=kernel.registers,
        shared_bytes=1024,
        spill_store_bytes=0,
        spill_load_bytes=0,
    )
    assert 0 < kernel.registers < 64
    assert result.toolchain.startswith("nvcc ")
    assert any("sm_80" in flag for flag in result.flags)


def test_the_same_source_is_compiled_once(compiler):
    source = GOOD + "// the same\n"
    first = compiler.compile(request(source))
    again = compiler.compile(request(source))
    assert (first.cached, again.cached) == (False, True)
    assert again.artifact == first.artifact
    assert again.resources == first.resources


def test_another_architecture_or_prototype_is_another_build(compiler):
    source = GOOD + "// another\n"
    compiler.compile(request(source))
    elsewhere = compiler.compile(request(source, Target(DeviceKind.CUDA, "sm_90a")))
    assert not elsewhere.cached
    assert elsewhere.failure is None


def test_warnings_of_a_good_submission_are_shown_also_from_the_cache(compiler):
    source = GOOD.replace("<<<", "<<<", 1).replace("{\n    twice", "{\n    int unused;\n    twice")
    first = compiler.compile(request(source))
    (warning,) = first.diagnostics
    assert (warning.severity, warning.line) == ("warning", 9)
    assert 'submission.cu(9): warning #177-D: variable "unused"' in first.output
    assert compiler.compile(request(source)).output == first.output


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", f"no function named solve: {EXPECTED}"),
        ("void other() {}", f"no function named solve: {EXPECTED}"),
        ('\nextern "C" void solve(float* A) {}', f"line 2: wrong signature of solve: {EXPECTED}"),
        (
            '\nextern "C" int solve(const float* A, float* B, int N) { return 0; }',
            f"line 2: wrong signature of solve: {EXPECTED}",
        ),
        ("void solve(float* A, int N) {}", f"wrong signature of solve: {EXPECTED}"),
        (
            GOOD + "\nvoid broken() { undeclared(); }\n",
            'line 12: identifier "undeclared" is undefined',
        ),
        ('#include "mine.h"\n', "line 1: header mine.h not found"),
        ("#include </etc/passwd>\n", "line 1: header /etc/passwd not found"),
        ("#error stop here\n", "line 1: #error stop here"),
        ('extern "C" void helper();\n' + GOOD.replace("int N) {", "int N) { helper();"), "helper "),
        (
            "__global__ void big(float* a) { __shared__ float t[100000]; a[0] = t[threadIdx.x]; }\n"
            + GOOD,
            "ptxas: Entry function '_Z3bigPf' uses too much shared data",
        ),
        (
            GOOD + '__global__ void bad(float* a) { asm("bogus.f32 %0;" : "=f"(a[0])); }\n',
            "ptxas: Not a name of any known instruction: 'bogus'",
        ),
    ],
)
def test_a_bad_submission_is_a_compile_error_that_says_why(compiler, source, message):
    result = compiler.compile(request(source))
    assert result.failure is Verdict.CE
    assert result.message.startswith(message)
    assert result.artifact is None
    assert not result.cached
    assert "/submission/" not in result.output
    assert "tmpxft" not in result.output


@pytest.mark.parametrize("device", ["zero", "urandom", "random", "stdin", "tty"])
def test_there_is_no_endless_device_to_include(compiler, device):
    result = compiler.check(request(f'#include "/dev/{device}"\n', seconds=5.0))
    assert result.failure is Verdict.CE
    assert result.message.startswith(f"line 1: header /dev/{device} not found")


def test_a_template_bomb_is_stopped_at_the_time_limit(compiler):
    bomb = """
    template <int N, int M> struct Bomb {
        static constexpr long value = Bomb<N - 1, 2 * M>::value + Bomb<N - 1, 2 * M + 1>::value;
    };
    template <int M> struct Bomb<0, M> { static constexpr long value = M; };
    long bang = Bomb<30, 0>::value;
    """
    result = compiler.compile(request(bomb, seconds=1.0))
    assert result.failure is Verdict.CE
    assert result.message == "compiling took longer than 1 s and was stopped"


def test_megabytes_of_diagnostics_are_kept_to_their_bound(compiler):
    flood = "".join(f'#warning "number {n} {"x" * 200}"\n' for n in range(3000))
    result = compiler.compile(request(flood + GOOD))
    assert len(result.output.encode()) <= 64 * 1024
    assert result.output_dropped_bytes > 500_000
    assert len(result.diagnostics) == 200


def test_half_a_surrogate_pair_in_the_source_is_no_accident(compiler):
    assert compiler.check(request(GOOD + "// \ud800\n")).failure is None


def test_for_the_emulated_device_nvcc_checks_and_reports_without_a_library(compiler):
    result = compiler.compile(request(GOOD, EMULATED))
    assert result.failure is None
    assert result.artifact is None
    assert [kernel.shared_bytes for kernel in result.resources] == [1024]
    assert compiler.check(request(GOOD)).cached  # sm_80 is what it checks for


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (GOOD + "void broken() { undeclared(); }\n", "line 11: identifier"),
        ('extern "C" void solve(float* A) {}', "line 1: wrong signature of solve"),
        ('#include "mine.h"\n', "line 1: header mine.h not found"),
    ],
)
def test_a_check_finds_errors_of_host_and_device_code(compiler, source, message):
    result = compiler.check(request(source, EMULATED))
    assert result.failure is Verdict.CE
    assert result.message.startswith(message)


@pytest.mark.parametrize("architecture", ["", "sm_80 -run", "compute_80", "-DX", "native"])
def test_an_architecture_is_never_an_option(compiler, architecture):
    with pytest.raises(ValueError, match="not an architecture"):
        compiler.compile(request(GOOD, Target(DeviceKind.CUDA, architecture)))


def test_the_wheels_nvcc_works_without_a_toolkit(executor, tmp_path):
    toolkit = find_wheel_nvcc()
    if toolkit is None:
        pytest.skip("the nvidia-cuda-nvcc wheel is not here: pip install 'warpboard[nvcc]'")
    compiler = NvccCompiler(executor, BuildCache(tmp_path), toolkit)
    result = compiler.compile(request(GOOD))
    assert result.failure is None, result.output
    assert ctypes.CDLL(str(result.artifact)).solve
    assert str(toolkit.root) not in " ".join(result.flags)


def test_a_compiler_that_does_not_start_is_not_the_users_fault(executor, tmp_path):
    (tmp_path / "bin").mkdir()
    compiler = NvccCompiler(executor, BuildCache(tmp_path / "builds"), Toolkit(tmp_path, "0.0.0"))
    with pytest.raises(ToolchainMissing, match="pip install"):
        compiler.compile(request(GOOD))
