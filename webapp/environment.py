"""The site's settings as environment variables: names, defaults, meanings, and how each is read.

Nothing else in the site reads the environment. A value that cannot be read does not stop the
import: it is kept in ``PROBLEMS`` and reported as a Django system check (``webapp.checks``), so
that the admin sees an id and a hint, not a traceback. docs/settings.md lists the same table and a
test holds the two together.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from judge.variables import UnreadableFile, variable

BASE_DIR = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Setting:
    """One environment variable. ``default`` is the text that an unset variable stands for."""

    name: str
    default: str
    meaning: str


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "WARPBOARD_SECRET_KEY",
        "",
        "Signs sessions and CSRF tokens; at least 32 random characters. "
        "Unset: a fresh key for each process, so that sign-ins end when it does.",
    ),
    Setting(
        "WARPBOARD_DEBUG",
        "0",
        "1 shows tracebacks and settings to every visitor. For development on one's own machine.",
    ),
    Setting(
        "WARPBOARD_ALLOWED_HOSTS",
        "localhost,127.0.0.1,[::1]",
        "Host names that the site answers to, separated by commas.",
    ),
    Setting(
        "WARPBOARD_INSECURE_COOKIES",
        "0",
        "1 lets browsers send the session cookie over plain HTTP. "
        "For a site on one's own machine; anything else belongs behind HTTPS.",
    ),
    Setting(
        "WARPBOARD_CSRF_TRUSTED_ORIGINS",
        "",
        "Origins (scheme and host) that forms may come from when a proxy changes the host, "
        "separated by commas.",
    ),
    Setting(
        "WARPBOARD_DATABASE_URL",
        "sqlite:///var/db.sqlite3",
        "sqlite:///relative/path, sqlite:////absolute/path, or "
        "postgresql://user:password@host:5432/name. Relative paths start at the project's folder.",
    ),
    Setting(
        "WARPBOARD_BROKER_URL",
        "redis://localhost:6379/0",
        "The Redis that carries jobs and events: redis://host:port/db, rediss://…, or "
        "redis+socket:///path/to/redis.sock.",
    ),
    Setting(
        "WARPBOARD_STATIC_ROOT",
        "var/static",
        "Where collectstatic puts style sheets and scripts.",
    ),
    Setting(
        "WARPBOARD_SIGNUP",
        "1",
        "0 closes the sign-up page; an admin makes accounts with createsuperuser or create_token.",
    ),
    Setting(
        "WARPBOARD_MAX_UNFINISHED_RUNS",
        "20",
        "Runs that one user may have waiting or being judged at once. "
        "Who may submit references is not limited.",
    ),
    Setting(
        "WARPBOARD_SUBMISSIONS_AN_HOUR",
        "60",
        "Submissions that one user may send to one problem within any 60 minutes. "
        "Who may submit references is not limited.",
    ),
    Setting(
        "WARPBOARD_EMAIL_URL",
        "console:",
        "How e-mail (password resets, confirmations) leaves: smtp://user:password@host:587 with "
        "STARTTLS, smtps://… with TLS from the start, smtp://host:25?starttls=0 in the clear, or "
        "console: to print it to the log.",
    ),
    Setting(
        "WARPBOARD_EMAIL_FROM",
        "Warpboard <noreply@localhost>",
        "The sender of e-mail.",
    ),
    Setting(
        "WARPBOARD_GITHUB_CLIENT_ID",
        "",
        "With the secret: people may sign in with GitHub. Both come from an OAuth app whose "
        "callback is https://SITE/accounts/github/login/callback/.",
    ),
    Setting(
        "WARPBOARD_GITHUB_CLIENT_SECRET",
        "",
        "The OAuth app's secret.",
    ),
    Setting(
        "WARPBOARD_GITHUB_URL",
        "https://github.com",
        "Another GitHub, such as a university's Enterprise server.",
    ),
    Setting(
        "WARPBOARD_LOG_LEVEL",
        "INFO",
        "DEBUG, INFO, WARNING or ERROR; logs go to stderr.",
    ),
)

_BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}


@dataclass(frozen=True)
class ConfigurationProblem:
    """A variable that could not be read; reported as the system check ``id``."""

    id: str
    message: str
    hint: str


#: Filled while ``webapp.settings`` is imported.
PROBLEMS: list[ConfigurationProblem] = []


def text(name: str) -> str:
    """What the variable, or the file that NAME_FILE names, holds; else the default."""
    return _given(name) or _BY_NAME[name].default


def is_given(name: str) -> bool:
    """Whether the variable is set at all, be it to its default."""
    return bool(_given(name))


def _given(name: str) -> str:
    try:
        return variable(name, os.environ)
    except UnreadableFile as problem:
        found = ConfigurationProblem(
            "webapp.E010",
            str(problem),
            f"Let this process read the file, or set {name} itself.",
        )
        if found not in PROBLEMS:  # several ask for the same variable
            PROBLEMS.append(found)
        return ""


def flag(name: str) -> bool:
    """A variable that is 1 or 0."""
    value = text(name).lower()
    if value in ("1", "true", "yes", "on"):
        return True
    if value not in ("0", "false", "no", "off"):
        PROBLEMS.append(
            ConfigurationProblem(
                "webapp.E002",
                f"{name} is {value!r}, which is neither 1 nor 0.",
                f"Set {name} to 1 or 0.",
            )
        )
    return False


def count(name: str) -> int:
    """A variable that is a whole number of at least 1."""
    value = text(name)
    if value.isdecimal() and int(value) > 0:
        return int(value)
    PROBLEMS.append(
        ConfigurationProblem(
            "webapp.E003",
            f"{name} is {value!r}, which is not a whole number of at least 1.",
            f"Set {name} to a number such as {_BY_NAME[name].default}, or unset it.",
        )
    )
    return int(_BY_NAME[name].default)


def listing(name: str) -> list[str]:
    """A variable that holds names separated by commas."""
    return [item.strip() for item in text(name).split(",") if item.strip()]


def path(name: str) -> Path:
    """A variable that is a path, relative to the project's folder."""
    return BASE_DIR / text(name)


