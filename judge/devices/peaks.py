"""What a GPU can do at most, measured once per host and kept: copies, matrix products.

Measured, not taken from a data sheet: percent of peak and the physical floor of a time are about
this very device, with the clocks and power limit it has. torch's own kernels do the work, as the
fastest at hand for each precision, and the fastest of their calls counts.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from judge.domain import DevicePeaks

if TYPE_CHECKING:
    import torch

#: Bump when what is measured, or how, changes.
_RECIPE = 4
#: Edge of the square matrices: large enough that no precision is bound by launches or memory.
_EDGE = 8192
#: Bytes of one copy, if an eighth of the device's memory is not less: many times any cache.
_COPY_BYTES = 4 << 30
#: An idle device's clocks need tens of milliseconds of work to rise.
_WARM_UP_SECONDS = 0.1
_REPEATS = 15
#: The sentinel's spin, in clock cycles, and its copy: about a millisecond and a third of one. It is
#: light: a heavy one would warm the device, and lower the clocks that it is to tell of.
_SENTINEL_CYCLES = 2_000_000
_SENTINEL_BYTES = 512 << 20


@dataclass(frozen=True)
class HostFigures:
    """``sentinel_us`` is what the sentinel took just before ``peaks`` were measured."""

    peaks: DevicePeaks
    sentinel_us: float


def host_figures(
    device: torch.device, hardware_id: str, driver: str, directory: Path
) -> HostFigures:
    """The figures of ``device``, from ``directory`` if they have been measured there before.

    A new driver or another GPU is measured anew. Takes some seconds then.
    """
    stored = directory / f"peaks-{hardware_id}-{driver}-{_RECIPE}.json"
    if stored.exists():
        kept = json.loads(stored.read_text())
        return HostFigures(DevicePeaks(**kept["peaks"]), kept["sentinel_us"])
    # Before the products of the peaks: they warm the device, and lower its clocks for a while.
    sentinel = sentinel_us(device)
    figures = HostFigures(measure_peaks(device), sentinel)
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    partial = stored.with_suffix(".partial")
    partial.write_text(json.dumps(asdict(figures), indent=2) + "\n")
    partial.replace(stored)
    return figures


def measure_peaks(device: torch.device) -> DevicePeaks:
    """Measure now. Needs a quiet device and a quarter of its memory, given back afterwards."""
    import torch

    properties = torch.cuda.get_device_properties(device)
    peaks = DevicePeaks(
        copy_bytes_per_s=_copy_rate(device, min(_COPY_BYTES, properties.total_memory // 8)),
        flops_per_s={
            "fp32": _product_rate(device, torch.float32, tf32=False),
            "tf32": _product_rate(device, torch.float32, tf32=True),
            "fp16": _product_rate(device, torch.float16, tf32=False),
            "bf16": _product_rate(device, torch.bfloat16, tf32=False),
        },
        cache_bytes=properties.L2_cache_size,
    )
    torch.cuda.empty_cache()
    return peaks


def sentinel_us(device: torch.device) -> float:
    """The time of a fixed spin and copy now, in us: it moves when a clock does, core or memory."""
    import torch

    source = torch.zeros(_SENTINEL_BYTES, dtype=torch.uint8, device=device)
    target = torch.empty_like(source)

    def work() -> None:
        torch.cuda._sleep(_SENTINEL_CYCLES)  # type: ignore[no-untyped-call]
        target.copy_(source)

    return statistics.median(_seconds(work)) * 1e6


def sums_right(device: torch.device) -> bool:
    """Whether a small sum with a known outcome comes out right: the device computes at all."""
    import torch

    numbers = torch.arange(1 << 20, device=device, dtype=torch.int64)
    return int(numbers.sum().item()) == (1 << 19) * ((1 << 20) - 1)


@contextmanager
def tensor_float(allowed: bool) -> Iterator[None]:
    """Whether fp32 products may use TF32 inside, restored afterwards."""
    import torch

    before = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = allowed
    try:
        yield
    finally:
        torch.backends.cuda.matmul.allow_tf32 = before


def event_ns(call: Callable[[], object]) -> int:
    """The time between two events around ``call``, in ns, on the current stream."""
    import torch

    before = torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]
    after = torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]
    before.record()
    call()
    after.record()
    after.synchronize()
    return round(float(before.elapsed_time(after)) * 1e6)


def _copy_rate(device: torch.device, size: int) -> float:
    import torch

    source = torch.randint(0, 255, (size,), dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    return 2 * size / min(_seconds(lambda: target.copy_(source)))


def _product_rate(device: torch.device, dtype: torch.dtype, *, tf32: bool) -> float:
    """Random values: on zeros the chip takes less power and runs faster than it ever will."""
    import torch

    left = torch.randn(_EDGE, _EDGE, device=device).to(dtype)
    right = torch.randn(_EDGE, _EDGE, device=device).to(dtype)
    out = torch.empty(_EDGE, _EDGE, dtype=dtype, device=device)
    with tensor_float(tf32):
        return 2 * _EDGE**3 / min(_seconds(lambda: torch.mm(left, right, out=out)))


def _seconds(work: Callable[[], object]) -> list[float]:
    """The times of some calls of ``work`` once the clocks are up."""
    worked = 0.0
    while worked < _WARM_UP_SECONDS:
        worked += max(event_ns(work), 1) / 1e9
    return [event_ns(work) / 1e9 for _ in range(_REPEATS)]
