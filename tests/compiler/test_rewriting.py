"""What the rewriter changes, and that everything else stays where it was."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.compiler.emulation.rewrite import rewrite


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def test_a_launch_becomes_a_call_that_evaluates_its_arguments_once() -> None:
    text = rewrite("void f() { add<<<g(), 256>>>(a, next(), n); }").text
    assert squeezed(text) == (
        'void f() { ::warpboard::emulation::launch("add", [&](auto&... warpboard_arguments) '
        "{ add(warpboard_arguments...); }, ::warpboard::emulation::configuration(g(), 256)"
        ", a, next(), n); }"
    )


@pytest.mark.parametrize(
    ("kernel", "name"),
    [
        ("k", "k"),
        ("k<float, 16>", "k"),
        ("k<(A > B)>", "k"),
        ("k<std::vector<std::vector<int>>>", "k"),
        ("::a::b<int>::k<2>", "::a::b"),
        ("object.template k<T>", "object.templatek"),
        ("pointer->k", "pointer->k"),
        ("(*pointer)", "(*pointer)"),
        ("kernels[i]", "kernels[i]"),
        ("PICK(float)", "PICK(float)"),
    ],
)
def test_the_kernel_of_a_launch_may_be_any_expression(kernel: str, name: str) -> None:
    text = rewrite(f"void f() {{ if (x) {kernel}<<<1, 2>>>(a); }}").text
    assert f'launch("{name}", [&](auto&... warpboard_arguments) {{ {kernel}(' in text
    assert "if (x) ::warpboard" in text
    assert "<<<" not in text


def test_a_launch_without_arguments_gets_no_comma() -> None:
    assert "configuration(1, 2) )" in squeezed(rewrite("k<<<1, 2>>>();").text)


def test_a_launch_over_several_lines_keeps_its_lines() -> None:
    source = "k<int,\n  2>\n  <<<dim3(1,\n 2),\n 3>>>\n (a, // comment )\n  b);\nint x;\n"
    text = rewrite(source).text
    assert text.count("\n") == source.count("\n")
    assert text.splitlines()[-1] == "int x;"


def test_null_as_an_argument_stays_a_null_pointer() -> None:
    assert ", nullptr, f(NULL))" in rewrite("k<<<1, 2>>>(NULL, f(NULL));").text
    assert ", g(a, NULL, b), nullptr)" in rewrite("k<<<1, 2>>>(g(a, NULL, b), NULL);").text


def test_launches_in_macros_are_rewritten_too() -> None:
    text = rewrite("#define RUN(k, ...) \\\n  k<<<1, 2>>>(__VA_ARGS__)\nint x;\n").text
    assert "launch(#k, " in text
    assert "__VA_OPT__(,) __VA_ARGS__)" in text
    assert text.endswith("\nint x;\n")


@pytest.mark.parametrize(
    "source",
    [
        '// k<<<1, 2>>>(a);\nconst char* s = "k<<<1, 2>>>(a)";\nauto r = R"x(k<<<1,2>>>(a))x";',
        "int x = a << b; y >>= 3; std::vector<std::vector<std::vector<int>>> v;",
        "template <class T> std::ostream& operator<<<T>(std::ostream&, T);",
        "k<<<1, 2>>>; k<<<1, 2; k<<<1, 2>>>(",
        "",
    ],
)
def test_what_is_no_launch_is_left_alone(source: str) -> None:
    assert rewrite(source).text == source


def test_dynamic_shared_memory_in_a_function_becomes_a_reference() -> None:
    text = rewrite("void f() { extern __shared__ float s[]; }").text
    assert squeezed(text) == "void f() { float (&s)[] = WARPBOARD_DYNAMIC_SHARED(s); }"


def test_dynamic_shared_memory_keeps_type_and_alignment() -> None:
    text = rewrite("void f() { extern volatile __shared__ alignas(16) T<a, b> s[][32]; }").text
    assert "volatile __align__(16) T<a, b> (&s)[][32] = WARPBOARD" in squeezed(text)


def test_dynamic_shared_memory_outside_of_functions_gets_another_name() -> None:
    text = squeezed(rewrite("namespace a { extern __shared__ int s[]; }").text)
    assert text == "namespace a { extern __thread int s[] WARPBOARD_DYNAMIC_SHARED_NAME; }"


def test_static_shared_memory_loses_its_own_static() -> None:
    assert squeezed(rewrite("static __shared__ float s[4];").text) == "__shared__ float s[4];"


@pytest.mark.parametrize(
    ("source", "feature", "line"),
    [
        ('\n\nvoid f() { asm volatile("mov"); }', "inline PTX (asm)", 3),
        ("#include <cublas_v2.h>\n", "cuBLAS", 1),
        ('\n#include "cutlass/gemm.h"\n', "CUTLASS", 2),
        ("\n#include <cuda/pipeline>\n", "cuda::pipeline", 2),
        ("#define PTX(x) \\\n asm(x)\n", "inline PTX (asm)", 2),
        ("\nvoid __cluster_dims__(2) k();", "thread block clusters", 2),
        (
            "__global__ void child();\n__global__ void k() {\n  if (x) child<<<1, 1>>>();\n}",
            "dynamic parallelism (a launch in device code)",
            3,
        ),
    ],
)
def test_what_the_device_lacks_is_named_with_its_line(source: str, feature: str, line: int) -> None:
    result = rewrite(source)
    assert [(found.feature, found.line) for found in result.unsupported] == [(feature, line)]
    assert f"warpboard-unsupported: {feature}" in result.text
    assert result.text.count("\n") == source.count("\n")


def test_a_launch_in_host_code_is_no_dynamic_parallelism() -> None:
    source = "__device__ int d() { return 1; }\n__host__ __device__ void both() { k<<<1, 1>>>(); }"
    assert rewrite(source).unsupported == ()


FRAGMENTS = st.sampled_from(
    [
        *("<<<", ">>>", "<<", ">>", "<", ">", "(", ")", "[", "]", "{", "}", ";", ",", ".", "->"),
        *("::", "k", "foo", "template", "operator", "extern", "static", "__shared__", "float"),
        *("__global__", "asm", "NULL", "alignas", "__align__", "namespace", '"x"', "'", '"'),
        *("/*", "*/", "//", 'R"(', ')"', "#", "#define", "#include", "\\", "\n", "\r\n", "\0"),
        *("é", "__VA_ARGS__", "#define f(", "#include <cute/", "extern __shared__ T s[];"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(FRAGMENTS, max_size=60), st.sampled_from(["", " "]))
def test_any_text_can_be_rewritten_and_keeps_its_lines(pieces: list[str], glue: str) -> None:
    source = glue.join(pieces)
    assert rewrite(source).text.count("\n") == source.count("\n")


@pytest.mark.parametrize(
    "piece",
    ["<<<", ">>>", "k<<<", "<", ">", "(", ")", "{", "a<", "a>", "/*", 'R"(', "extern __shared__ ",
     "__shared__ a ", "#define x \\\n", "k<<<1,1>>>(", "'", "asm ", "a::", "\\\n", " "],
)  # fmt: skip
def test_hostile_repetition_takes_linear_time(piece: str) -> None:
    def seconds(size: int) -> float:
        source = piece * (size // len(piece))
        begin = time.process_time()
        rewrite(source)
        return time.process_time() - begin

    # The rule is about growth: quadratic work would be sixteen times as long, and the larger size
    # minutes. The least of three: a collection of the whole session's garbage is no growth.
    small = min(seconds(16_384) for _ in range(3))
    assert min(seconds(65_536) for _ in range(3)) < 8 * small + 0.5


@pytest.mark.parametrize(
    ("before", "after"),
    [("k<<<1,1>>>(", ")"), ("(", "<<<1,1>>>())"), ("f(", ")<<<1,1>>>()")],
)
def test_launches_within_launches_take_linear_time_and_space(before: str, after: str) -> None:
    def measured(levels: int) -> tuple[float, int]:
        begin = time.process_time()
        text = rewrite(before * levels + "k" + after * levels).text
        return time.process_time() - begin, len(text)

    seconds, characters = measured(1000)
    more_seconds, more_characters = measured(8000)
    assert more_characters < 9 * characters
    assert more_seconds < 16 * seconds + 0.5
