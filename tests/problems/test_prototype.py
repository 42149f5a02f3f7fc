"""The forced header holds a submission to its signature, and its trampoline calls it right."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from judge.domain import DType, Limits, Parameter, Problem, Role, Tolerance, ToleranceRule
from judge.problems.prototype import blank_non_code, defines, detect_entry, header, signature


def problem_of(*parameters: Parameter, entry: str = "solve") -> Problem:
    return Problem(
        slug="p",
        title="P",
        difficulty="easy",
        tags=(),
        entry=entry,
        parameters=parameters,
        tolerance=Tolerance(ToleranceRule.EXACT),
        limits=Limits(),
        tests=(),
        workloads=(),
        flops="1",
        bytes="1",
    )


PROBLEM = problem_of(
    Parameter("A", DType.FLOAT32, Role.IN, ("M", "N")),
    Parameter("B", DType.INT64, Role.INOUT, ("N",)),
    Parameter("C", DType.FLOAT64, Role.OUT, ("M",)),
    Parameter("alpha", DType.FLOAT32, Role.SCALAR),
    Parameter("M", DType.INT32, Role.SIZE),
    Parameter("N", DType.UINT64, Role.SIZE),
)

SOLVE = (
    "void solve(const float* A, long long* B, double* C, float alpha, int M, size_t N)"
    " { C[0] = A[0] * alpha + B[0] + M * 100 + N * 10000; B[0] = 7; }\n"
)

#: Calls the trampoline as a runner does: arguments[i] points at parameter i's value.
CALLER = """
#include <cstdio>
int main() {
    float a = 1.5f; long long b = 2; double c = 0; float alpha = 4; int m = 3; size_t n = 5;
    void *pa = &a, *pb = &b, *pc = &c;
    void* arguments[] = {&pa, &pb, &pc, &alpha, &m, &n};
    warpboard_invoke(arguments);
    std::printf("%g %lld\\n", c, b);
}
"""


def gxx(directory: Path, source: str, *options: str) -> subprocess.CompletedProcess[str]:
    (directory / "prototype.h").write_text(header(PROBLEM, detect_entry(source, PROBLEM)))
    (directory / "source.cpp").write_text(source)
    command = ["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-O2", "-fvisibility=hidden"]
    command += ["-include", "prototype.h", *options, "source.cpp"]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)


def test_the_signature_reads_as_a_person_would_write_it() -> None:
    assert signature(PROBLEM) == (
        "void solve(const float* A, long long* B, double* C, float alpha, int M, size_t N)"
    )
    assert signature(PROBLEM, "solution").startswith("void solution(const float* A")


@pytest.mark.parametrize("linkage", ['extern "C" ', ""])
@pytest.mark.parametrize("entry", ["solve", "solution"])
def test_the_trampoline_hands_every_argument_over(tmp_path: Path, linkage: str, entry: str) -> None:
    source = linkage + SOLVE.replace("solve", entry) + CALLER
    built = gxx(tmp_path, source, "-o", "program")
    assert built.returncode == 0, built.stderr
    ran = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=True)
    assert ran.stdout == "50308 7\n"


def test_the_trampoline_is_visible_in_a_library_that_hides_the_rest(tmp_path: Path) -> None:
    built = gxx(tmp_path, SOLVE, "-shared", "-fPIC", "-o", "library.so")
    assert built.returncode == 0, built.stderr
    symbols = subprocess.run(
        ["nm", "-D", "--defined-only", tmp_path / "library.so"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "warpboard_invoke" in symbols


def test_another_signature_is_a_compile_error_that_names_the_entry_point(tmp_path: Path) -> None:
    wrong = 'extern "C" void solve(float* A, long long* B, double* C, float alpha, int M) {}\n'
    built = gxx(tmp_path, wrong, "-fsyntax-only")
    assert built.returncode != 0
    assert "solve" in built.stderr


def test_half_headers_are_included_only_where_a_parameter_needs_them() -> None:
    half = problem_of(Parameter("X", DType.FLOAT16, Role.OUT, ("1",)))
    brain = problem_of(Parameter("X", DType.BFLOAT16, Role.OUT, ("1",)))
    assert "cuda_fp16.h" not in header(PROBLEM, "solve")
    assert "cuda_bf16.h" not in header(half, "solve")
    assert "#include <cuda_fp16.h>" in header(half, "solve")
    assert "#include <cuda_bf16.h>" in header(brain, "solve")


def nvcc() -> str | None:
    wheel = Path(sysconfig.get_paths()["purelib"]) / "nvidia" / "cu13" / "bin"
    return shutil.which("nvcc") or shutil.which("nvcc", path=str(wheel))


@pytest.mark.skipif(nvcc() is None, reason="needs nvcc (pip install warpboard[nvcc])")
def test_nvcc_accepts_the_header_before_a_kernel(tmp_path: Path) -> None:
    problem = problem_of(
        Parameter("X", DType.FLOAT16, Role.IN, ("N",)),
        Parameter("Y", DType.BFLOAT16, Role.OUT, ("N",)),
        Parameter("N", DType.INT32, Role.SIZE),
    )
    source = (
        "__global__ void k(const __half* x, __nv_bfloat16* y, int n)"
        " { if (threadIdx.x < n) y[threadIdx.x] = __float2bfloat16(__half2float(x[threadIdx.x])); }"
        "\nvoid solve(const __half* X, __nv_bfloat16* Y, int N) { k<<<1, 32>>>(X, Y, N); }\n"
    )
    (tmp_path / "prototype.h").write_text(header(problem, "solve"))
    (tmp_path / "source.cu").write_text(source)
    compiler = nvcc()
    assert compiler is not None
    built = subprocess.run(
        [compiler, "-std=c++20", "-arch=sm_90", "-include", "prototype.h", "-c", "source.cu"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr


@pytest.mark.parametrize(
    ("source", "entry"),
    [
        ('extern "C" void solve(int n) { }', "solve"),
        ('extern "C" void solution(int n) { }', "solution"),
        ("void solution(int n) { } void solve(int n) { solution(n); }", "solve"),
        ("void solution(int n)\n{\n}\n// void solve(int n) { }", "solution"),
        ("/* void solve(int n) {\n} */ void solution(int n) noexcept { }", "solution"),
        ('const char* s = "void solve(int n) { }"; void solution(int n) {}', "solution"),
        ('auto s = R"x(void solve() { } )" )x"; void solution(int n) {}', "solution"),
        ("void solve(int n); void solution(int n) { solve(n); }", "solution"),
        ("__global__ void solve(int n) { }\nvoid solution(int n) { }", "solution"),
        ("void f() { solve(1); }", "solve"),
        ("void my_solution(int n) { }", "solve"),
        ("void solution(int n /* count) { */, float x) { }", "solution"),
        ("void solution(float (*f)(int), int n) { }", "solution"),
        ("struct S { void g(); }; void S::solution(int n) { }", "solve"),
        ("void solve(", "solve"),
        ("char c = '\"'; void solution(int n) { char d = '\"'; }", "solution"),
        ("int big = 1'000'000; // it's\nvoid solution(int n) { }", "solution"),
        ("// continued \\\nvoid solve(int n) { }\nvoid solution(int n) { }", "solution"),
        ("", "solve"),
    ],
)
def test_the_entry_point_is_found_outside_comments_and_strings(source: str, entry: str) -> None:
    assert detect_entry(source, PROBLEM) == entry


def test_a_problem_may_name_its_entry_point_as_the_alias() -> None:
    assert detect_entry("void solve() {}", problem_of(entry="solution")) == "solution"


def test_blanking_keeps_every_line_and_column() -> None:
    source = 'int a; // x\n/* y\n z */ int b = \'c\'; const char* s = "t\\"u";\n'
    blank = blank_non_code(source)
    assert [len(line) for line in blank.split("\n")] == [len(line) for line in source.split("\n")]
    assert blank.split() == ["int", "a;", "int", "b", "=", ";", "const", "char*", "s", "=", ";"]


@pytest.mark.parametrize(
    "source",
    [
        "solve(" * 40_000,
        "solve() " * 30_000,
        "__global__ solve(){" * 10_000,
        '"' * 200_000 + "/*" * 20_000,
        'R"(' * 80_000,
        "/" * 250_000,
        "solve" + " " * 250_000,
    ],
)
def test_a_hostile_source_is_read_in_linear_time(source: str) -> None:
    # Anything quadratic would keep this test busy for minutes.
    assert not defines(source, "solve")
