"""The GPU's runner and the judge's helper build wherever nvcc is, and speak without a GPU."""

from __future__ import annotations

import ctypes
import json
import subprocess

import pytest

from judge.compiler.toolkit import Toolkit, find_headers, find_nvcc
from judge.devices import gpu_helper
from judge.devices.cuda import gpu_is_here
from judge.devices.gpu_helper import GpuFault, GpuHelper
from judge.runner import sources
from judge.runner.cuda_programs import CudaPrograms, build_cuda_programs
from judge.runner.library import HelperUnavailable

_MIRRORS = {
    "SharedDeviceMemory": gpu_helper.SharedDeviceMemory,
    "DeviceSpanList": gpu_helper.DeviceSpanList,
    "DeviceCopies": gpu_helper.DeviceCopies,
    "FlushBuffer": gpu_helper.FlushBuffer,
}


@pytest.fixture(scope="module")
def toolkit() -> Toolkit:
    found = find_nvcc()
    if found is None:
        pytest.skip("no nvcc here")
    return found


@pytest.fixture(scope="module")
def programs(toolkit: Toolkit, tmp_path_factory: pytest.TempPathFactory) -> CudaPrograms:
    return build_cuda_programs(
        toolkit.root / "bin" / "nvcc",
        toolkit.library_folder,
        "sm_90",
        tmp_path_factory.mktemp("programs"),
    )


def test_a_second_build_finds_the_first(toolkit, programs):
    before = programs.runner.stat().st_mtime_ns, programs.helper.stat().st_mtime_ns
    again = build_cuda_programs(
        toolkit.root / "bin" / "nvcc", toolkit.library_folder, "sm_90", programs.runner.parent
    )
    assert again == programs
    assert (again.runner.stat().st_mtime_ns, again.helper.stat().st_mtime_ns) == before


def test_the_helper_exports_all_that_python_calls(programs):
    GpuHelper(programs.helper)


def test_without_a_gpu_the_helper_says_why(programs):
    if gpu_is_here():
        pytest.skip("a GPU is here")
    with pytest.raises(GpuFault, match="cannot use the GPU: cudaError"):
        GpuHelper(programs.helper).create(4096)


def test_a_runner_without_a_judge_says_what_is_missing(programs):
    done = subprocess.run([str(programs.runner)], capture_output=True, text=True, check=False)
    assert done.returncode == 97
    assert done.stderr == "warpboard-runner: usage: runner SOCKET\n"


def test_a_failing_build_shows_the_compiler_s_words(toolkit, tmp_path):
    with pytest.raises(HelperUnavailable, match="sm_1"):
        build_cuda_programs(toolkit.root / "bin" / "nvcc", toolkit.library_folder, "sm_1", tmp_path)


def test_python_s_mirrors_agree_with_the_headers(tmp_path):
    headers = find_headers()
    if not headers:
        pytest.skip("no CUDA headers here")
    expressions = [f"sizeof({name})" for name in _MIRRORS]
    for name, mirror in _MIRRORS.items():
        expressions += [f"offsetof({name}, {field[0]})" for field in mirror._fields_]
    prints = "\n".join(
        f'std::printf("%s\\"{text}\\": %zu", separator, {text}); separator = ", ";'
        for text in expressions
    )
    source = tmp_path / "layouts.cpp"
    source.write_text(
        '#include <cstddef>\n#include <cstdio>\n#include "driver.h"\n'
        '#include "native/cuda_layouts.h"\nusing namespace warpboard;\n'
        f'int main() {{ const char* separator = ""; std::puts("{{"); {prints} std::puts("}}"); }}\n'
    )
    program = tmp_path / "layouts"
    includes = [f"-I{folder}" for folder in (sources().include_directory, *headers)]
    subprocess.run(
        ["g++", "-std=c++20", *includes, str(source), "-o", str(program), "-ldl"], check=True
    )
    said = json.loads(subprocess.check_output([str(program)]))
    for name, mirror in _MIRRORS.items():
        assert said[f"sizeof({name})"] == ctypes.sizeof(mirror)
        for field in mirror._fields_:
            assert said[f"offsetof({name}, {field[0]})"] == getattr(mirror, field[0]).offset
