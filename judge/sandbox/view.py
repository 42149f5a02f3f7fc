"""What of this machine's own system a sandboxed program sees, by its purpose.

Names places, mounts nothing. A back end whose programs have a system of their own, in an image,
has no use for it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from judge.execution import Purpose

#: What g++ and nvcc start, and what reads their products.
_COMPILERS_TOOLS = ("g++", "gcc", "as", "ld", "ld.bfd", "c++filt", "readelf", "sh")
#: g++'s own parts, where one distribution or another has them.
_COMPILERS_PARTS = ("/usr/lib/gcc", "/usr/lib64/gcc", "/usr/libexec/gcc")
#: What the dynamic linker needs, and nothing that names a user or host.
_LINKERS_FILES = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")
#: Links into /usr that Debian's programs and libraries go through.
_ALTERNATIVES = "/etc/alternatives"


@cache
def system_places(purpose: Purpose) -> tuple[Path, ...]:
    """Files and folders below /usr that it needs, each at its own place; they exist."""
    match purpose:
        case Purpose.TOOL:
            return (Path("/usr"),)
        case Purpose.COMPILER:
            tools = [Path("/usr/bin", name) for name in _COMPILERS_TOOLS]
            places = [Path("/usr/include"), *map(Path, _COMPILERS_PARTS), *tools, *_libraries()]
        case Purpose.RUNNER:
            places = _libraries()
    found = [place for place in places if place.exists()]
    return tuple(place for place in found if not any(other in place.parents for other in found))


def system_settings(purpose: Purpose) -> tuple[str, ...]:
    """Files and folders of /etc that it may need."""
    return _LINKERS_FILES if purpose is Purpose.COMPILER else (*_LINKERS_FILES, _ALTERNATIVES)


def harmless_devices(purpose: Purpose) -> tuple[str, ...]:
    """A compiler gets none that it could include for ever."""
    if purpose is Purpose.COMPILER:
        return ("/dev/null",)
    return ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")


def _libraries() -> list[Path]:
    """Folders that the dynamic linker searches, and with them what a compiler links."""
    by_architecture = sorted(Path("/usr/lib").glob("*-linux-gnu*"))
    return [*(by_architecture or [Path("/usr/lib")]), Path("/usr/lib64")]
