"""Judge-private copies of a call's buffers, as torch tensors without a copy in between.

Two of these serve a session: what is staged for the next bracket, and what the last one left.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch

from judge.devices.interface import Call
from judge.domain import DType

#: Cache lines and vector accesses of any device.
_ALIGNMENT = 256


def torch_dtype(dtype: DType) -> torch.dtype:
    """torch's name for it (they are the same)."""
    found = getattr(torch, dtype.value)
    assert isinstance(found, torch.dtype)
    return found


class PrivateCopies:
    """``slots`` sets of the call's buffers on ``device``, touched once so that they are there.

    ``device`` None is the CPU.
    """

    def __init__(self, call: Call, slots: int, device: torch.device | None = None) -> None:
        sizes = {
            name: -(-spec.bytes // _ALIGNMENT) * _ALIGNMENT for name, spec in call.buffers.items()
        }
        stride = sum(sizes.values())
        # One unit more, so that there is an address even where all buffers are empty.
        self._memory = torch.empty(
            slots * stride + _ALIGNMENT, dtype=torch.uint8, device=device
        ).fill_(0)
        self._slots: list[dict[str, torch.Tensor]] = []
        position = -self._memory.data_ptr() % _ALIGNMENT
        for _ in range(slots):
            tensors = {}
            for name, spec in call.buffers.items():
                raw = self._memory[position : position + spec.bytes]
                tensors[name] = raw.view(torch_dtype(spec.parameter.dtype)).view(spec.shape)
                position += sizes[name]
            self._slots.append(tensors)

    def tensors(self, slot: int) -> Mapping[str, torch.Tensor]:
        """Every buffer of ``slot`` by name: views, so writing to them writes the copy."""
        return self._slots[slot]

    def address(self, slot: int, name: str) -> int:
        """Where the buffer's first byte is."""
        return self._slots[slot][name].data_ptr()
