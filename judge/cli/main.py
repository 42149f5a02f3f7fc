"""The ``warpboard`` command. Without the extras it is a light client of a site."""

from __future__ import annotations

import importlib.metadata

import click
from click.shell_completion import get_completion_class

from judge.cli import account, browse, local, runs
from judge.cli.doctor import doctor


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(importlib.metadata.version("warpboard"), prog_name="warpboard")
def main() -> None:
    """Submit and judge GPU kernels.

    Data goes to stdout, progress to stderr when that is a terminal.

    Exit status: 0 accepted, 1 judged but not accepted, 2 usage, 3 judge fault, 4 not signed in;
    130 when Ctrl-C ended the watching.
    """


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script that teaches SHELL to complete commands, problems and devices.

    For bash: eval "$(warpboard completion bash)" in ~/.bashrc; zsh likewise; for fish:
    warpboard completion fish > ~/.config/fish/completions/warpboard.fish
    """
    made_by = get_completion_class(shell)
    if made_by is None:
        raise click.ClickException(f"click knows no completion for {shell}.")
    click.echo(made_by(main, {}, "warpboard", "_WARPBOARD_COMPLETE").source())


for command in (
    account.login,
    account.logout,
    account.whoami,
    browse.problems,
    browse.starter,
    browse.board,
    runs.submit,
    runs.runs,
    runs.abort,
    local.judge,
    local.verify,
    local.worker,
    doctor,
    completion,
):
    main.add_command(command)


if __name__ == "__main__":
    main()
