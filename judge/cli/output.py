"""How the command line shows runs and boards: data on stdout, progress on stderr."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import click
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from judge.domain import EMULATED_DEVICE, Verdict

#: Wide enough that no row of a table is broken where a program reads it.
_PIPED_COLUMNS = 200

#: Progress and remarks go here, and only when a person is watching.
progress = Console(stderr=True, highlight=False)


#: What was asked for goes here.
data = Console(highlight=False)
if not data.is_terminal:
    data.width = _PIPED_COLUMNS


def remark(text: str) -> None:
    """A line of progress, shown only on a terminal."""
    if progress.is_terminal:
        progress.print(text, markup=False, soft_wrap=True)


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


def print_rich(value: RenderableType) -> None:
    """Tables and texts on stdout, as wide as they need to be when piped."""
    data.print(value)


def milliseconds(value: float | None) -> str:
    """A time with four significant digits, in ms."""
    return "" if value is None else f"{value:.4g}"


def time_label(device: str) -> str:
    """What has to stand beside a time of ``device``, if anything."""
    return "emulated, not a GPU time" if device == EMULATED_DEVICE else ""


def device_label(device: str) -> str:
    """The device's name, with the warning that the emulated device's times need."""
    return time_label(device) or device


_VERDICT_STYLES = {Verdict.AC: "bold green", Verdict.JE: "bold yellow", Verdict.AB: "bold yellow"}


def verdict_text(verdict: Verdict) -> Text:
    """The mark and what it means; coloured on a terminal, never by colour alone."""
    text = Text(verdict.value, style=_VERDICT_STYLES.get(verdict, "bold red"))
    return Text.assemble(text, f" {verdict.phrase}")


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
