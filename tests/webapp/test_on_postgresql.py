"""What depends on the database, run once more on a real PostgreSQL: events, verdicts, limits.

Takes the server that ``WARPBOARD_TEST_DATABASE_URL`` names, or starts one of its own where
PostgreSQL is installed; a child pytest then runs the tests listed below against it.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from stack.local import free_port

ROOT = Path(__file__).resolve().parents[2]
URL = "WARPBOARD_TEST_DATABASE_URL"

CRITICAL = (
    "tests/webapp/test_event_storage.py",
    "tests/webapp/test_concurrent_writers.py",
    "tests/webapp/test_submitting.py",
    "tests/webapp/test_site_boards.py",
    "tests/webapp/test_baselines.py",
    "tests/webapp/test_site_attacks_workers.py",
    "tests/webapp/test_site_attacks_input.py::test_no_address_climbs_or_breaks_the_site",
)


def _programs() -> Path | None:
    """The folder of PostgreSQL's programs: on PATH, or where Debian puts them."""
    found = shutil.which("postgres")
    if found:
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name))
    return folders[-1] if folders else None


def _not_root() -> dict[str, str]:
    """PostgreSQL refuses to run as root; whom to run it as instead."""
    return {"user": "nobody"} if os.getuid() == 0 else {}


@pytest.fixture
def server() -> Iterator[str]:
    """The URL of a running server in which a database may be made."""
    given = os.environ.get(URL)
    if given:
        yield given
        return
    programs = _programs()
    if programs is None:
        pytest.skip(f"no PostgreSQL: apt-get install postgresql, or set {URL}")
    # Short: a Unix socket's path has at most 107 characters.
    directory = Path(tempfile.mkdtemp(prefix="wb-pg-"))
    name = _not_root().get("user") or pwd.getpwuid(os.getuid()).pw_name
    if _not_root():
        shutil.chown(directory, name)
    port = free_port()
    data = directory / "data"
    subprocess.run(
        (programs / "initdb", "-D", data, "-U", "warpboard", "-A", "trust", "-E", "UTF8", "-N"),
        cwd=directory, check=True, stdout=subprocess.DEVNULL, **_not_root(),
    )  # fmt: skip
    options = ("-c", "fsync=off", "-c", "full_page_writes=off", "-c", "listen_addresses=127.0.0.1")
    process = subprocess.Popen(
        (programs / "postgres", "-D", data, "-p", str(port), "-k", directory, *options),
        cwd=directory, stderr=subprocess.DEVNULL, **_not_root(),
    )  # fmt: skip
    try:
        ready = (programs / "pg_isready", "-h", "127.0.0.1", "-p", str(port), "-t", "1", "-q")
        for _ in range(600):
            if subprocess.run(ready, check=False).returncode == 0:
                break
            assert process.poll() is None, "PostgreSQL did not start"
        yield f"postgresql://warpboard@127.0.0.1:{port}/postgres"
    finally:
        process.send_signal(signal.SIGINT)  # its "fast" shutdown
        process.wait(30)
        shutil.rmtree(directory)


def test_events_verdicts_and_limits_hold_on_postgresql(server: str) -> None:
    done = subprocess.run(
        (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", *CRITICAL),
        cwd=ROOT,
        env={**os.environ, "WARPBOARD_DATABASE_URL": server},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    assert "SKIPPED" not in done.stdout, done.stdout[-2000:]
