"""The names of the distributions that inputs may be drawn from.

Apart from ``inputs`` so that packages are validated without torch; the formulas live there.
"""

from __future__ import annotations

from enum import StrEnum


class Distribution(StrEnum):
    NORMAL = "normal"
    OFFSET = "offset"
    HEAVY_TAILED = "heavy_tailed"
    CANCELLING = "cancelling"
    LARGE = "large"
    SMALL = "small"
    UNIFORM = "uniform"
    INTEGERS = "integers"
