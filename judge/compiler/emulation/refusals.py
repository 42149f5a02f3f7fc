"""What the emulated device refuses by name, and how a refusal travels through the compiler.

A refused construct is marked with ``#pragma GCC error``. The compiler then decides whether it
counts: in a branch that the preprocessor drops, or a macro that nothing uses, it does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from judge.compiler.emulation.edits import Edit
from judge.compiler.emulation.tokens import Include, Segment

#: Begins the text of every refusal; include/ uses it too, for what only types can tell.
MARKER = "warpboard-unsupported: "

#: Names that mean the submission needs what this device lacks.
_NAMES: dict[str, str] = {
    "asm": "inline PTX (asm)",
    "__asm": "inline PTX (asm)",
    "__asm__": "inline PTX (asm)",
    "cutlass": "CUTLASS",
    "cute": "CuTe",
    "cuTensorMapEncodeTiled": "TMA (tensor maps)",
    "cuTensorMapEncodeIm2col": "TMA (tensor maps)",
    "CUtensorMap": "TMA (tensor maps)",
    "cp_async_bulk_tensor_1d_global_to_shared": "TMA",
    "cp_async_bulk_tensor_2d_global_to_shared": "TMA",
    "cp_async_bulk_tensor_3d_global_to_shared": "TMA",
    "cp_async_bulk": "TMA",
    "__cluster_dims__": "thread block clusters",
    "cluster_group": "thread block clusters",
    "this_cluster": "thread block clusters",
    "cudaLaunchAttributeClusterDimension": "thread block clusters",
    "__pipeline_memcpy_async": "asynchronous copies (pipeline primitives)",
    "memcpy_async": "asynchronous copies (memcpy_async)",
    "cudaLaunchCooperativeKernel": "cooperative launches (grid-wide synchronisation)",
    "cublasHandle_t": "cuBLAS",
    "cublasCreate": "cuBLAS",
    "cudnnHandle_t": "cuDNN",
}

#: Headers of libraries the emulated device has not got, by the begin of their names.
_HEADERS: dict[str, str] = {
    "cublas": "cuBLAS",
    "cudnn": "cuDNN",
    "cufft": "cuFFT",
    "cusparse": "cuSPARSE",
    "cusolver": "cuSOLVER",
    "curand": "cuRAND",
    "nccl": "NCCL",
    "nvrtc": "NVRTC",
    "nvJitLink": "nvJitLink",
    "cutlass/": "CUTLASS",
    "cute/": "CuTe",
    "cub/": "this part of CUB",
    "c10/": "PyTorch's C++ library",
    "thrust/": "Thrust",
    "cuda/pipeline": "cuda::pipeline",
    "cuda/barrier": "cuda::barrier",
    "cuda/std/barrier": "cuda::barrier",
    "cuda/latch": "cuda::latch",
    "cuda/std/latch": "cuda::latch",
    "cuda/semaphore": "cuda::semaphore",
    "cuda/std/semaphore": "cuda::semaphore",
    "cuda/ptx": "inline PTX (cuda::ptx)",
    "cuda_pipeline": "asynchronous copies (pipeline primitives)",
    "cuda_awbarrier": "asynchronous barriers",
    "cooperative_groups/memcpy_async.h": "asynchronous copies (memcpy_async)",
    "cudaTypedefs.h": "the driver API",
    "torch/": "PyTorch's C++ library",
    "ATen/": "PyTorch's C++ library",
}

#: A launch where it stands in a kernel or device function.
DYNAMIC_PARALLELISM = "dynamic parallelism (a launch in device code)"

_MARKED = re.compile(re.escape(MARKER) + r"([^\"'’\n]+?)\s*(?=[\"'’\n]|$)")


@dataclass(frozen=True)
class Refusal:
    """A construct that may be refused: what it is, and where it stands in the source."""

    feature: str
    start: int


def refused_names(segment: Segment) -> Iterator[Refusal]:
    """Refused names of a segment; each feature once, where it first stands."""
    seen: set[str] = set()
    for token in segment.tokens:
        feature = _NAMES.get(token.text)
        if feature is not None and feature not in seen:
            seen.add(feature)
            yield Refusal(feature, token.start)


def refused_include(include: Include) -> str | None:
    """The library that an include asks for, if it is one the device has not got."""
    if include.header in _own_headers():
        return None
    for prefix, feature in _HEADERS.items():
        if include.header.startswith(prefix):
            return feature
    return None


@cache
def _own_headers() -> frozenset[str]:
    """The headers that the device has itself, by the name an include gives them."""
    folder = Path(__file__).resolve().parent / "include"
    return frozenset(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def mark(refusal: Refusal) -> Edit:
    """The edit that makes the compiler report ``refusal`` if it gets that far."""
    text = f'_Pragma("GCC error \\"{MARKER}{refusal.feature}\\"") '
    return Edit(refusal.start, refusal.start, text)


def mark_include(source: str, include: Include, feature: str) -> Edit:
    """Replaces an include by an error; the blanks after it keep the columns of nothing."""
    first_line_end = source.find("\n", include.start, include.end)
    end = include.end if first_line_end < 0 else first_line_end
    return Edit(include.start, end, f'#pragma GCC error "{MARKER}{feature}"')


def features_in(messages: Sequence[str]) -> tuple[str, ...]:
    """The refused features that compiler messages tell of, each once, in order."""
    found: dict[str, None] = {}
    for message in messages:
        for match in _MARKED.finditer(message):
            found.setdefault(match[1], None)
    return tuple(found)
