"""The ``warpboard`` command. Without the extras it is a light client of a site."""

from __future__ import annotations

import importlib.metadata

import click

from judge.cli import local, remote


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(importlib.metadata.version("warpboard"), prog_name="warpboard")
def main() -> None:
    """Submit and judge GPU kernels.

    Exit status: 0 accepted, 1 judged but not accepted, 2 usage, 3 judge fault, 4 not signed in.
    """


for command in (remote.problems, remote.submit, remote.runs, remote.board):
    main.add_command(command)
for command in (local.judge, local.verify, local.worker):
    main.add_command(command)


if __name__ == "__main__":
    main()
