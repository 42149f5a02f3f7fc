"""A GPU's name and compute capability, as a board's name and as what nvcc compiles for."""

from __future__ import annotations

import re

#: Words of NVIDIA's product names that say nothing about the chip.
_NOISE = re.compile(r"\b(nvidia|tesla|geforce|quadro|graphics|generation)\b", re.IGNORECASE)

#: From this major version on, an architecture has instructions of its own that later ones lack;
#: sm_90a and its kin name the architecture with them.
_FIRST_WITH_OWN_INSTRUCTIONS = 9


def board_name(product: str) -> str:
    """The name of the board of a GPU that NVML calls ``product``.

    ``NVIDIA H200`` is ``h200``, ``Tesla T4`` is ``t4``, ``NVIDIA GeForce RTX 4090`` is
    ``rtx-4090``. Memory size and form factor stay: they change what the chip can do.
    """
    words = re.findall(r"[a-z0-9.]+", _NOISE.sub(" ", product.lower()))
    return "-".join(words) or "gpu"


def architecture(major: int, minor: int, *, own_instructions: bool = True) -> str:
    """nvcc's name of compute capability ``major``.``minor``: sm_75, sm_90a, sm_100a.

    With ``own_instructions`` false, the plain one that all devices of the family can run.
    """
    suffix = "a" if own_instructions and major >= _FIRST_WITH_OWN_INSTRUCTIONS else ""
    return f"sm_{major}{minor}{suffix}"
