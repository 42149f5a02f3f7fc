"""However a submission ends its runner, the judge says what happened and goes on."""

from __future__ import annotations

import pytest

from judge.devices.interface import RunnerFailure, SessionLimits
from judge.domain import Verdict
from judge.execution import MIB


def failure(open_session, helpers, artifact, limits=None, brackets=1) -> RunnerFailure:
    """What a session of ``artifact`` fails with, at the start or in one of its brackets."""
    with pytest.raises(RunnerFailure) as caught:
        helpers.use(open_session, artifact, limits, brackets)
    return caught.value


@pytest.mark.parametrize("code", [0, 3])
def test_exit_inside_solve_is_no_success(build_runner, open_session, helpers, code):
    body = f"{helpers.SCALE} std::exit({code});"
    failed = failure(open_session, helpers, build_runner(body))
    assert failed.verdict is Verdict.RTE
    assert f"exited inside solve (exit code {code})" in failed.message


def test_exit_in_a_static_constructor_is_no_success(build_runner, open_session, helpers):
    early = build_runner("", outside="static int early = (std::exit(0), 0);")
    failed = failure(open_session, helpers, early)
    assert failed.verdict is Verdict.RTE
    assert "before solve was called" in failed.message


def test_a_wild_pointer_is_a_segmentation_fault(build_runner, open_session, helpers):
    body = "*reinterpret_cast<volatile int*>(16) = 1;"
    failed = failure(open_session, helpers, build_runner(body))
    assert failed.verdict is Verdict.RTE
    assert "SIGSEGV" in failed.message


@pytest.mark.parametrize("index", ["1024 * N", "N + 8", "-4096"])
def test_a_buffer_overrun_traps_at_the_page_behind_it(build_runner, open_session, helpers, index):
    failed = failure(open_session, helpers, build_runner(f"B[{index}] = 1;"))
    assert failed.verdict is Verdict.RTE
    assert "SIGSEGV" in failed.message


def test_the_emulation_s_diagnosis_is_the_message(build_runner, open_session, helpers):
    body = (
        'std::fputs("noise\\nwarpboard-diagnosis: read 4 bytes past the end of `A`\\n", stderr);'
        "_exit(86);"
    )
    failed = failure(open_session, helpers, build_runner(body))
    assert failed.verdict is Verdict.RTE
    assert failed.message == "read 4 bytes past the end of `A`"


def test_an_endless_loop_is_stopped_at_the_limit(build_runner, open_session, helpers):
    limits = SessionLimits(call_seconds=0.3, start_seconds=20.0, memory_bytes=512 * MIB)
    body = "volatile int i = 0; for (;;) i = i + 1;"
    failed = failure(open_session, helpers, build_runner(body), limits)
    assert failed.verdict is Verdict.TLE
    assert "0.3 s" in failed.message


def test_a_start_that_never_ends_is_stopped_at_the_limit(build_runner, open_session, helpers):
    limits = SessionLimits(call_seconds=20.0, start_seconds=0.3, memory_bytes=512 * MIB)
    stuck = build_runner("", outside="static int stuck = [] { for (;;) pause(); return 0; }();")
    failed = failure(open_session, helpers, stuck, limits)
    assert failed.verdict is Verdict.TLE
    assert "did not start" in failed.message


def test_a_flood_of_output_is_stopped(build_runner, open_session, helpers):
    body = 'for (;;) std::puts("all work and no play");'
    failed = failure(open_session, helpers, build_runner(body))
    assert failed.verdict is Verdict.OLE


def test_some_output_is_no_offence(build_runner, open_session, helpers):
    artifact = build_runner(f'std::puts("hello"); std::fflush(stdout); {helpers.SCALE}')
    with open_session(artifact, helpers.scale_call(64)) as session:
        session.stage(0, helpers.fresh(64))
        assert session.bracket([0]).calls == 1


def test_running_out_of_memory_is_a_memory_limit(build_runner, open_session, helpers):
    body = "for (;;) { char* p = new char[1 << 24]; std::memset(p, 1, 1 << 24); B[0] += p[N]; }"
    failed = failure(open_session, helpers, build_runner(body))
    assert failed.verdict is Verdict.MLE


def test_running_out_of_memory_where_nothing_may_throw_is_a_memory_limit(
    build_runner, open_session, helpers
):
    outside = "static void hungry() noexcept { throw std::bad_alloc(); }"
    failed = failure(open_session, helpers, build_runner("hungry();", outside))
    assert failed.verdict is Verdict.MLE


def test_an_escaped_exception_is_told(build_runner, open_session, helpers):
    body = 'throw std::runtime_error("no such luck");'
    failed = failure(open_session, helpers, build_runner(body))
    assert failed.verdict is Verdict.RTE
    assert "no such luck" in failed.message


@pytest.mark.parametrize(
    ("error", "verdict"),
    [
        ("cudaErrorInvalidConfiguration: invalid configuration argument", Verdict.RTE),
        ("cudaErrorMemoryAllocation: out of memory", Verdict.MLE),
    ],
)
def test_a_pending_cuda_error_is_told(build_runner, open_session, helpers, error, verdict):
    outside = (
        f'extern "C" const char* warpboard_emulation_pending_error(void) {{ return "{error}"; }}'
    )
    failed = failure(open_session, helpers, build_runner(helpers.SCALE, outside))
    assert failed.verdict is verdict
    assert error in failed.message


def test_a_crash_in_a_later_call_is_told_too(build_runner, open_session, helpers):
    body = "static int calls = 0; if (++calls == 3) std::abort();"
    failed = failure(open_session, helpers, build_runner(body), brackets=3)
    assert failed.verdict is Verdict.RTE
    assert "SIGABRT" in failed.message
