"""What ``warpboard login`` remembers: the site one uses, and a token for each site.

One JSON file in the user's configuration folder, readable by its owner alone. Knows nothing of
HTTP or of options.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from judge.cli.exits import UsageFault


@dataclass(frozen=True)
class Config:
    """``site`` is the one to talk to when none is named; ``tokens`` are by site address."""

    site: str | None = None
    tokens: Mapping[str, str] = field(default_factory=dict)

    def with_token(self, site: str, token: str) -> Config:
        """Signed in at ``site``, which becomes the one to talk to."""
        return replace(self, site=site, tokens={**self.tokens, site: token})

    def without_token(self, site: str) -> Config:
        """Signed out at ``site``."""
        left = {url: token for url, token in self.tokens.items() if url != site}
        return replace(self, tokens=left)


def config_path() -> Path:
    """WARPBOARD_CONFIG, else ``config.json`` in the platform's folder for configuration."""
    named = os.environ.get("WARPBOARD_CONFIG")
    return Path(named) if named else Path(click.get_app_dir("warpboard")) / "config.json"


def load_config() -> Config:
    """The stored configuration, empty if there is none; raises UsageFault when it is broken."""
    path = config_path()
    try:
        stored = json.loads(path.read_text("utf-8"))
        return Config(site=stored["site"], tokens=dict(stored["tokens"]))
    except FileNotFoundError:
        return Config()
    except OSError as error:
        raise UsageFault(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageFault(
            f"{path} is not what 'warpboard login' writes. Delete it and sign in again."
        ) from error


def save_config(config: Config) -> Path:
    """Replace the file at once by one that only its owner can read; its path."""
    path = config_path()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # mkstemp makes files of mode 0600, so that the token is never readable by others.
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".config-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"site": config.site, "tokens": dict(config.tokens)}, file, indent=2)
            file.write("\n")
        Path(name).replace(path)
    except OSError as error:
        raise UsageFault(f"{path} cannot be written: {error.strerror}.") from error
    return path
