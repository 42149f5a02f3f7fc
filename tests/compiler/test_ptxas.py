"""Reading ptxas's report."""

from __future__ import annotations

from judge.compiler.ptxas import kernel_names, parse_report
from judge.domain import KernelResources

REPORT = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z5plainPf' for 'sm_80'
ptxas info    : Function properties for _Z5plainPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers, 1024 bytes smem, 372 bytes cmem[0]
ptxas info    : Compile time = 2.581 ms
ptxas info    : Compiling entry function '_Z5greedPf' for 'sm_80'
ptxas info    : Function properties for _Z5greedPf
    512 bytes stack frame, 540 bytes spill stores, 640 bytes spill loads
ptxas info    : Used 255 registers, 512 bytes cumulative stack size, 360 bytes cmem[0]
ptxas info    : Function properties for _Z6helperf
    8 bytes stack frame, 7 bytes spill stores, 9 bytes spill loads
"""


def test_each_kernel_has_its_registers_shared_memory_and_spills():
    assert parse_report(REPORT, {"_Z5plainPf": "plain(float*)"}) == (
        KernelResources("plain(float*)", 10, 1024, 0, 0),
        KernelResources("_Z5greedPf", 255, 0, 540, 640),
    )


def test_a_device_functions_spills_are_not_its_kernels():
    reordered = REPORT.replace(
        "ptxas info    : Function properties for _Z5greedPf",
        "ptxas info    : Function properties for _Z6helperf\n"
        "    8 bytes stack frame, 7 bytes spill stores, 9 bytes spill loads\n"
        "ptxas info    : Function properties for _Z5greedPf",
    )
    assert parse_report(reordered, {})[1].spill_store_bytes == 540


def test_kernels_are_listed_once_in_order():
    assert kernel_names(REPORT + REPORT) == ("_Z5plainPf", "_Z5greedPf")


def test_no_report_means_no_kernels():
    assert parse_report("", {}) == ()
    assert parse_report("ptxas info    : 0 bytes gmem\n", {}) == ()


def test_a_forged_report_of_endless_numbers_is_no_report():
    digits = "9" * 5000
    forged = (
        REPORT + "ptxas info    : Compiling entry function 'k' for 'sm_80'\n"
        f"ptxas info    : Used {digits} registers, {digits} bytes smem\n"
    )
    assert parse_report(forged, {}) == parse_report(REPORT, {})


def test_names_that_no_command_could_be_given_are_not_asked_for():
    entry = "ptxas info    : Compiling entry function '{}' for 'sm_80'\n"
    names = ("a" * 200_000, "a\0b", "a\nb", "--help me", "plain")
    assert kernel_names("".join(map(entry.format, names))) == ("plain",)


def test_the_list_and_the_names_in_it_are_bounded():
    kernel = (
        "ptxas info    : Compiling entry function '{}' for 'sm_80'\n"
        "ptxas info    : Used 10 registers\n"
    )
    report = "".join(kernel.format("k" * 2000) for _ in range(1000))
    found = parse_report(report, {})
    assert len(found) == 200
    assert {len(one.kernel) for one in found} == {1000}
