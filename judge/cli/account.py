"""Commands that say who one is to a site: login, logout, whoami."""

from __future__ import annotations

import sys
from typing import Any

import click

from judge.cli.client import SiteClient
from judge.cli.config import config_path, load_config, save_config
from judge.cli.exits import NotSignedIn, UsageFault
from judge.cli.options import (
    json_option,
    signed_in,
    signed_in_options,
    site_option,
    site_or_default,
)
from judge.cli.output import print_json, remark


@click.command()
@site_option
@click.option("--token", help="'-' reads it from stdin; better than showing it on a command line.")
def login(site: str | None, token: str | None) -> None:
    """Remember a site and an API token for it.

    Asks for the token, checks it with the site, and stores both in the user's configuration,
    readable by nobody else. Make a token on the site's page "API tokens".
    """
    url = site_or_default(site)
    if token == "-" or (token is None and not sys.stdin.isatty()):
        token = sys.stdin.readline()
    elif token is None:
        remark(f"Make a token at {url}/accounts/tokens/ with the scope 'submit'.")
        token = click.prompt("Token", hide_input=True, err=True)
    token = token.strip()
    if not token:
        raise UsageFault("No token was given.")
    me = SiteClient(url, token).me()
    path = save_config(load_config().with_token(url, token))
    click.echo(f"Signed in at {url} as {_who(me)}.")
    remark(f"The token is in {path}.")


@click.command()
@site_option
def logout(site: str | None) -> None:
    """Forget the token of a site. It stays valid until it is revoked on the site."""
    url = site_or_default(site)
    config = load_config()
    if url not in config.tokens:
        raise NotSignedIn(f"No token for {url} is stored in {config_path()}.")
    save_config(config.without_token(url))
    click.echo(f"Signed out at {url}.")
    remark(f"To make the token useless everywhere, revoke it at {url}/accounts/tokens/.")


@click.command()
@signed_in_options
@json_option
def whoami(site: str | None, token: str | None, as_json: bool) -> None:
    """Show the site in use, one's name there and what the token may do."""
    client = signed_in(site, token)
    me = client.me()
    if as_json:
        print_json({"site": client.url, **me})
    else:
        click.echo(f"{_who(me)} at {client.url}")


def _who(me: dict[str, Any]) -> str:
    until = f", until {me['expires_at'][:10]}" if me["expires_at"] else ""
    return f"{me['username']} (token {me['token']!r}: {', '.join(me['scopes'])}{until})"
