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
