"""Commands that talk to a site: problems, submit, runs, board."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.table import Table

from judge.cli.client import SiteClient
from judge.cli.exits import Exit, NotSignedIn
from judge.cli.output import board_table, milliseconds, print_json, print_table, remark
from judge.domain import EMULATED_DEVICE, Verdict

DEFAULT_SITE = "http://127.0.0.1:8000"

site_option = click.option(
    "--site",
    envvar="WARPBOARD_SITE",
    default=DEFAULT_SITE,
    show_default=True,
    help="Address of the site (or WARPBOARD_SITE).",
)
token_option = click.option(
    "--token", envvar="WARPBOARD_TOKEN", help="API token (better: WARPBOARD_TOKEN)."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")


def _signed_in(site: str, token: str | None) -> SiteClient:
    if not token:
        raise NotSignedIn(
            f"No token. Sign in at {site}, make an API token on your profile page, and set "
            "WARPBOARD_TOKEN to it."
        )
    return SiteClient(site, token)


@click.command()
@site_option
@json_option
def problems(site: str, as_json: bool) -> None:
    """List the problems of a site."""
    found = SiteClient(site).problems()
    if as_json:
        print_json(found)
        return
    table = Table()
    for heading in ("problem", "title", "difficulty"):
        table.add_column(heading)
    for problem in found:
        table.add_row(problem["slug"], problem["title"], problem["difficulty"])
    print_table(table)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--problem", required=True, help="The problem's slug.")
@click.option("--device", default=EMULATED_DEVICE, show_default=True, help="Where to judge it.")
@click.option("--wait/--no-wait", default=True, help="Follow the Run to its verdict.")
@site_option
@token_option
@json_option
@click.pass_context
def submit(
    context: click.Context,
    file: Path,
    problem: str,
    device: str,
    wait: bool,
    site: str,
    token: str | None,
    as_json: bool,
) -> None:
    """Submit FILE to a site and follow it to its verdict."""
    from judge.cli.local import read_source

    client = _signed_in(site, token)
    run = client.submit(problem, device, read_source(file))["run"]
    if wait:
        for state in client.follow(run["id"]):
            remark(_progress_line(state))
            run = state
    if as_json:
        print_json(run)
    else:
        click.echo(_verdict_line(run, site))
    context.exit(_exit_status(run) if wait else Exit.ACCEPTED)


@click.command()
@click.option("--problem", help="Only this problem.")
@click.option("--device", help="Only this device.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 100))
@site_option
@token_option
@json_option
def runs(
    problem: str | None,
    device: str | None,
    limit: int,
    site: str,
    token: str | None,
    as_json: bool,
) -> None:
    """List your runs, newest first."""
    found = _signed_in(site, token).runs(problem=problem, device=device, limit=limit)
    if as_json:
        print_json(found)
        return
    table = Table()
    for heading in ("run", "problem", "device", "status", "verdict"):
        table.add_column(heading)
    table.add_column("score ms", justify="right")
    for run in found:
        table.add_row(
            run["id"],
            run["problem"],
            run["device"],
            run["status"],
            run["verdict"] or "",
            milliseconds(run["score_ms"]),
        )
    print_table(table)


@click.command()
@click.argument("problem")
@click.option("--device", default=EMULATED_DEVICE, show_default=True)
@site_option
@json_option
def board(problem: str, device: str, site: str, as_json: bool) -> None:
    """Show the board of PROBLEM on one device."""
    found = SiteClient(site).board(problem, device)
    if as_json:
        print_json(found)
    else:
        print_table(board_table(found))


def _progress_line(run: dict[str, Any]) -> str:
    done = f"{len(run['cases'])} cases, {len(run['workloads'])} workloads"
    return f"{run['status']}: {done}"


def _verdict_line(run: dict[str, Any], site: str) -> str:
    where = f"{site.rstrip('/')}/runs/{run['id']}/"
    if not run["verdict"]:
        return f"{run['status']}  {where}"
    score = f"  {milliseconds(run['score_ms'])} ms" if run["score_ms"] is not None else ""
    return f"{run['verdict']}{score}  {run['message']}  {where}"


def _exit_status(run: dict[str, Any]) -> Exit:
    if run["verdict"] == Verdict.AC:
        return Exit.ACCEPTED
    return Exit.JUDGE_FAULT if run["verdict"] == Verdict.JE else Exit.NOT_ACCEPTED
