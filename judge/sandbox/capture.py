"""Bounded capture of a program's output: the first bytes are kept, all of them are counted."""

from __future__ import annotations

import os

_CHUNK_BYTES = 64 * 1024


class Capture:
    """The judge's end of one pipe. Never blocks and never holds more than ``keep_bytes``."""

    def __init__(self, descriptor: int, keep_bytes: int) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor: int | None = descriptor
        self._keep_bytes = keep_bytes
        self._kept = bytearray()
        self.total_bytes = 0

    @property
    def kept(self) -> bytes:
        return bytes(self._kept)

    def fileno(self) -> int:
        """The descriptor to poll; only while the capture is open."""
        if self._descriptor is None:
            raise ValueError("this capture is closed")
        return self._descriptor

    def drain(self, at_most_bytes: int) -> bool:
        """Read what is there, about ``at_most_bytes`` of it; False once the pipe has ended.

        The bound keeps a flood on one pipe from starving the clock and the other pipe.
        """
        if self._descriptor is None:
            return False
        taken = 0
        while taken < at_most_bytes:
            try:
                data = os.read(self._descriptor, _CHUNK_BYTES)
            except BlockingIOError:
                return True
            if not data:
                return False
            taken += len(data)
            self.total_bytes += len(data)
            self._kept += data[: self._keep_bytes - len(self._kept)]
        return True

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
