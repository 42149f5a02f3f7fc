"""The doorbell of a runner on a GPU: brackets whose copies are made by kernels.

Knows addresses and descriptors, but not what the buffers mean or how the runner was started.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from judge.devices.gpu_helper import DeviceCopies, DeviceSpanList, FlushBuffer, GpuHelper
from judge.devices.session import Copies, MakeBracket
from judge.runner.doorbell import Answer, Span, answer_of
from judge.runner.protocol import MAX_CALLS, SPIN_FOREVER, Command, DoorbellState, Operation

if TYPE_CHECKING:
    import torch


class GpuBell:
    """Rings one runner; see ``judge.devices.session.Bell``. Pages and descriptors must outlive it.

    ``flush`` is a uint8 tensor on the device, several times its L2 cache.
    """

    def __init__(
        self,
        helper: GpuHelper,
        flush: torch.Tensor,
        *,
        request: int,
        response: int,
        death_fd: int,
        socket_fd: int,
    ) -> None:
        self._helper = helper
        self._flush = flush
        self._state = DoorbellState(request, response, 0, SPIN_FOREVER, death_fd, socket_fd)

    def prepare(self, copies: Copies) -> MakeBracket:
        """A bracket with its lists of copies on the device."""
        return _PreparedBracket(self._helper, self._state, self._flush, copies)


class _PreparedBracket:
    """One bracket's arguments, held where the native code finds them."""

    def __init__(
        self, helper: GpuHelper, state: DoorbellState, flush: torch.Tensor, copies: Copies
    ) -> None:
        if not 0 < len(copies.slots) <= MAX_CALLS:
            raise ValueError(f"a bracket makes 1 to {MAX_CALLS} calls, not {len(copies.slots)}")
        self._helper = helper
        self._state = state
        self._command = Command(Operation.CALL, len(copies.slots))
        self._command.slots[: len(copies.slots)] = copies.slots
        self._flush = FlushBuffer(flush.data_ptr(), flush.numel())
        self._on_device: list[torch.Tensor] = []
        self._copies = DeviceCopies(
            poison=self._put(copies.poison, flush.device),
            reveal=self._put(copies.reveal, flush.device),
            collect=self._put(copies.collect, flush.device),
            keep=self._put(copies.keep, flush.device),
        )

    def __call__(self, limit_ns: int) -> Answer:
        return answer_of(
            self._helper.bracket(self._state, self._command, self._copies, self._flush, limit_ns)
        )

    def _put(self, spans: Sequence[Span], device: torch.device) -> DeviceSpanList:
        import torch

        rows = [[span.destination, span.source, span.bytes] for span in spans]
        tensor = torch.tensor(rows, dtype=torch.int64).to(device)
        self._on_device.append(tensor)
        largest = max((span.bytes for span in spans), default=0)
        return DeviceSpanList(tensor.data_ptr(), len(spans), largest)
