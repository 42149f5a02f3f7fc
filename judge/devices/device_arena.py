"""Where buffers lie in device memory that a runner shares, and the guards around them there.

A GPU cannot make single pages inaccessible, so guards are all there is: they are wide, and written
and compared by kernels. Alignment is what cudaMalloc gives, on which submissions rely.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from judge.devices.arena import ArenaLayout, BufferPlace, guard_zones
from judge.devices.gpu_helper import GpuHelper
from judge.devices.interface import Call, GuardHit

if TYPE_CHECKING:
    import torch

#: Of every buffer's first byte.
ALIGNMENT = 512
#: Guard bytes before every buffer, and at least as many after it.
GUARD_BYTES = 4096


def lay_out_on_device(call: Call, slots: int) -> ArenaLayout:
    """The arena of ``slots`` sets of the call's buffers, in device memory."""
    places = []
    position = 0
    for parameter in call.parameters:
        if not parameter.role.is_buffer:
            continue
        size = call.buffers[parameter.name].bytes
        total = GUARD_BYTES + -(-size // ALIGNMENT) * ALIGNMENT + GUARD_BYTES
        places.append(BufferPlace(parameter.name, position + GUARD_BYTES, size, position, total))
        position += total
    return ArenaLayout(tuple(places), slots, max(position, ALIGNMENT))


class DeviceGuards:
    """The guard bytes of an arena mapped at ``address``; see ``judge.devices.session.GuardWatch``.

    What each byte must be follows from its address and a secret of this session.
    """

    def __init__(
        self, layout: ArenaLayout, address: int, helper: GpuHelper, device: torch.device
    ) -> None:
        import torch

        self._zones = list(guard_zones(layout))
        self._native = torch.tensor(
            [[address + zone.offset, zone.bytes] for zone in self._zones], dtype=torch.int64
        ).to(device)
        self._changed = torch.empty(len(self._zones), dtype=torch.int64, device=device)
        self._secret = secrets.randbits(64)
        self._helper = helper
        self._hits: dict[GuardHit, None] = {}
        helper.fill_guards(self._native, self._secret)

    def check(self) -> None:
        """Note every zone that has changed."""
        self._helper.check_guards(self._native, self._secret, self._changed)
        for zone, changed in zip(self._zones, self._changed.tolist(), strict=True):
            if changed >= 0:
                self._hits[GuardHit(zone.buffer, zone.from_buffer + changed)] = None

    @property
    def hits(self) -> tuple[GuardHit, ...]:
        """What checks have noted so far, each once, in the order of discovery."""
        return tuple(self._hits)
