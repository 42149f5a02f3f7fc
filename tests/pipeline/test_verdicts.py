"""Each way a submission can go wrong gets its own verdict and a message that helps."""

from __future__ import annotations

from collections.abc import Callable

from judge.cli.report import Report
from judge.domain import Status, Verdict
from judge.events import Event, Finished, StageEntered
from judge.machine import Machine
from judge.pipeline import judge
from judge.problems.package import ProblemPackage

Judged = Callable[[str], Report]


def with_kernel(body: str) -> str:
    """A submission whose kernel's body is ``body``; i is the thread's element."""
    return f"""#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void kernel(const float* A, const float* B, float* C, int N) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {body}
}}
extern "C" void solve(const float* A, const float* B, float* C, int N) {{
    kernel<<<(N + 255) / 256, 256>>>(A, B, C, N);
}}
"""


def with_solve(body: str) -> str:
    """A submission whose entry point's body is ``body``."""
    return f"""#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
extern "C" void solve(const float* A, const float* B, float* C, int N) {{
    {body}
}}
"""


RIGHT = with_kernel("if (i < N) C[i] = A[i] + B[i];")


def test_a_right_kernel_is_accepted_with_a_score_and_an_environment(judged: Judged) -> None:
    report = judged(RIGHT)

    assert report.verdict is Verdict.AC, report.detail or report.message
    assert len(report.cases) == 5
    assert all(case.verdict is Verdict.AC for case in report.cases)
    assert report.score is not None
    assert 0 < report.score.ci_low_ms <= report.score.value_ms <= report.score.ci_high_ms
    (timing,) = report.timings
    assert len(timing.samples_ms) >= 3, "at least three fresh processes"
    assert report.environment is not None
    assert report.environment.device == "emulated"
    assert report.environment.sandbox == "bubblewrap"


def test_the_stages_come_in_order_and_the_verdict_last(
    machine: Machine, vector_add: ProblemPackage
) -> None:
    events: list[Event] = list(judge(RIGHT, vector_add, machine))

    stages = [event.status for event in events if isinstance(event, StageEntered)]
    assert stages == [Status.COMPILING, Status.CHECKING, Status.TIMING]
    assert [event for event in events if isinstance(event, Finished)] == [events[-1]]


def test_the_alias_solution_is_accepted_as_entry_point(judged: Judged) -> None:
    assert judged(RIGHT.replace("void solve(", "void solution(")).verdict is Verdict.AC


def test_a_source_without_an_entry_point_is_told_which_one_to_define(judged: Judged) -> None:
    report = judged("__global__ void kernel() {}\n")

    assert report.verdict is Verdict.CE
    assert "void solve(const float* A, const float* B, float* C, int N)" in report.message


def test_a_wrong_signature_is_told_the_right_one(judged: Judged) -> None:
    report = judged('extern "C" void solve(const float* A, float* C, int N) {}\n')

    assert report.verdict is Verdict.CE
    assert "void solve(const float* A, const float* B, float* C, int N)" in report.message


def test_a_compile_error_is_shown_with_the_line_of_the_users_file(judged: Judged) -> None:
    report = judged(with_solve("int x = 1;\n    undeclared_name = 2;"))

    assert report.verdict is Verdict.CE
    assert "undeclared_name" in report.compiler_output
    assert "submission.cu" in report.compiler_output
    assert "6" in report.compiler_output


def test_an_endless_loop_on_the_host_hits_the_time_limit(judged: Judged) -> None:
    report = judged(with_solve("volatile int spin = 1; while (spin) {}"))

    assert report.verdict is Verdict.TLE
    assert "1 s" in report.message


def test_an_endless_kernel_hits_the_time_limit(judged: Judged) -> None:
    report = judged(with_kernel("volatile int spin = 1; while (spin) {}"))

    assert report.verdict is Verdict.TLE


def test_exit_inside_solve_is_no_success(judged: Judged) -> None:
    report = judged(with_solve("exit(0);"))

    assert report.verdict is Verdict.RTE
    assert "exit" in report.message


def test_a_crash_on_the_host_is_a_runtime_error(judged: Judged) -> None:
    report = judged(with_solve("*(volatile int*)8 = 1;"))

    assert report.verdict is Verdict.RTE


