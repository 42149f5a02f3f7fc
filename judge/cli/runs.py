"""Commands about one's own runs at a site: submit, runs, abort."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

import click
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from judge.cli.client import SiteClient
from judge.cli.exits import INTERRUPTED, Exit, UsageFault, exit_status
from judge.cli.files import read_source
from judge.cli.options import (
    device_option,
    device_or_only,
    json_option,
    problem_option,
    signed_in,
    signed_in_options,
)
from judge.cli.output import (
    data,
    milliseconds,
    print_json,
    print_rich,
    progress,
    verdict_text,
)
from judge.cli.sight import sight_of
from judge.cli.watch import Watch
from judge.domain import Verdict

#: How much of a Run's id a terminal shows; any unique beginning names the Run.
_SHORT_ID = 8
#: Among how many of one's latest Runs the beginning of an id is looked for.
_REMEMBERED = 100


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@problem_option
@device_option
@click.option(
    "--wait/--no-wait", default=True, show_default=True, help="Follow the run to its verdict."
)
@signed_in_options
@json_option
@click.pass_context
def submit(
    context: click.Context,
    file: Path,
    problem: str,
    device: str | None,
    wait: bool,
    site: str | None,
    token: str | None,
    as_json: bool,
) -> None:
    """Submit FILE to a site and follow it to its verdict.

    Ctrl-C leaves the run to the site, which judges it all the same.
    """
    source = read_source(file)
    client = signed_in(site, token)
    run = client.submit(problem, device_or_only(client, device), source)["run"]
    if wait:
        run = _followed(context, client, run)
    _show(run, as_json)
    if not as_json and run["verdict"] == Verdict.AC:
        click.echo(_standing(client, run))
    context.exit(exit_status(run["verdict"]) if wait else Exit.ACCEPTED)


@click.command()
@click.argument("run", metavar="[RUN_ID]", required=False)
@click.option("--wait", is_flag=True, help="With RUN_ID: follow the run to its verdict.")
@click.option("--problem", help="List only this problem's.")
@click.option("--device", help="List only this device's.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 100))
@signed_in_options
@json_option
@click.pass_context
def runs(
    context: click.Context,
    run: str | None,
    wait: bool,
    problem: str | None,
    device: str | None,
    limit: int,
    site: str | None,
    token: str | None,
    as_json: bool,
) -> None:
    """List your runs, newest first, or show the one named RUN_ID (its beginning is enough).

    With --wait the exit status tells the verdict, as that of submit.
    """
    client = signed_in(site, token)
    if run is not None:
        found = client.run(_whole_id(client, run))
        if wait:
            found = _followed(context, client, found)
        _show(found, as_json)
        context.exit(exit_status(found["verdict"]) if wait else Exit.ACCEPTED)
    if wait:
        raise UsageFault("--wait needs the RUN_ID of the run to follow.")
    listed = client.runs(problem=problem, device=device, limit=limit)
    if as_json:
        print_json(listed)
    elif listed:
        print_rich(_table_of(listed))
    else:
        progress.print("No runs yet. 'warpboard submit FILE --problem SLUG' makes one.")


@click.command()
@click.argument("run", metavar="RUN_ID")
@signed_in_options
@json_option
def abort(run: str, site: str | None, token: str | None, as_json: bool) -> None:
    """End your run RUN_ID (its beginning is enough) before it has a verdict."""
    client = signed_in(site, token)
    _show(client.abort(_whole_id(client, run)), as_json)


def _whole_id(client: SiteClient, text: str) -> str:
    """The id of the Run that ``text`` is, or is the beginning of the id of."""
    try:
        return str(UUID(text))
    except ValueError:
        beginning = text.lower()
    ids = [run["id"] for run in client.runs(limit=_REMEMBERED)]
    found = [run_id for run_id in ids if run_id.startswith(beginning)]
    if not found:
        raise UsageFault(
            f"None of your last {_REMEMBERED} runs begins with {text!r}. 'warpboard runs' lists "
            "them."
        )
    if len(found) > 1:
        raise UsageFault(f"Several runs begin with {text!r}: {', '.join(found)}.")
    return str(found[0])


def _followed(context: click.Context, client: SiteClient, run: dict[str, Any]) -> dict[str, Any]:
    """The finished Run. Ctrl-C ends the watching, not the Run."""
    try:
        with Watch(run["time_label"]) as watch:
            for seen in client.follow(run["id"]):
                watch.show(sight_of(seen))
                run = seen
    except KeyboardInterrupt:
        progress.print(
            f"The site goes on judging. Follow it again: warpboard runs {run['id']} --wait\n"
            f"or at {run['url']}\n"
            f"To stop it: warpboard abort {run['id']}",
            soft_wrap=True,
        )
        context.exit(INTERRUPTED)
    return run


def _table_of(listed: list[dict[str, Any]]) -> Table:
    table = Table()
    for heading in ("run", "problem", "device", "status", "verdict"):
        table.add_column(heading, no_wrap=heading == "run")
    table.add_column("score ms", justify="right")
    for run in listed:
        table.add_row(
            run["id"][:_SHORT_ID] if data.is_terminal else run["id"],
            run["problem"],
            run["device"],
            run["status"],
            run["verdict"] or "",
            milliseconds(run["score_ms"]),
        )
    labels = {run["time_label"] for run in listed if run["score_ms"] is not None} - {""}
    if labels:
        table.caption = ", ".join(labels)
    return table


def _standing(client: SiteClient, run: dict[str, Any]) -> str:
    """Where an accepted Run put its owner on the board, and whom to beat next."""
    entries = client.board(run["problem"], run["device"])["entries"]
    ranked = [entry for entry in entries if entry["rank"] is not None]
    mine = next((e for e in ranked if (e["name"], e["kind"]) == (run["name"], run["kind"])), None)
    if mine is None:
        return "Not on the board: it is ranked within its problem's current version only."
    line = f"Rank {mine['rank']} of {len(ranked)}, percentile {mine['percentile']:.1f}."
    if mine["run"] != run["id"]:
        line += f" Your best is still {milliseconds(mine['median_ms'])} ms, run {mine['run']}."
    faster = [entry for entry in ranked if entry["rank"] < mine["rank"]]
    if faster:
        goal = max(faster, key=lambda entry: float(entry["median_ms"]))
        line += f" Next to beat: {goal['name']}, {milliseconds(goal['median_ms'])} ms."
    return line


def _show(run: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(run)
    else:
        print_rich(_page_of(run))


def _page_of(run: dict[str, Any]) -> RenderableType:
    """A Run in words: verdict, why, where it failed, times, and its page."""
    parts: list[RenderableType] = [_headline(run)]
    if run["message"]:
        parts.append(Text(run["message"]))
    compilation = run["compilation"]
    if run["verdict"] == Verdict.CE and compilation and compilation["output"]:
        parts.append(Text(compilation["output"].rstrip()))
    for case in run["cases"]:
        if case["verdict"] != Verdict.AC:
            parts.append(Text(f"Failing case: {case['name']}{_inputs(case)}"))
            break
    parts.extend(Text(_timing_line(timing)) for timing in run["workloads"])
    parts.append(Text(run["url"]))
    return Group(*parts)


def _headline(run: dict[str, Any]) -> Text:
    if not run["verdict"]:
        return Text(f"{run['status']}  {run['progress_text']}")
    line = verdict_text(Verdict(run["verdict"]))
    score = run["score"]
    if score is not None:
        line.append(
            f"  {milliseconds(score['value_ms'])} ms "
            f"({milliseconds(score['ci_low_ms'])} – {milliseconds(score['ci_high_ms'])})"
        )
        if run["time_label"]:
            line.append(f", {run['time_label']}")
    return line


def _inputs(case: dict[str, Any]) -> str:
    if case["hidden"]:
        return ""
    sizes = ", ".join(f"{name} = {size:,}" for name, size in case["sizes"].items())
    return f" ({sizes}; {case['distribution']} inputs)"


def _timing_line(timing: dict[str, Any]) -> str:
    return (
        f"{timing['workload']}: {milliseconds(timing['median_ms'])} ms "
        f"({milliseconds(timing['ci_low_ms'])} – {milliseconds(timing['ci_high_ms'])}), "
        f"{timing['sample_count']} samples"
    )
