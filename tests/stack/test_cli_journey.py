"""Somebody with nothing but the light client: from signing in to a better place on the board."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stack.local import LocalStack

PROBLEM = "transpose"


class Shell:
    """Runs the light client's ``warpboard`` with one configuration of its own."""

    def __init__(self, folder: Path, light_client: Path, site: str) -> None:
        self.folder = folder
        self.config = folder / "config" / "config.json"
        self._command = str(light_client / "warpboard")
        self._environment = {
            "PATH": os.defpath,
            "WARPBOARD_CONFIG": str(self.config),
            "WARPBOARD_SITE": site,
            "TERM": "xterm",
            "COLUMNS": "120",
        }

    def run(self, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            (self._command, *arguments),
            input=typed,
            env=self._environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )

    def json(self, *arguments: str) -> Any:
        done = self.run(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def watched(self, *arguments: str, until: str | None = None) -> tuple[int, str, str]:
        """Status, stdout and what stood on the terminal; Ctrl-C once ``until`` stands there."""
        terminal, stderr = pty.openpty()
        child = subprocess.Popen(
            (self._command, *arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=self._environment,
            cwd=self.folder,
            text=True,
            # A suite started in the background has Ctrl-C ignored, and so would its children.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        os.close(stderr)
        seen = b""
        while True:
            try:
                read = os.read(terminal, 4096)
            except OSError:  # the last writer has gone
                break
            seen += read
            if until and until.encode() in seen:
                child.send_signal(signal.SIGINT)
                until = None
        os.close(terminal)
        stdout, _ = child.communicate()
        return child.returncode, stdout, seen.decode(errors="replace")


@pytest.fixture
def shell(tmp_path: Path, light_client: Path, stack: LocalStack) -> Shell:
    return Shell(tmp_path, light_client, stack.url)


@pytest.fixture
def signed_in_as(shell: Shell, stack: LocalStack) -> Callable[[str], None]:
    def sign_in(user: str) -> None:
        done = shell.run("login", "--token", "-", typed=stack.create_token(user) + "\n")
        assert done.returncode == 0, done.stderr
        assert f"Signed in at {stack.url} as {user}" in done.stdout

    return sign_in


def test_from_signing_in_to_a_better_place_on_the_board(
    shell: Shell,
    signed_in_as: Callable[[str], None],
    ladder: tuple[str, ...],
    kernels: dict[str, Path],
) -> None:
    signed_in_as("grace")
    assert shell.json("whoami")["username"] == "grace"

    assert PROBLEM in shell.run("problems").stdout
    page = shell.run("problems", PROBLEM).stdout
    assert "void solve(const float* input" in page
    assert "large primes" in page
    started = shell.run("starter", PROBLEM)
    assert started.stdout.strip() == "starter.cu"
    assert "__global__" in (shell.folder / "starter.cu").read_text()

    wrong = shell.run("submit", str(kernels["wrong"]), "--problem", PROBLEM)
    assert wrong.returncode == 1
    assert wrong.stdout.startswith("WA wrong answer")
    assert "Failing case: small primes (rows = 7, cols = 13" in wrong.stdout
    assert "Are row and column swapped?" in wrong.stdout
    assert wrong.stderr == "", "progress is for terminals only"

    slow = shell.json("submit", str(kernels["slow"]), "--problem", PROBLEM)
    assert slow["verdict"] == "AC"
    before = _own_entry(shell)
    assert before["run"] == slow["id"]

    status, stdout, terminal = shell.watched("submit", str(kernels["fast"]), "--problem", PROBLEM)
    assert status == 0
    assert "AC accepted" in stdout
    assert "emulated, not a GPU time" in stdout
    assert "percentile" in stdout
    for stage in ("compiling", "checking", "timing"):
        assert stage in terminal
    assert _own_entry(shell)["percentile"] > before["percentile"]

    listed = shell.json("runs", "--problem", PROBLEM)
    assert [run["verdict"] for run in listed] == ["AC", "AC", "WA"]
    again = shell.run("runs", wrong.stdout.split("/runs/")[1][:8])
    assert "small primes" in again.stdout


def test_ctrl_c_leaves_the_run_to_the_site_and_says_how_to_follow_it(
    shell: Shell, signed_in_as: Callable[[str], None], kernels: dict[str, Path]
) -> None:
    signed_in_as("barbara")

    status, stdout, terminal = shell.watched(
        "submit", str(kernels["slow"]), "--problem", PROBLEM, until="queued"
    )

    assert (status, stdout) == (130, "")
    (run,) = shell.json("runs")
    assert f"warpboard runs {run['id']} --wait" in " ".join(terminal.split())
    assert f"warpboard abort {run['id']}" in terminal
    aborted = shell.run("abort", run["id"][:8])
    assert "AB aborted by its owner" in aborted.stdout
    followed = shell.run("runs", run["id"][:8], "--wait")
    assert (followed.returncode, followed.stdout) == (1, aborted.stdout)


def test_what_goes_wrong_is_said_with_the_way_out(
    shell: Shell, signed_in_as: Callable[[str], None], kernels: dict[str, Path]
) -> None:
    kernel = str(kernels["fast"])
    assert shell.run("submit", kernel, "--problem", PROBLEM).returncode == 4
    unknown = shell.run("login", "--token", "-", typed="wb_made-up\n")
    assert unknown.returncode == 4
    assert not shell.config.exists()
    signed_in_as("edsger")

    nearly = shell.run("submit", kernel, "--problem", "transpoze")
    assert nearly.returncode == 2
    assert "Did you mean transpose?" in nearly.stderr
    assert "Did you mean transpose?" in shell.run("board", "transpos").stderr
    device = shell.run("submit", kernel, "--problem", PROBLEM, "--device", "h9000")
    assert device.returncode == 2
    assert "emulated" in device.stderr
    shell.run("starter", PROBLEM)
    assert "--force" in shell.run("starter", PROBLEM).stderr
    assert shell.run("logout").returncode == 0
    assert shell.run("whoami").returncode == 4


def _own_entry(shell: Shell) -> Any:
    (entry,) = (e for e in shell.json("board", PROBLEM)["entries"] if e["name"] == "grace")
    return entry
