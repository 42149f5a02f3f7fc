"""`warpboard doctor`: whether this machine can judge, and what to do where it cannot."""

from __future__ import annotations

import dataclasses
import os

import click

from judge.cli.exits import Exit
from judge.cli.output import print_json
from judge.domain import AUTO


@click.command()
@click.option("--device", default=AUTO, show_default=True, help="What it must judge on.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def doctor(context: click.Context, device: str, as_json: bool) -> None:
    """Tell whether this machine can judge, and what to do where it cannot.

    A line says ok, note (nothing has to be done), warning (it judges, but worse) or fault (it does
    not judge). Exit status: 0 without faults, 3 with.
    """
    from judge.doctor import Finding, can_judge, examine

    findings: list[Finding] = []
    for finding in examine(device, os.environ):
        findings.append(finding)
        if not as_json:
            click.echo(f"{finding.state:<8} {finding.what}: {finding.found}")
            if finding.to_do:
                click.echo(f"         → {finding.to_do}")
    able = can_judge(findings)
    if as_json:
        print_json({"ok": able, "findings": [dataclasses.asdict(one) for one in findings]})
    else:
        click.echo("This machine can judge." if able else "This machine cannot judge.")
    context.exit(Exit.ACCEPTED if able else Exit.JUDGE_FAULT)
