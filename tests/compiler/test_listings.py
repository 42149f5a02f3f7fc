"""The device code that nvcc makes is kept beside what it compiled."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.compiler.cache import BuildCache
from judge.compiler.interface import CompileRequest, Target
from judge.compiler.nvcc import NvccCompiler
from judge.compiler.toolkit import INSTALL_NVCC, find_nvcc
from judge.domain import LISTING_BYTES, DeviceKind, Limits
from judge.execution import SandboxUnavailable
from judge.sandbox import default_executor

SOURCE = """
__global__ void twice(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 2.0f * x[i];
}
extern "C" void solve(float* x, int n) { twice<<<1, 32>>>(x, n); }
"""
TARGETS = (Target(DeviceKind.EMULATED), Target(DeviceKind.CUDA, "sm_90a"))


@pytest.fixture(scope="module")
def nvcc(tmp_path_factory: pytest.TempPathFactory) -> NvccCompiler:
    if find_nvcc() is None:
        pytest.skip(f"no nvcc: {INSTALL_NVCC}")
    try:
        executor = default_executor()
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    return NvccCompiler(executor, BuildCache(tmp_path_factory.mktemp("builds")))


def request(source: str, target: Target) -> CompileRequest:
    return CompileRequest(source, "", "void solve(float*, int)", "solve", target, Limits())


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.kind.value)
def test_ptx_is_kept_for_every_target_also_from_the_cache(
    nvcc: NvccCompiler, target: Target
) -> None:
    first = nvcc.compile(request(SOURCE, target))
    again = nvcc.compile(request(SOURCE, target))

    assert first.failure is None, first.output
    ptx = next(listing for listing in first.listings if listing.kind == "ptx")
    assert "twice" in ptx.text
    assert f".target {target.architecture or 'sm_80'}" in ptx.text
    assert again.cached
    assert again.listings == first.listings


def test_a_huge_listing_is_cut_and_says_so(nvcc: NvccCompiler) -> None:
    kernels = "\n".join(
        f"__global__ void k{i}(float* x) {{ x[threadIdx.x] *= {i}.5f; }}" for i in range(800)
    )
    found = nvcc.compile(request(kernels + SOURCE, TARGETS[0]))

    assert found.failure is None, found.output
    ptx = next(listing for listing in found.listings if listing.kind == "ptx")
    assert len(ptx.text.encode()) == LISTING_BYTES
    assert ptx.dropped_bytes > 0


def test_nothing_of_the_intermediate_files_stays(nvcc: NvccCompiler) -> None:
    built = nvcc.compile(request(SOURCE, TARGETS[1]))

    assert built.artifact is not None
    assert not [path for path in Path(built.artifact).parent.iterdir() if path.is_dir()]
