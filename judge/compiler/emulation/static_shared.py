"""Static shared memory per function, read off the symbol table of what was linked.

A shared array is a thread-local variable of its function (include/emulation/language.h), and g++
has no limit for those; ptxas does. Text in, numbers out: running readelf is the caller's business.
"""

from __future__ import annotations

import re
from collections import Counter

#: What ptxas allows a kernel to declare (0xc000 bytes); more must be dynamic.
MOST_BYTES = 48 * 1024

#: `readelf --wide --symbols` of a thread-local variable of a function, in the Itanium ABI's names:
#: _ZZ <function> E <length><variable>.
_VARIABLE = re.compile(
    r"^\s*\d+:\s+[0-9a-f]+\s+(?P<size>\d+|0x[0-9a-f]+)\s+TLS\s+\w+\s+\w+\s+\d+\s+"
    r"_ZZ(?P<function>\S+)E\d+\w+(?:\s|$)",
    re.MULTILINE,
)
#: This device's own functions keep their staging memory the same way.
_OWN = re.compile(r"N\d*K?(?:9warpboard|6nvcuda|3cub)")


def excess(symbols: str) -> str | None:
    """What to tell the user about the first function with too much, or None."""
    sizes: Counter[str] = Counter()
    for match in _VARIABLE.finditer(symbols):
        if not _OWN.match(match["function"]):
            sizes[match["function"]] += int(match["size"], 0)
    for function, size in sizes.items():
        if size > MOST_BYTES:
            return (
                f"`{_plain_name(function)}` has {size} bytes of static shared memory; a kernel may "
                f"have {MOST_BYTES} (more must be dynamic: extern __shared__, the third launch "
                f"argument and cudaFuncSetAttribute)"
            )
    return None


def _plain_name(mangled: str) -> str:
    match = re.match(r"(\d+)", mangled)
    if match is None:
        return "a kernel"
    begin = match.end()
    return mangled[begin : begin + int(match[1])]
