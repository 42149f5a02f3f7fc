"""The program that becomes process 1: built once, trusted only from a folder of our own."""

from __future__ import annotations

import subprocess

import pytest

from judge.execution import SandboxUnavailable
from judge.sandbox.launcher import launcher_path


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cache") / "warpboard"
    launcher_path(folder)
    return folder


def test_it_is_built_once_and_found_again(cache):
    first = launcher_path(cache)
    built_at = first.stat().st_mtime_ns
    assert launcher_path(cache) == first
    assert first.stat().st_mtime_ns == built_at
    assert [path.name for path in cache.iterdir()] == [first.name]


def test_a_cache_that_others_can_write_is_refused(tmp_path):
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(SandboxUnavailable, match="XDG_CACHE_HOME"):
        launcher_path(folder)


def test_without_a_compiler_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxUnavailable, match=r"apt-get install g\+\+"):
        launcher_path(tmp_path / "cache")


def test_it_refuses_to_run_outside_a_sandbox(cache):
    done = subprocess.run(
        [launcher_path(cache), "--control", "0", "--", "/bin/true"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 125
    assert b"not process 1" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--control"],
        ["--limit", "colour=3", "--", "/bin/true"],
        ["--limit", "cpu=soon", "--", "/bin/true"],
        ["--control", "0", "--"],
    ],
)
def test_it_refuses_arguments_it_does_not_know(cache, arguments):
    done = subprocess.run([launcher_path(cache), *arguments], capture_output=True, check=False)
    assert done.returncode == 125
    assert done.stderr.startswith(b"launcher: ")
