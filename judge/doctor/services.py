"""The broker that a worker on this machine would take jobs from, if one is configured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from redis import RedisError

from judge import control
from judge.doctor.finding import Finding, State
from judge.variables import UnreadableFile, variable


def service_findings(environment: Mapping[str, str]) -> Iterator[Finding]:
    """``WARPBOARD_BROKER_URL`` (or its ``_FILE``) names it; its password is never told."""
    what = "broker"
    try:
        url = variable("WARPBOARD_BROKER_URL", environment)
    except UnreadableFile as error:
        yield Finding(State.FAULT, what, str(error), "let this user read the file")
        return
    if not url:
        yield Finding(
            State.NOTE,
            what,
            "none configured; `warpboard judge` needs none",
            "for a worker, set WARPBOARD_BROKER_URL to the site's Redis",
        )
        return
    where = _without_password(url)
    try:
        with control.connect(url) as client:
            client.ping()
    except ValueError as error:
        to_do = "set WARPBOARD_BROKER_URL to redis://host:port/db"
        yield Finding(State.FAULT, what, f"{where} is no address of a Redis: {error}", to_do)
    except RedisError as error:
        to_do = "start it, or see to its address, password and firewall"
        yield Finding(State.FAULT, what, f"{where} does not answer: {error}", to_do)
    else:
        yield Finding(State.OK, what, f"{where} answers")


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
