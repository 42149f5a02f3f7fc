"""`pip install warpboard` without extras is a working client of a site, and only that."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from stack.local import ROOT


def run(light_client: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        (str(light_client / arguments[0]), *arguments[1:]),
        env={"PATH": os.defpath, "WARPBOARD_CONFIG": "/nonexistent"},
        cwd=light_client,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("heavy", ["torch", "django", "pydantic", "celery", "numpy"])
def test_nothing_heavy_comes_along(light_client: Path, heavy: str) -> None:
    done = run(light_client, "python", "-c", f"import {heavy}")

    assert done.returncode == 1
    assert "ModuleNotFoundError" in done.stderr


def test_every_command_explains_itself(light_client: Path) -> None:
    listed = run(light_client, "warpboard", "--help")
    assert listed.returncode == 0, listed.stderr
    commands = listed.stdout.split("Commands:")[1].split()
    for command in ("judge", "login", "problems", "submit", "verify", "worker"):
        assert command in commands
        done = run(light_client, "warpboard", command, "--help")
        assert done.returncode == 0, done.stderr


def test_a_file_is_held_to_the_rules_before_it_is_sent(light_client: Path, tmp_path: Path) -> None:
    large = tmp_path / "large.cu"
    large.write_bytes(b"x" * (256 * 1024 + 1))

    done = run(light_client, "warpboard", "submit", str(large), "--problem", "transpose")

    assert done.returncode == 2
    assert "the limit is 262,144 (256 KiB)" in done.stderr


def test_judging_here_says_what_to_install(light_client: Path) -> None:
    kernel = ROOT / "problems" / "transpose" / "starter.cu"

    done = run(light_client, "warpboard", "judge", str(kernel), "--problem", "transpose")

    assert done.returncode == 3
    assert "pip install 'warpboard[judge]'" in done.stderr
