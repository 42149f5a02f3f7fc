"""Settings are documented, read as documented, and say so when they are wrong."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from webapp import checks, environment
from webapp.environment import SETTINGS, parse_database_url

ROOT = Path(__file__).resolve().parents[2]


def documented(heading: str) -> list[list[str]]:
    """Rows of the table under (or, for the first, before) ``heading`` of docs/settings.md."""
    text = (ROOT / "docs" / "settings.md").read_text("utf-8")
    section = text.split(f"## {heading}\n")[-1].split("\n## ")[0] if heading else text
    section = section.split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in row] for row in rows]


def test_the_documentation_lists_every_setting_as_the_code_has_it() -> None:
    expected = [
        [f"`{s.name}`", f"`{s.default}`" if s.default else "(unset)", s.meaning] for s in SETTINGS
    ]
    assert documented("") == expected


def test_the_documentation_lists_every_check() -> None:
    code = "".join(Path(str(m.__file__)).read_text() for m in (checks, environment))
    assert {row[0].strip("`") for row in documented("Checks")} == set(
        re.findall(r'"(webapp\.[EW]\d{3})"', code)
    )


def test_the_environment_is_read_in_one_place() -> None:
    readers = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "webapp").rglob("*.py")
        if re.search(r"os\.environ(?!\.setdefault)|os\.getenv", path.read_text())
    ]
    assert readers == ["webapp/environment.py"]


def check(**variables: str) -> str:
    """What ``manage.py check`` says with these variables set."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("WARPBOARD_")}
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=clean | {"WARPBOARD_DATABASE_URL": "sqlite:////tmp/unused.sqlite3"} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_every_misconfiguration_is_reported_at_once_with_id_and_hint() -> None:
    said = check(
        WARPBOARD_SECRET_KEY="short",
        WARPBOARD_SIGNUP="maybe",
        WARPBOARD_MAX_UNFINISHED_RUNS="0",
        WARPBOARD_DATABASE_URL="mysql://db/warpboard",
        WARPBOARD_BROKER_URL="amqp://localhost",
        WARPBOARD_LOG_LEVEL="loud",
        WARPBOARD_EMAIL_URL="imap://mail.example.org",
        WARPBOARD_GITHUB_CLIENT_ID="half",
        WARPBOARD_DEBUG="1",
        WARPBOARD_INSECURE_COOKIES="1",
        WARPBOARD_ALLOWED_HOSTS="board.example.org",
    )
    ids = ["E001", "E002", "E003", "E004", "E005", "E006", "E007", "E008", "E009", "W002"]
    assert [i for i in ids if f"webapp.{i}" not in said] == []
    assert said.count("HINT:") >= len(ids)
    assert "Traceback" not in said


def test_a_good_configuration_raises_nothing() -> None:
    good = {"WARPBOARD_SECRET_KEY": "k" * 40, "WARPBOARD_ALLOWED_HOSTS": "board.example.org"}
    assert "no issues" in check(**good, WARPBOARD_EMAIL_URL="smtp://relay")
    assert "webapp.W003" in check(**good)


def test_a_site_for_others_needs_a_key() -> None:
    assert "webapp.E001" in check(WARPBOARD_ALLOWED_HOSTS="board.example.org")
    assert "webapp.W001" in check(WARPBOARD_ALLOWED_HOSTS="localhost")


def test_a_secret_may_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("k" * 40 + "\n")
    assert "no issues" in check(WARPBOARD_SECRET_KEY_FILE=str(file))
    said = check(WARPBOARD_SECRET_KEY_FILE=str(tmp_path / "absent"))
    assert "webapp.E010" in said
    assert str(tmp_path / "absent") in said


def test_a_database_url_becomes_what_django_needs() -> None:
    found = parse_database_url("postgresql://me:p%40ss@db:5433/board?sslmode=require")
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"], found["NAME"]) == (
        *("me", "p@ss", "db", "5433"),
        "board",
    )
    assert found["OPTIONS"] == {"connect_timeout": "5", "sslmode": "require"}
    lite = parse_database_url("sqlite:////srv/board.sqlite3")
    assert lite["NAME"] == Path("/srv/board.sqlite3")
    assert lite["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


@pytest.mark.parametrize("url", ["", "board.sqlite3", "sqlite://", "sqlite://x/y", "postgres://h"])
def test_a_bad_database_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_database_url(url)


@pytest.mark.django_db
def test_there_are_no_changes_without_a_migration(capsys: Any) -> None:
    from django.core.management import call_command

    call_command("makemigrations", "--check", "--dry-run")
