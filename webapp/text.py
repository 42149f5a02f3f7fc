"""Text from outside, made fit to store: what no database or page can hold is replaced."""

from __future__ import annotations

NUL_STAND_IN = "\ufffd"


def without_nul(value: object) -> object:
    """``value`` with NUL characters replaced in every string, however deep.

    PostgreSQL stores NUL in no text and no JSON, and a compiler's output may well hold one.
    """
    if isinstance(value, str):
        return value.replace("\x00", NUL_STAND_IN)
    if isinstance(value, list):
        return [without_nul(item) for item in value]
    if isinstance(value, dict):
        return {without_nul(key): without_nul(item) for key, item in value.items()}
    return value


def cut(text: str, limit: int) -> str:
    """``text``, or its first ``limit`` characters and a word about the rest."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n[{len(text) - limit} more characters were not kept]"
