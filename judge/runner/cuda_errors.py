"""What CUDA's error names mean for the author of a kernel, and what to look at first.

Words only: whether a submission failed is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping

_MEANINGS: Mapping[str, str] = {
    "cudaErrorIllegalAddress": (
        "A thread read or wrote memory that is not there: compare every index with its array's "
        "size, above all where blocks reach past the last row or column."
    ),
    "cudaErrorMisalignedAddress": (
        "A thread accessed an address that is no multiple of the access's size: a float4 needs 16 "
        "bytes, also when a row's length is not a multiple of four."
    ),
    "cudaErrorLaunchFailure": (
        "The kernel stopped with a fault that the device could not name, for example a write past "
        "shared memory or a call through a bad pointer."
    ),
    "cudaErrorIllegalInstruction": (
        "The kernel reached an instruction that may not be executed there; __trap() does this too."
    ),
    "cudaErrorAssert": "An assert() in the kernel failed.",
    "cudaErrorInvalidConfiguration": (
        "A launch was refused: a grid or block of size 0, more than 1024 threads a block, or too "
        "much dynamic shared memory."
    ),
    "cudaErrorLaunchOutOfResources": (
        "A launch was refused: the block needs more registers than a multiprocessor has. Use "
        "fewer threads a block, or __launch_bounds__."
    ),
    "cudaErrorInvalidValue": (
        "A CUDA call was refused, most likely a launch: a grid or block of size 0, more than 1024 "
        "threads a block, or more dynamic shared memory than there is or than cudaFuncSetAttribute "
        "has allowed."
    ),
    "cudaErrorInvalidAddressSpace": (
        "An instruction for one memory (shared, global) got an address of another."
    ),
    "cudaErrorInvalidPc": "The kernel jumped to an address that holds no code.",
    "cudaErrorHardwareStackError": "The kernel ran out of stack: recursion, or large local arrays.",
    "cudaErrorCooperativeLaunchTooLarge": (
        "A cooperative launch needs all its blocks on the device at once; it has too many."
    ),
    "cudaErrorInvalidResourceHandle": (
        "A stream, event or other handle was used that does not exist (any more). "
        "cudaDeviceReset, which solve must not call, does this to all of them."
    ),
    "cudaErrorContextIsDestroyed": "solve must not reset the device.",
    "cudaErrorLaunchTimeout": "The device stopped a kernel that ran too long.",
    "cudaErrorNotSupported": "This device or its driver lacks what the call asks for.",
    "cudaErrorPeerAccessUnsupported": "There is one GPU only.",
    "cudaErrorInvalidDevice": "There is one GPU only, number 0.",
    "cudaErrorSymbolNotFound": "The program asked for a symbol that it does not define.",
}


def meaning(error: str) -> str:
    """A sentence about ``error`` (a name, or text that begins with one); empty where none fits."""
    name = error.partition(":")[0].strip()
    return _MEANINGS.get(name, "")
