"""Typed reading of TOML tables that collects every problem instead of stopping at the first.

A getter that finds something wrong reports it and returns a stand-in; whoever reads must look at
``Report.problems`` before using what was read. Knows TOML's types, not what a problem is.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

from judge.problems.errors import PackageProblem, suggest
from judge.problems.locator import KeyPath, line_of


def dotted(path: KeyPath) -> str:
    """``tests[2].sizes.M`` for ("tests", 2, "sizes", "M"); indices count from 0."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


class Report:
    """The problems found so far in one file, each with the line of the key it concerns."""

    def __init__(self, file: str, lines: Mapping[KeyPath, int]) -> None:
        self._file = file
        self._lines = lines
        self.problems: list[PackageProblem] = []

    def add(self, path: KeyPath, message: str) -> None:
        """Record ``message`` about the key at ``path`` (empty: the file as a whole)."""
        text = f"{dotted(path)}: {message}" if path else message
        self.problems.append(PackageProblem(self._file, line_of(path, self._lines), text))


class TableReader:
    """One TOML table. Call the getters for every key it may have, then ``finish``."""

    def __init__(self, values: Mapping[str, Any], path: KeyPath, report: Report) -> None:
        self._values = values
        self._path = path
        self._report = report
        self._known: list[str] = []

    @property
    def path(self) -> KeyPath:
        return self._path

    def has(self, key: str) -> bool:
        return key in self._values

    def finish(self) -> None:
        """Report the keys that no getter asked for."""
        for key in self._values:
            if key not in self._known:
                self.report(key, f"unknown key{suggest(key, self._known)}")

    def report(self, key: str, message: str) -> None:
        self._report.add((*self._path, key), message)

    def text(
        self, key: str, default: str | None = None, choices: Collection[str] | None = None
    ) -> str:
        value = self._get(key, default, "a string")
        if value is None:
            return ""
        if not isinstance(value, str):
            self._wrong(key, "a string", value)
            return ""
        if choices is not None and value not in choices:
            self.report(key, f'"{value}" is not known here{suggest(value, choices)}')
        return value

    def texts(
        self, key: str, default: Collection[str] | None = None, *, integers: bool = False
    ) -> tuple[str, ...]:
        """An array of strings; with ``integers``, bare integers are taken for their digits."""
        wanted = "an array of strings"
        value = self._get(key, default, wanted)
        if value is None:
            return ()
        if isinstance(value, str) or not isinstance(value, Collection):
            self._wrong(key, wanted, value)
            return ()
        kept: list[str] = []
        for index, item in enumerate(value):
            if isinstance(item, str):
                kept.append(item)
            elif integers and _is_integer(item):
                kept.append(str(item))
            else:
                self._report.add(
                    (*self._path, key, index), f"expected a string, found {_kind(item)}"
                )
        return tuple(kept)

    def integer(
        self, key: str, default: int | None = None, *, least: int, most: int = 2**31 - 1
    ) -> int:
        wanted = f"an integer from {least} to {most}"
        value = self._get(key, default, wanted)
        if value is None:
            return least
        if not _is_integer(value):
            self._wrong(key, wanted, value)
            return least
        if not least <= value <= most:
            self.report(key, f"expected {wanted}, found {value}")
        return int(value)

    def number(
        self,
        key: str,
        default: float | None = None,
        *,
        least: float = 0.0,
        positive: bool = False,
    ) -> float:
        wanted = "a positive number" if positive else f"a number of at least {least:g}"
        value = self._get(key, default, wanted)
        if value is None:
            return least
        if not _is_number(value):
            self._wrong(key, wanted, value)
            return least
        if not math.isfinite(value) or value < least or (positive and value <= 0):
            self.report(key, f"expected {wanted}, found {value}")
        return float(value)

    def boolean(self, key: str, default: bool | None = None) -> bool:
        value = self._get(key, default, "true or false")
        if value is None:
            return False
        if not isinstance(value, bool):
            self._wrong(key, "true or false", value)
            return False
        return value

    def numbers(self, key: str) -> dict[str, int | float]:
        """An inline table of finite numbers, by name; absent means empty."""
        wanted = "a table of numbers such as {M = 64}"
        value = self._get(key, {}, wanted)
        if not isinstance(value, Mapping):
            self._wrong(key, wanted, value)
            return {}
        kept: dict[str, int | float] = {}
        for name, item in value.items():
            if _is_number(item) and math.isfinite(item):
                kept[name] = item
            else:
                self._report.add(
                    (*self._path, key, name), f"expected a finite number, found {_kind(item)}"
                )
        return kept

    def table(self, key: str, wanted: str) -> TableReader:
        """A sub-table; an empty one where it is missing (reported) or not a table (reported)."""
        value = self._get(key, None, wanted)
        if value is not None and not isinstance(value, Mapping):
            self._wrong(key, wanted, value)
        values = value if isinstance(value, Mapping) else {}
        return TableReader(values, (*self._path, key), self._report)

    def tables(self, key: str, *, required: bool) -> list[TableReader]:
        """An array of tables (``[[key]]``)."""
        wanted = f"at least one [[{key}]] table"
        value = self._get(key, None if required else [], wanted)
        if value is None:
            return []
        if not isinstance(value, list) or (required and not value):
            self._wrong(key, wanted, value)
            return []
        readers: list[TableReader] = []
        for index, item in enumerate(value):
            path = (*self._path, key, index)
            if isinstance(item, Mapping):
                readers.append(TableReader(item, path, self._report))
            else:
                self._report.add(path, f"expected a table, found {_kind(item)}")
        return readers

    def _get(self, key: str, default: Any, wanted: str) -> Any:
        self._known.append(key)
        if key in self._values:
            return self._values[key]
        if default is None:
            self.report(key, f"missing; expected {wanted}")
        return default

    def _wrong(self, key: str, wanted: str, value: object) -> None:
        self.report(key, f"expected {wanted}, found {_kind(value)}")


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return _is_integer(value) or isinstance(value, float)


def _kind(value: object) -> str:
    """What a TOML value is, as its author would call it."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value}"
        case str():
            return f'the string "{value}"' if len(value) <= 40 else "a string"
        case list():
            return "an array" if value else "an empty array"
        case Mapping():
            return "a table"
    return "a date or time"
