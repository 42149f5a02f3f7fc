"""Other tools' times of the same kernels, in fresh processes: nvbench and do_bench.

Reads a JSON list of ``{"name", "library", "floats"}`` from the file named, and writes one line
``{name: time in µs}`` a process to standard output. Run as
``python -m bench.timing_others nvbench FILE PROCESSES``. torch takes seconds to import: it is
imported once, and each process is forked off before anything has touched the GPU.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

_NVBENCH_SAMPLES = 50
_NVBENCH_SECONDS = 0.25
_IMPORTED_FIRST = {"nvbench": "cuda.bench", "do_bench": "triton.testing"}


class LegacyStream:
    """The legacy default stream, in which the kernels run, for nvbench to record events in."""

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, 1


def main() -> None:
    tool, file, processes = sys.argv[1:]
    importlib.import_module(_IMPORTED_FIRST[tool])
    for _ in range(int(processes)):
        child = os.fork()
        if child == 0:
            _measure(tool, json.loads(Path(file).read_text()))
            sys.stdout.flush()
            # Not by sys.exit: what the parent has open is the parent's to close.
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status != 0:
            sys.exit(f"a process of {tool} ended with wait status {status}")


def _measure(tool: str, kernels: list[dict[str, Any]]) -> None:
    random.shuffle(kernels)
    calls = {kernel["name"]: _call(kernel) for kernel in kernels}
    times = _nvbench(calls) if tool == "nvbench" else _do_bench(calls)
    print(json.dumps(times))


def _call(kernel: dict[str, Any]) -> Callable[[], None]:
    given = torch.randn(kernel["floats"], device="cuda")
    out = torch.empty_like(given)
    solve = ctypes.CDLL(kernel["library"]).solve
    solve.argtypes, solve.restype = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int], None

    def call() -> None:
        solve(given.data_ptr(), out.data_ptr(), kernel["floats"])

    call()
    torch.cuda.synchronize()
    return call


def _nvbench(calls: dict[str, Callable[[], None]]) -> dict[str, float]:
    """Medians of cold measurements."""
    import cuda.bench as nvbench

    def benchmark(number: int, call: Callable[[], None]) -> Callable[[Any], None]:
        def measured(state: Any) -> None:
            state.set_stream(LegacyStream())
            state.exec(lambda launch: call(), batched=False)

        measured.__name__ = f"kernel{number}"
        return measured

    names = list(calls)
    for number, name in enumerate(names):
        registered = nvbench.register(benchmark(number, calls[name]))
        registered.set_timeout(_NVBENCH_SECONDS).set_min_samples(_NVBENCH_SAMPLES)
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "nvbench.json"
        nvbench.run_all_benchmarks(["nvbench", "--json", str(file), "--devices", "0", "--quiet"])
        report = json.loads(file.read_text())
    return {
        names[int(entry["name"].removeprefix("kernel"))]: _cold_median(entry["states"][0])
        for entry in report["benchmarks"]
    }


def _cold_median(state: dict[str, Any]) -> float:
    """In µs; NaN where nvbench skipped the measurement."""
    for summary in state.get("summaries") or []:
        if summary["tag"] == "nv/cold/time/gpu/median":
            values = {item["name"]: item["value"] for item in summary["data"]}
            return float(values["value"]) * 1e6
    return float("nan")


def _do_bench(calls: dict[str, Callable[[], None]]) -> dict[str, float]:
    from triton.testing import do_bench

    return {
        name: 1e3 * float(do_bench(call, warmup=25, rep=100, return_mode="median"))
        for name, call in calls.items()
    }


if __name__ == "__main__":
    main()
