"""Options that the commands of a site share, and how they find their site, token and device.

What is named on the command line wins over the environment, and that over ``warpboard login``.
A stored token goes only to the site it was stored for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click
import httpx
from click.shell_completion import CompletionItem

from judge.cli.client import SiteClient
from judge.cli.config import load_config
from judge.cli.exits import NotSignedIn, UsageFault

DEFAULT_SITE = "http://127.0.0.1:8000"

#: How long a Tab may wait for the site.
COMPLETION_SECONDS = 2.0

_Command = TypeVar("_Command", bound=Callable[..., Any])


def complete_problem(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    return [
        CompletionItem(problem["slug"], help=problem["title"])
        for problem in _asked(context, SiteClient.problems)
        if problem["slug"].startswith(incomplete)
    ]


def _complete_device(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    return [
        CompletionItem(device["name"])
        for device in _asked(context, SiteClient.devices)
        if device["name"].startswith(incomplete)
    ]


def _asked(
    context: click.Context, ask: Callable[[SiteClient], list[dict[str, Any]]]
) -> list[dict[str, Any]]:
    """What the site answers; nothing when it cannot, since a Tab has nowhere to complain."""
    try:
        return ask(
            SiteClient(site_or_default(context.params.get("site")), None, COMPLETION_SECONDS)
        )
    except click.ClickException:
        return []


site_option = click.option(
    "--site",
    envvar="WARPBOARD_SITE",
    metavar="URL",
    help="Address of the site (or WARPBOARD_SITE); else the one of 'warpboard login', else "
    f"{DEFAULT_SITE}.",
)
token_option = click.option(
    "--token",
    envvar="WARPBOARD_TOKEN",
    help="API token (or WARPBOARD_TOKEN; better: 'warpboard login').",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
problem_option = click.option(
    "--problem", required=True, help="The problem's slug.", shell_complete=complete_problem
)
problem_argument = click.argument("problem", metavar="SLUG", shell_complete=complete_problem)
device_option = click.option(
    "--device",
    envvar="WARPBOARD_DEVICE",
    help="Where (or WARPBOARD_DEVICE); may be left out where the site has only one.",
    shell_complete=_complete_device,
)


def signed_in_options(command: _Command) -> _Command:
    """``--site`` and ``--token``, for commands that act for somebody."""
    return site_option(token_option(command))


def site_or_default(named: str | None) -> str:
    """The address of the site to talk to, without a slash at its end."""
    site = named or load_config().site or DEFAULT_SITE
    url = httpx.URL(site)
    if url.scheme not in ("http", "https") or not url.host:
        raise UsageFault(f"{site!r} is no address of a site: it should be like https://host.")
    return site.rstrip("/")


def visitor(site: str | None) -> SiteClient:
    """A client that needs no token."""
    return SiteClient(site_or_default(site))


def signed_in(site: str | None, token: str | None) -> SiteClient:
    """A client with the token given or stored; raises NotSignedIn where there is neither."""
    url = site_or_default(site)
    token = token or load_config().tokens.get(url)
    if not token:
        raise NotSignedIn(
            f"Not signed in at {url}. Make a token at {url}/accounts/tokens/ and run "
            "'warpboard login', or set WARPBOARD_TOKEN to it."
        )
    return SiteClient(url, token)


def device_or_only(client: SiteClient, named: str | None) -> str:
    """The device named, else the only one the site has; raises UsageFault where that is unclear."""
    if named:
        return named
    devices = client.devices()
    if not devices:
        raise UsageFault("The site has no device yet: none of its workers has ever started.")
    if len(devices) > 1:
        listed = ", ".join(f"{d['name']} ({_workers(d['workers'])})" for d in devices)
        raise UsageFault(f"Which device? Say --device NAME; the site has {listed}.")
    return str(devices[0]["name"])


def _workers(count: int) -> str:
    return "no worker now" if not count else "1 worker" if count == 1 else f"{count} workers"