def test_an_abort_is_a_runtime_error_that_says_so(judged: Judged) -> None:
    report = judged(with_solve("abort();"))

    assert report.verdict is Verdict.RTE
    assert "abort()" in report.message


def test_a_write_far_past_the_end_names_kernel_thread_and_buffer(judged: Judged) -> None:
    report = judged(with_kernel("C[i] = A[0] + B[0]; if (i == N - 1) C[N + 5000] = 1.0f;"))

    assert report.verdict is Verdict.RTE
    assert "kernel" in report.message
    assert "`C`" in report.message


def test_a_write_just_before_a_buffer_is_caught_by_its_guard(judged: Judged) -> None:
    report = judged(with_kernel("if (i < N) C[i] = A[i] + B[i]; if (i == 0) C[-3] = 1.0f;"))

    assert report.verdict in (Verdict.WA, Verdict.RTE)
    assert "`C`" in report.message
    assert "12 bytes before" in report.message


def test_an_output_never_written_is_wrong_and_said_so(judged: Judged) -> None:
    report = judged(with_solve(""))

    assert report.verdict is Verdict.WA
    assert "Nothing was written to C" in report.message


def test_an_overwritten_input_is_wrong_even_if_the_output_is_right(judged: Judged) -> None:
    report = judged(
        with_kernel("if (i < N) { C[i] = A[i] + B[i]; const_cast<float*>(A)[i] = 0.0f; }")
    )

    assert report.verdict is Verdict.WA
    assert "`A` was overwritten" in report.message


def test_nan_is_never_right(judged: Judged) -> None:
    report = judged(with_kernel('if (i < N) C[i] = nanf("");'))

    assert report.verdict is Verdict.WA
    assert "NaN" in report.message


def test_a_missing_bounds_check_at_the_tail_is_named(judged: Judged) -> None:
    report = judged(with_kernel("if (i < N - 1) C[i] = A[i] + B[i];"))

    assert report.verdict is Verdict.WA
    assert any(case.mismatch for case in report.cases)


def test_a_flood_of_output_hits_the_output_limit(judged: Judged) -> None:
    report = judged(with_solve('for (int i = 0; i < 1000000; i++) printf("a line of output\\n");'))

    assert report.verdict is Verdict.OLE


def test_more_memory_than_the_limit_is_a_memory_limit(judged: Judged) -> None:
    report = judged(with_solve("volatile char* p = new char[size_t(16) << 30]; p[0] = 1;"))

    assert report.verdict is Verdict.MLE


def test_an_impossible_launch_gets_the_cuda_error_by_name(judged: Judged) -> None:
    report = judged(
        RIGHT.replace("kernel<<<(N + 255) / 256, 256>>>", "kernel<<<(N + 255) / 256, 2048>>>")
    )

    assert report.verdict is Verdict.RTE
    assert "cudaErrorInvalidConfiguration" in report.message


def test_inline_ptx_is_named_as_unsupported_here(judged: Judged) -> None:
    report = judged(with_kernel('asm volatile("membar.gl;"); if (i < N) C[i] = A[i] + B[i];'))

    assert report.verdict is Verdict.UNS
    assert "6" in report.message


def test_a_hidden_case_keeps_its_name_secret(judged: Judged) -> None:
    # Right for every visible test (their values stay small), wrong for the hidden "large" one.
    report = judged(
        with_kernel("if (i < N) { float s = A[i] + B[i]; C[i] = fabsf(s) > 100.f ? 0.f : s; }")
    )

    assert report.verdict is Verdict.WA
    assert "kept secret" not in report.message
    assert "hidden case" in report.message


def test_work_that_outlives_solve_is_not_accepted(judged: Judged) -> None:
    report = judged(
        "#include <thread>\n#include <chrono>\n#include <cuda_runtime.h>\n"
        'extern "C" void solve(const float* A, const float* B, float* C, int N) {\n'
        "    std::thread([=] {\n"
        "        std::this_thread::sleep_for(std::chrono::milliseconds(20));\n"
        "        for (int i = 0; i < N; i++) C[i] = A[i] + B[i];\n"
        "    }).detach();\n"
        "}\n"
    )

    assert report.verdict in (Verdict.WA, Verdict.TNC)
