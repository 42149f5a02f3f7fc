"""What the pipeline asks of a device, the same for the emulated one and for a GPU.

A ``Session`` is one fresh runner process with the submission loaded and its buffers shared. One
``Bracket`` is one pass of section "one sample" of docs/measurement.md: fresh inputs are revealed,
the caches flushed, ``solve`` is called once per slot, the outputs are snapshotted, and both
clocks are read. Untimed checks use the very same pass, so a submission cannot tell them apart.

The judge's tensors live in judge-private memory on ``Device.torch_device``; the runner sees only
the shared copies that a bracket fills and empties.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from judge.compiler.interface import Target
from judge.domain import DeviceKind, DevicePeaks, Parameter, Verdict
from judge.execution import MIB, Executor

if TYPE_CHECKING:
    import torch


class DeviceUnavailable(Exception):
    """This machine has no such device, or it is unfit; the text says why and what to do."""


class UnknownDevice(Exception):
    """Nobody knows a device of this name here; the text names those there are."""


class RunnerFailure(Exception):
    """The submission ended the session: it crashed, hung, exited, or broke the protocol.

    ``verdict`` is the user's verdict, ``message`` says what happened in words for the user
    (kernel, block, thread, address where the device can tell).
    """

    def __init__(self, verdict: Verdict, message: str) -> None:
        super().__init__(message)
        self.verdict = verdict
        self.message = message


@dataclass(frozen=True)
class BufferSpec:
    """One buffer parameter at concrete sizes; ``shape`` in elements, contiguous, row-major."""

    parameter: Parameter
    shape: tuple[int, ...]

    @property
    def bytes(self) -> int:
        count = 1
        for extent in self.shape:
            count *= extent
        return count * self.parameter.dtype.itemsize


@dataclass(frozen=True)
class Call:
    """The arguments of one call of the entry point, in C order, at concrete sizes.

    ``values`` holds sizes and scalars by parameter name; buffers are in ``buffers`` by name.
    """

    parameters: tuple[Parameter, ...]
    buffers: Mapping[str, BufferSpec]
    values: Mapping[str, int | float]


@dataclass(frozen=True)
class Bracket:
    """The two clocks of one pass over ``calls`` slots, in nanoseconds, for the whole pass.

    ``event_ns`` (E) is the runner's claim for all calls together; ``fence_ns`` (F) is the judge's
    own monotonic clock from before the inputs were revealed until the outputs were snapshotted.
    """

    calls: int
    event_ns: int
    fence_ns: int


@dataclass(frozen=True)
class GuardHit:
    """Bytes around ``buffer`` that the submission changed.

    ``offset`` counts bytes from the buffer's first byte: negative before it, from its size on
    past its end.
    """

    buffer: str
    offset: int


@dataclass(frozen=True)
class SessionLimits:
    """Caps of one session: seconds for one call of ``solve`` and for the start, memory in bytes."""

    call_seconds: float
    start_seconds: float
    memory_bytes: int


class Session(Protocol):
    """One fresh runner process; closed by leaving its context."""

    def stage(self, slot: int, tensors: Mapping[str, torch.Tensor]) -> None:
        """Put fresh contents for every buffer of ``slot`` into judge-private memory.

        Inputs and in-outs get the problem's values, outputs the poison that the submission must
        overwrite; tensors have the call's shapes and dtypes and live on ``torch_device``.
        """

    def bracket(self, slots: Sequence[int]) -> Bracket:
        """One pass over ``slots`` (revealed together, called in order, snapshotted together).

        Raises RunnerFailure when the submission crashes, exits, hangs past the limit or lies.
        """

    def snapshot(self, slot: int) -> Mapping[str, torch.Tensor]:
        """Every buffer of ``slot`` as it was when the last bracket closed (private copies)."""

    def guard_hits(self) -> tuple[GuardHit, ...]:
        """Guard bytes changed since the session began."""


@dataclass(frozen=True)
class TimingLimits:
    """What the device can measure (constants are calibrated, see docs/measurement.md).

    A Run samples for ``max_seconds`` at most, all Workloads and their ``processes`` fresh runners
    together; the clocks agree when median(F - F0 - E) <= residual_us + residual_fraction * E +
    residual_f0_fraction * F0. A batch of K calls may be off by batch_residual_us / K a call, if
    that is more than residual_us / K.
    Calls faster than ``batch_below_us`` are timed in batches of ``batch_calls``, or of fewer
    where their buffers would take more than ``batch_bytes`` together. With ``batches_vouch`` the
    batches only vouch for the events of single calls, whose time is then reported; without, the
    batches' time is.
    """

    max_seconds: float
    processes: int
    residual_us: float
    residual_fraction: float
    batch_below_us: float
    batch_calls: int
    batch_bytes: int = 256 * MIB
    residual_f0_fraction: float = 0.0
    batch_residual_us: float = 0.0
    batches_vouch: bool = False


@dataclass(frozen=True)
class Fitness:
    """Whether a device can be timed on now.

    ``remarks`` are sentences for the Run's page. ``broken`` says why the device cannot be used any
    more and what to do; empty when it can.
    """

    remarks: tuple[str, ...] = ()
    broken: str = ""


class DeviceBroken(Exception):
    """The device failed its probe: no Run may be judged on it until somebody has seen to it."""


class Window(Protocol):
    """What a device's own sensors say of a stretch of timing."""

    def disturbances(self) -> tuple[str, ...]:
        """Clauses on what made this stretch unsteady; empty when nothing did or nobody knows."""


class Device(Protocol):
    """One physical device (or the emulated one) that this process owns."""

    @property
    def name(self) -> str:
        """The board's name: ``emulated``, ``h200``, …"""

    @property
    def kind(self) -> DeviceKind: ...

    @property
    def target(self) -> Target:
        """What to compile for."""

    @property
    def torch_device(self) -> torch.device:
        """Where judge-private tensors live and the oracle computes."""

    @property
    def timing(self) -> TimingLimits: ...

    @property
    def threads(self) -> int:
        """CPU threads the runner computes with (1 on a GPU)."""

    @property
    def cpus(self) -> frozenset[int] | None:
        """Cores that a Run keeps for itself while it is on the device; None: not pinned."""

    def describe(self) -> Mapping[str, str]:
        """hardware, hardware_id, driver, cuda: what an Environment says of the device."""

    def clocks(self) -> Mapping[str, float]:
        """Clock rates now, in MHz, by name; empty where unknown."""

    def peaks(self) -> DevicePeaks | None:
        """What it can do at most, measured once per host; None where that has no meaning."""

    def fitness(self) -> Fitness:
        """Probe the device; to be asked between sessions. Takes a fraction of a second."""

    def watch(self) -> AbstractContextManager[Window]:
        """Read the device's sensors while inside."""

    def time_call(self, call: Callable[[], object]) -> int:
        """E of one ``call`` of torch in the judge's own process, caches flushed, in nanoseconds."""

    def open(
        self,
        artifact: Path,
        call: Call,
        slots: int,
        limits: SessionLimits,
        executor: Executor,
    ) -> AbstractContextManager[Session]:
        """A fresh runner with ``artifact`` loaded and ``slots`` sets of the call's buffers."""
