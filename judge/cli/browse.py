"""Commands that look around a site: problems, starter, board."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.console import Group
from rich.markdown import Markdown
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from judge.cli.exits import UsageFault
from judge.cli.options import (
    complete_problem,
    device_option,
    device_or_only,
    json_option,
    problem_argument,
    site_option,
    visitor,
)
from judge.cli.output import board_table, data, print_json, print_rich, remark
from judge.domain import DeviceKind


@click.command()
@click.argument("problem", metavar="[SLUG]", required=False, shell_complete=complete_problem)
@site_option
@json_option
def problems(problem: str | None, site: str | None, as_json: bool) -> None:
    """List the problems of a site, or show the one named SLUG."""
    client = visitor(site)
    if problem is not None:
        found = client.problem(problem)
        if as_json:
            print_json(found)
        else:
            print_rich(_page_of(found))
        return
    listed = client.problems()
    if as_json:
        print_json(listed)
        return
    table = Table()
    for heading in ("problem", "title", "difficulty", "tags"):
        table.add_column(heading)
    for each in listed:
        table.add_row(each["slug"], each["title"], each["difficulty"], ", ".join(each["tags"]))
    print_rich(table)


@click.command()
@problem_argument
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    default=Path("starter.cu"),
    show_default=True,
    help="Where to write it; '-' is stdout.",
)
@click.option("--force", is_flag=True, help="Overwrite a file that is there.")
@site_option
def starter(problem: str, output: Path, force: bool, site: str | None) -> None:
    """Write the code to start from for the problem SLUG."""
    text = visitor(site).problem(problem)["starter"]
    if str(output) == "-":
        click.echo(text, nl=False)
        return
    try:
        with output.open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise UsageFault(
            f"{output} is there already. Choose another name with -o, or overwrite it with --force."
        ) from error
    except OSError as error:
        raise UsageFault(f"{output} cannot be written: {error.strerror}.") from error
    click.echo(output)
    remark(f"Submit it with: warpboard submit {output} --problem {problem}")


@click.command()
@problem_argument
@device_option
@site_option
@json_option
def board(problem: str, device: str | None, site: str | None, as_json: bool) -> None:
    """Show the board of the problem SLUG on one device."""
    client = visitor(site)
    found = client.board(problem, device_or_only(client, device))
    if as_json:
        print_json(found)
    else:
        print_rich(board_table(found))


def _page_of(problem: dict[str, Any]) -> Group:
    """A problem as its page on the site shows it: statement, signature, tests, workloads."""
    definition = problem["definition"]
    tags = f" · {', '.join(problem['tags'])}" if problem["tags"] else ""
    tests = Table(title="Public test cases", title_justify="left")
    for heading in ("case", "sizes", "inputs"):
        tests.add_column(heading)
    for test in definition["tests"]:
        tests.add_row(test["name"], _sizes(test["sizes"]), test["distribution"])
    workloads = Table(title="Timed workloads", title_justify="left")
    for heading in ("workload", "sizes", "inputs", "timed on"):
        workloads.add_column(heading)
    for workload in definition["workloads"]:
        workloads.add_row(
            workload["name"],
            _sizes(workload["sizes"]),
            workload["distribution"],
            ", ".join(
                "GPUs" if kind == DeviceKind.CUDA else kind for kind in sorted(workload["devices"])
            ),
        )
    limits = definition["limits"]
    return Group(
        Text(f"{problem['title']} ({problem['slug']})", style="bold"),
        Text(f"{problem['difficulty']}{tags}\n"),
        Markdown(problem["statement"]) if data.is_terminal else Text(problem["statement"]),
        Text(),
        Padding(Text(f'extern "C" {problem["signature"]}'), (0, 2)),
        Text("Pointers are device pointers. The declaration is included before your source.\n"),
        tests,
        workloads,
        Text(
            f"Limits: {limits['call_seconds']:g} s a call, {limits['compile_seconds']:g} s to "
            f"compile, {limits['memory_mib']} MiB."
        ),
    )


def _sizes(sizes: dict[str, int]) -> str:
    return ", ".join(f"{name} = {size:,}" for name, size in sizes.items())
