"""How the command line shows runs and boards: data on stdout, progress on stderr."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from judge.domain import EMULATED_DEVICE

#: Progress and remarks go here, and only when a person is watching.
progress = Console(stderr=True, highlight=False)


def remark(text: str) -> None:
    """A line of progress, shown only on a terminal."""
    if progress.is_terminal:
        progress.print(text)


def print_json(value: object) -> None:
    """One JSON value; NaN and the infinities, which JSON has no numbers for, as strings."""
    click.echo(json.dumps(_finite(value), indent=2, ensure_ascii=False, allow_nan=False))


def _finite(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def print_table(table: Table) -> None:
    """A table as wide as it needs to be when piped, as the terminal when not."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 200
    console.print(table)


def milliseconds(value: float | None) -> str:
    """A time with four significant digits, in ms."""
    return "" if value is None else f"{value:.4g}"


def device_label(device: str) -> str:
    """The device's name, with the warning that the emulated device's times need."""
    return "emulated, not a GPU time" if device == EMULATED_DEVICE else device


def board_table(board: dict[str, Any]) -> Table:
    """A board as a table: rank, name, verdict, median, interval, percentile, speed-up."""
    table = Table(
        title=f"{board['problem']} on {board['device']} ({device_label(board['device'])})"
    )
    for heading in ("rank", "name", "kind", "verdict"):
        table.add_column(heading, justify="right" if heading == "rank" else "left")
    for heading in ("median ms", "95 % interval", "percentile", "over naive"):
        table.add_column(heading, justify="right")
    for entry in board["entries"]:
        low, high = entry["ci_low_ms"], entry["ci_high_ms"]
        interval = "" if low is None else f"{milliseconds(low)} – {milliseconds(high)}"
        percentile, speedup = entry["percentile"], entry["speedup"]
        table.add_row(
            "" if entry["rank"] is None else str(entry["rank"]),
            entry["name"],
            entry["kind"],
            entry["verdict"],
            milliseconds(entry["median_ms"]),
            interval,
            "" if percentile is None else f"{percentile:.1f}",
            "" if speedup is None else f"{speedup:.2f}×",
        )
    return table
