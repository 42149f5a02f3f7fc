"""Building ladders with the real ninja and nvcc."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from judge.compiler.references import BuildFailed, ReferenceSource, build, find_sources
from judge.compiler.toolkit import INSTALL_NVCC, find_nvcc

ROOT = Path(__file__).parents[2]
PROTOTYPE = 'extern "C" void solve(float* A, int N);\n'
KERNEL = """\
__global__ void fill(float* a, int n) { if (threadIdx.x < n) a[threadIdx.x] = 1.0f; }
extern "C" void solve(float* A, int N) { fill<<<1, 32>>>(A, N); }
"""


@pytest.fixture(scope="module", autouse=True)
def _nvcc():
    if find_nvcc() is None:
        pytest.skip(f"no nvcc: {INSTALL_NVCC}")


@pytest.fixture
def source(tmp_path):
    # A name that needs quoting, for ninja and for the shell.
    path = tmp_path / "it's kernels" / "v01_fill.cu"
    path.parent.mkdir()
    path.write_text(KERNEL)
    return ReferenceSource("fill", "v01_fill", path, PROTOTYPE)


def test_every_kernel_is_built_for_every_architecture(source, tmp_path):
    products = build([source], ["sm_80", "sm_90a"], tmp_path / "out put")
    assert set(products) == {("sm_80", "fill", "v01_fill"), ("sm_90a", "fill", "v01_fill")}
    for product in products.values():
        assert ctypes.CDLL(str(product)).solve


def test_only_what_changed_is_built_again(source, tmp_path):
    def built_at() -> int:
        (product,) = build([source], ["sm_80"], tmp_path / "out").values()
        return product.stat().st_mtime_ns

    first = built_at()
    assert built_at() == first
    source.path.write_text(KERNEL.replace("1.0f", "2.0f"))
    second = built_at()
    assert second > first
    changed = ReferenceSource("fill", "v01_fill", source.path, PROTOTYPE + "// changed\n")
    build([changed], ["sm_80"], tmp_path / "out")
    assert built_at() > second


def test_a_kernel_that_does_not_compile_is_reported_with_the_compilers_words(source, tmp_path):
    source.path.write_text("void nothing() { undeclared(); }\n")
    with pytest.raises(BuildFailed, match='identifier "undeclared" is undefined'):
        build([source], ["sm_80"], tmp_path / "out")


def test_an_architecture_must_look_like_one(source, tmp_path):
    with pytest.raises(ValueError, match="sm_75"):
        build([source], ["sm_80; rm -rf /"], tmp_path / "out")


def test_the_ladders_of_this_repository_are_found_with_their_prototypes():
    sources = find_sources(ROOT / "problems", ROOT / "reference_kernels")
    assert {source.problem for source in sources} >= {"matmul", "transpose", "reduction"}
    assert all("warpboard_invoke" in source.prototype for source in sources)


def test_kernels_of_an_unknown_problem_are_named(tmp_path):
    (tmp_path / "kernels" / "sorting").mkdir(parents=True)
    (tmp_path / "kernels" / "sorting" / "v01.cu").write_text(KERNEL)
    with pytest.raises(ValueError, match="sorting"):
        find_sources(ROOT / "problems", tmp_path / "kernels")
