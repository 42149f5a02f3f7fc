"""What stands on an axis of times: a mark is one value with a name and a role."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from webapp.charts.svg import Svg, element, number


class Role(StrEnum):
    """What a mark is; each role has a shape of its own, so that colour is never alone."""

    REFERENCE = "reference"
    BASELINE = "baseline"
    FLOOR = "floor"
    YOU = "you"


@dataclass(frozen=True)
class Mark:
    """A named value; ``value`` is a time in ms unless the chart says otherwise."""

    value: float
    name: str
    role: Role


def diamond(x: float, y: float, radius: float, class_: str) -> Svg:
    """A reference's shape."""
    path = (
        f"M{number(x)} {number(y - radius)}L{number(x + radius)} {number(y)}"
        f"L{number(x)} {number(y + radius)}L{number(x - radius)} {number(y)}Z"
    )
    return element("path", d=path, class_=class_)


def pointer(x: float, y: float, radius: float, class_: str) -> Svg:
    """A triangle under the line whose tip touches (x, y): the reader's own shape."""
    path = (
        f"M{number(x)} {number(y)}L{number(x + radius)} {number(y + 1.7 * radius)}"
        f"L{number(x - radius)} {number(y + 1.7 * radius)}Z"
    )
    return element("path", d=path, class_=class_)


def down_pointer(x: float, y: float, radius: float, class_: str) -> Svg:
    """The same from above."""
    path = (
        f"M{number(x)} {number(y)}L{number(x + radius)} {number(y - 1.7 * radius)}"
        f"L{number(x - radius)} {number(y - 1.7 * radius)}Z"
    )
    return element("path", d=path, class_=class_)
