"""Text from outside, made fit to store: what no database or page can hold is replaced."""

from __future__ import annotations

import json
import math
from typing import Any

STAND_IN = "\ufffd"


def clean(text: str) -> str:
    """``text`` with NUL and lone surrogates replaced: the first PostgreSQL stores in no text and no
    JSON, the second have no UTF-8; a compiler's output may hold either.
    """
    return text.encode(errors="replace").decode().replace("\x00", STAND_IN)


def cleaned(value: object) -> object:
    """JSON ``value`` with every string in it cleaned, however deep."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {cleaned(key): cleaned(item) for key, item in value.items()}
    return value


def storable(value: Any) -> Any:
    """JSON ``value`` with NaN and infinities as words: no database's JSON knows them as numbers."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, list):
        return [storable(item) for item in value]
    if isinstance(value, dict):
        return {key: storable(item) for key, item in value.items()}
    return value


def is_larger(value: object, limit: int) -> bool:
    """Whether JSON ``value`` takes more than ``limit`` bytes, or is nested too deep for any."""
    try:
        return len(json.dumps(value, ensure_ascii=False).encode(errors="replace")) > limit
    except RecursionError:
        return True


def cut(text: str, limit: int) -> str:
    """``text``, or its first ``limit`` characters and a word about the rest."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n[{len(text) - limit} more characters were not kept]"
