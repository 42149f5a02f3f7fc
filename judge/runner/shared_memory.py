"""Memory that the judge shares with a runner by descriptor: sealed memfds."""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os

# Absent from the fcntl module before Python 3.13; <linux/fcntl.h>, Linux 5.1.
_F_SEAL_FUTURE_WRITE = 0x0010


class SharedMemory:
    """``size`` bytes of zeroed memory, mapped here and shareable by ``fd``; close it after use.

    Nobody can resize it, so a hostile peer cannot make this process fault. With
    ``peer_may_write`` false, only the mapping made here can ever write to it.
    """

    def __init__(self, name: str, size: int, *, peer_may_write: bool) -> None:
        self.size = size
        self.fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            os.ftruncate(self.fd, size)
            self._map = mmap.mmap(
                self.fd,
                size,
                flags=mmap.MAP_SHARED | mmap.MAP_POPULATE,
                prot=mmap.PROT_READ | mmap.PROT_WRITE,
            )
            seals = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
            if not peer_may_write:
                seals |= _F_SEAL_FUTURE_WRITE
            fcntl.fcntl(self.fd, fcntl.F_ADD_SEALS, seals)
        except BaseException:
            os.close(self.fd)
            raise
        self._anchor: ctypes.c_char | None = ctypes.c_char.from_buffer(self._map)
        self.address = ctypes.addressof(self._anchor)

    def close(self) -> None:
        """Unmap and close; ``address`` must not be used any more (idempotent)."""
        if self._anchor is None:
            return
        self._anchor = None  # the map cannot be closed while something points into it
        self._map.close()
        os.close(self.fd)
