"""From values to places: logarithmic and linear scales, and the ticks a reader expects on them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

#: Digits that ticks of a logarithmic axis may have, from sparse to dense.
_MANTISSAS = ((1.0,), (1.0, 3.0), (1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 5.0, 7.0))
#: Fewer ticks than these leave a reader guessing.
_FEWEST_TICKS = 3


@dataclass(frozen=True)
class LogScale:
    """Positive values from ``low`` to ``high``, drawn from ``start`` to ``end``."""

    low: float
    high: float
    start: float
    end: float

    def __post_init__(self) -> None:
        if not 0.0 < self.low < self.high < math.inf:
            raise ValueError(f"no logarithmic scale from {self.low} to {self.high}")

    def __call__(self, value: float) -> float:
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, most: int) -> list[float]:
        """At most ``most`` round values, evenly strewn as far as round values are."""
        best: list[float] = []
        for mantissas in _MANTISSAS:
            found = _within(mantissas, self.low, self.high)
            if len(best) < len(found) <= most:
                best = found
        if not best:  # so many decades that not each can have one
            decades = _within((1.0,), self.low, self.high)
            best = decades[:: math.ceil(len(decades) / max(1, most))] if decades else []
        return best if len(best) >= _FEWEST_TICKS else linear_ticks(self.low, self.high, most)


@dataclass(frozen=True)
class LinearScale:
    """Values from ``low`` to ``high``, drawn from ``start`` to ``end``."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def log_domain(values: Iterable[float], margin: float = 1.08) -> tuple[float, float]:
    """The range of ``values``, all positive, with a factor of ``margin`` to spare at either end."""
    known = list(values)
    low, high = min(known), max(known)
    if high < low * margin:  # one value, or all but one: a range needs some width
        margin = max(margin, 1.5)
    return low / margin, high * margin


def linear_ticks(low: float, high: float, most: int) -> list[float]:
    """At most ``most`` multiples of 1, 2 or 5 times a power of ten within the range."""
    if high <= low:
        return [low]
    rough = (high - low) / max(1, most - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * digit for digit in (1, 2, 5, 10) if power * digit >= rough * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [_clean(count * step) for count in range(first, last + 1)]


def _within(mantissas: tuple[float, ...], low: float, high: float) -> list[float]:
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = (_clean(digit * 10.0**decade) for decade in decades for digit in mantissas)
    return [tick for tick in ticks if low <= tick <= high]


def _clean(value: float) -> float:
    """Without the last bits that made 0.30000000000000004 of 0.3."""
    return float(f"{value:.12g}")


def short(value: float) -> str:
    """A number with three significant digits as axes and labels print it: 0.05, 12.3, 1200, 2e6."""
    if value == 0:
        return "0"
    if not 1e-4 <= abs(value) < 1e6:
        mantissa, exponent = f"{value:.2e}".split("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
    decimals = max(0, 2 - math.floor(math.log10(abs(value))))
    printed = f"{value:.{decimals}f}"
    return printed.rstrip("0").rstrip(".") if "." in printed else printed