def choice(name: str, choices: tuple[str, ...]) -> str:
    """A variable that is one of ``choices``, whatever its case."""
    value = text(name).upper()
    if value in choices:
        return value
    PROBLEMS.append(
        ConfigurationProblem(
            "webapp.E006",
            f"{name} is {value!r}, which is none of {', '.join(choices)}.",
            f"Set {name} to one of them, or unset it.",
        )
    )
    return _BY_NAME[name].default


def database(name: str) -> dict[str, Any]:
    """Django's description of the database that the URL in ``name`` means."""
    url = text(name)
    try:
        description = parse_database_url(url)
        if isinstance(description["NAME"], Path):
            # SQLite makes its file, but not the folder: a fresh checkout has no var/ yet.
            description["NAME"].parent.mkdir(parents=True, exist_ok=True)
        return description
    except ValueError as problem:
        PROBLEMS.append(
            ConfigurationProblem(
                "webapp.E004",
                f"{name} cannot be read: {problem}.",
                "Use sqlite:///var/db.sqlite3 or postgresql://user:password@host:5432/name.",
            )
        )
        return {"ENGINE": "django.db.backends.dummy"}


def parse_database_url(url: str) -> dict[str, Any]:
    """``sqlite:///path`` or ``postgresql://…`` as Django's dict; ValueError says what is wrong."""
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        if parts.netloc or not parts.path.strip("/"):
            raise ValueError("an sqlite URL is sqlite:///relative/path or sqlite:////absolute/path")
        file = BASE_DIR / unquote(parts.path[1:])
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": file,
            "OPTIONS": {
                # Writers queue up at BEGIN for up to this long instead of failing in the middle.
                "timeout": 20,
                "transaction_mode": "IMMEDIATE",
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
            },
        }
    if parts.scheme in ("postgres", "postgresql"):
        if not parts.path.strip("/"):
            raise ValueError("the URL names no database after the host")
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path[1:]),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": unquote(parts.hostname or ""),
            "PORT": str(parts.port or ""),
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
            # A server that is away is known soon; without a limit a request waits for two minutes.
            "OPTIONS": {
                "connect_timeout": "5",
                **{key: values[-1] for key, values in parse_qs(parts.query).items()},
            },
        }
    raise ValueError(f"the scheme {parts.scheme!r} is neither sqlite nor postgresql")


def email(name: str) -> dict[str, Any]:
    """Django's ``EMAIL_*`` settings for the URL in ``name``."""
    try:
        return parse_email_url(text(name))
    except ValueError as problem:
        PROBLEMS.append(
            ConfigurationProblem(
                "webapp.E008",
                f"{name} cannot be read: {problem}.",
                "Use smtp://user:password@host:587, smtps://user:password@host:465 or console:.",
            )
        )
        return parse_email_url("console:")


def parse_email_url(url: str) -> dict[str, Any]:
    """``smtp://…``, ``smtps://…`` or ``console:`` as Django's settings; ValueError says what is
    wrong.
    """
    parts = urlsplit(url)
    if parts.scheme == "console":
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    if parts.scheme not in ("smtp", "smtps"):
        raise ValueError(f"the scheme {parts.scheme!r} is none of smtp, smtps and console")
    if not parts.hostname:
        raise ValueError("the URL names no host")
    query = parse_qs(parts.query)
    starttls = query.pop("starttls", ["1"])[-1]
    if query or starttls not in ("0", "1"):
        raise ValueError("after the ? only starttls=0 or starttls=1 may follow")
    is_tls = parts.scheme == "smtps"
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": unquote(parts.hostname),
        "EMAIL_PORT": parts.port or (465 if is_tls else 587),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": is_tls,
        "EMAIL_USE_TLS": not is_tls and starttls == "1",
    }


def broker(name: str) -> str:
    """The broker's URL, checked for its scheme."""
    url = text(name)
    if urlsplit(url).scheme not in ("redis", "rediss", "redis+socket"):
        PROBLEMS.append(
            ConfigurationProblem(
                "webapp.E005",
                f"{name} does not name a Redis server.",
                "Use redis://host:6379/0 or redis+socket:///path/to/redis.sock.",
            )
        )
        return _BY_NAME[name].default
    return url
