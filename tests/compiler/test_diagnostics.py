"""What compilers print, as users get to read it. Texts are real ones of nvcc 13.0 and gcc 12."""

from __future__ import annotations

import pytest

from judge.compiler.diagnostics import KEPT_BYTES, explain, read
from judge.domain import Diagnostic

SIGNATURE = "void solve(const float* A, float* B, int N)"
EXPECTED = f'expected `extern "C" {SIGNATURE}`'

UNDEFINED_SOLVE = b"""\
/usr/bin/ld: /tmp/tmpxft_00003ed8_00000000-11_submission.o: in function `warpboard_invoke':
tmpxft_00003ed8_00000000-6_submission.cudafe1.cpp:(.text+0x24): undefined reference to `solve'
collect2: error: ld returned 1 exit status
"""


def explained(text: bytes, source: str = "") -> str:
    return explain(read(text), source, "solve", SIGNATURE)


def test_nvccs_errors_carry_line_and_column_of_the_users_file():
    text = read(
        b'/submission/submission.cu(2): error: identifier "undefd" is undefined\n'
        b"  __attribute__((global)) void k(float*a){ a[0]=undefd; }\n"
        b"                                                ^\n\n"
        b'1 error detected in the compilation of "/submission/submission.cu".\n'
    )
    assert text.diagnostics == (Diagnostic("error", 'identifier "undefd" is undefined', 2, 34),)
    assert text.output.splitlines() == [
        'submission.cu(2): error: identifier "undefd" is undefined',
        "  __global__ void k(float*a){ a[0]=undefd; }",
        "                                   ^",
        "",
        '1 error detected in the compilation of "submission.cu".',
    ]


def test_gccs_errors_carry_line_and_column_of_the_users_file():
    text = read(
        b"/submission/submission.cu: In function 'void solve(int)':\n"
        b"/submission/submission.cu:3:5: error: 'x' was not declared in this scope\n"
        b"/submission/submission.cu:4:1: warning: no return statement [-Wreturn-type]\n"
    )
    assert text.diagnostics == (
        Diagnostic("error", "'x' was not declared in this scope", 3, 5),
        Diagnostic("warning", "no return statement [-Wreturn-type]", 4, 1),
    )


def test_messages_about_other_files_name_them_and_have_no_line():
    text = read(
        b"/usr/include/c++/12/bits/allocator.h(156): error: calling a constexpr __host__ function\n"
        b"/usr/include/c++/12/vector:64:2: note: declared here\n"
    )
    assert text.diagnostics == (
        Diagnostic(
            "error",
            "/usr/include/c++/12/bits/allocator.h: calling a constexpr __host__ function",
        ),
        Diagnostic("note", "/usr/include/c++/12/vector: declared here"),
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "ptxas error   : Entry function '_Z1kPf' uses too much shared data",
            "ptxas: Entry function '_Z1kPf' uses too much shared data",
        ),
        (
            "ptxas /tmp/tmpxft_1_0-6_submission.ptx, line 29; error   : Not a name of any "
            "known instruction: 'bogus'",
            "ptxas: Not a name of any known instruction: 'bogus'",
        ),
        ("nvcc fatal   : Unsupported gpu architecture", "nvcc: Unsupported gpu architecture"),
        (
            "/tmp/ccD0JeUe.s:4: Error: unable to include `/dev/zero'",
            "assembler: unable to include `/dev/zero'",
        ),
    ],
)
def test_later_tools_errors_are_found_too(line, message):
    assert read(line.encode()).diagnostics == (Diagnostic("error", message),)


def test_ptxas_report_is_left_out_of_the_output():
    report = (
        b"ptxas info    : 0 bytes gmem\n"
        b"ptxas info    : Function properties for _Z1kPf\n"
        b"    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        b"ptxas info    : Used 10 registers\n"
    )
    assert read(report).output == ""


def test_escape_sequences_and_control_characters_are_removed():
    text = read(b"\x1b[01;31m\x1b[Kerror\x1b[m\x00\x07: \x1b]8;;http://x\x07bad\xff\tend\r\n")
    assert text.output == "error: bad\ufffd\tend"


@pytest.mark.parametrize("control", ["\x9b2J", "\u202e", "\u2066", "\u2069"])
def test_controls_beyond_ascii_are_removed_too(control):
    assert read(f"error: a{control}b".encode()).output == f"error: a{control[1:]}b"


def test_output_is_cut_at_64_kib_and_the_rest_counted():
    text = read("ü".encode() * 100_000, total_bytes=1_000_000)
    assert len(text.output.encode()) <= KEPT_BYTES
    assert text.dropped_bytes == 1_000_000 - KEPT_BYTES


def test_a_million_errors_become_a_bounded_list():
    flood = b"/submission/submission.cu(1): error: no\n" * 10_000
    assert len(read(flood).diagnostics) == 200


@pytest.mark.parametrize("digits", [10, 5000])
@pytest.mark.parametrize("form", ["submission.cu:{}:1: error: x", "submission.cu:1:{}: error: x"])
def test_forged_places_without_an_end_are_no_places(form, digits):
    lines = f"{form.format('9' * digits)}\nsubmission.cu({'9' * digits}): error: x\n"
    assert read(lines.encode()).diagnostics == ()


def test_no_solve_is_explained():
    assert explained(UNDEFINED_SOLVE) == f"no function named solve: {EXPECTED}"


def test_a_solve_of_other_parameters_is_explained_though_only_the_linker_noticed():
    source = "void solve(float* A, int N) {}"
    assert explained(UNDEFINED_SOLVE, source) == f"wrong signature of solve: {EXPECTED}"


@pytest.mark.parametrize(
    "line",
    [
        "/submission/submission.cu(7): error: more than one instance of overloaded function "
        '"solve" has "C" linkage',
        "/submission/submission.cu(7): error: cannot overload functions distinguished by return "
        "type alone",
        "/submission/submission.cu:7:17: error: conflicting declaration of C function "
        "'void solve(float*, int)'",
        "/submission/submission.cu:7:16: error: ambiguating new declaration of "
        "'int solve(const float*, float*, int)'",
    ],
)
def test_a_conflicting_solve_is_explained_with_its_line(line):
    assert explained(line.encode()) == f"line 7: wrong signature of solve: {EXPECTED}"


def test_another_functions_conflict_is_not_taken_for_solves():
    line = (
        b"/submission/submission.cu(7): error: more than one instance of overloaded function "
        b'"help" has "C" linkage\n'
    )
    assert "wrong signature" not in explained(line)


def test_a_missing_header_is_explained():
    line = b"/submission/submission.cu:1:10: fatal error: nothere.h: No such file or directory\n"
    assert explained(line).startswith("line 1: header nothere.h not found")


def test_any_other_undefined_symbol_is_named():
    text = UNDEFINED_SOLVE.replace(b"`solve'", b"`helper(float*, int)'")
    assert explained(text).startswith("helper(float*, int) is declared or used but defined nowhere")


def test_otherwise_the_first_error_speaks_and_the_rest_are_counted():
    line = b"/submission/submission.cu(%d): error: bad\n"
    assert explained(line % 3) == "line 3: bad"
    assert explained(line % 3 + line % 4) == "line 3: bad (and 1 more error)"


def test_a_failure_without_a_word_is_not_passed_over():
    assert explained(b"") == "the compiler failed without an error message"
    assert explained(b"Killed\n") == "the compiler failed without an error message: Killed"
