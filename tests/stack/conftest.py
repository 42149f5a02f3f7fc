"""A whole Warpboard, started once for these tests: every process real, on free ports."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from playwright.sync_api import Browser, BrowserContext, Page

from judge.cli.client import SiteClient
from judge.execution import SandboxUnavailable
from judge.sandbox import default_executor
from stack.browser import LookOut, NoBrowser, chromium
from stack.local import ROOT, LocalStack, free_port

#: The problem of the journeys, and kernels for it by what becomes of them.
PROBLEM = "transpose"
KERNELS = Path(__file__).resolve().parent / "kernels"
#: Two steps of its ladder; on the emulated device, between the slow and the fast kernel.
STEPS = ("v03_shared_tiles", "v04_padded_tiles")


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalStack]:
    try:
        default_executor()
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    hasty = (sys.executable, str(Path(__file__).parent / "hasty_warpboard.py"))
    directory = tmp_path_factory.mktemp("stack")
    with LocalStack(directory, free_port(), warpboard=hasty) as running:
        yield running
        groups = [running.children.pid(name) for name in ("redis", "site", "events", "worker")]
    listed = subprocess.run(
        ["ps", "-eo", "pgid="], capture_output=True, text=True, check=True
    ).stdout.split()
    left = {str(group) for group in groups} & set(listed)
    assert not left, "stopping the stack leaves processes behind"


@pytest.fixture(scope="session")
def client(stack: LocalStack) -> SiteClient:
    """The API as the ladder's owner uses it."""
    token = stack.create_token("ladder", "--scope", "submit", "--scope", "reference")
    return SiteClient(stack.url, token)


@pytest.fixture(scope="session")
def kernels() -> dict[str, Path]:
    """``wrong``, ``slow`` and ``fast``."""
    return {file.stem: file for file in KERNELS.glob("*.cu")}


@pytest.fixture(scope="session")
def ladder(client: SiteClient) -> tuple[str, ...]:
    """Two steps of the ladder, judged and on the board."""
    folder = ROOT / "reference_kernels" / PROBLEM
    runs = [
        client.submit(PROBLEM, "emulated", (folder / f"{step}.cu").read_text(), reference=step)
        for step in STEPS
    ]
    for run in runs:
        *_, finished = client.follow(run["run"]["id"])
        assert finished["verdict"] == "AC", finished["message"]
    return STEPS


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Not for the whole session: Playwright's event loop would run on under other tests.
    try:
        with chromium() as running:
            yield running
    except NoBrowser as error:
        pytest.skip(str(error))


@pytest.fixture
def open_page(browser: Browser, stack: LocalStack) -> Iterator[Callable[..., Page]]:
    """Opens pages in contexts of their own, and holds them to what `LookOut` watches for."""
    opened: list[tuple[BrowserContext, LookOut]] = []

    def open_one(**options: Any) -> Page:
        context = browser.new_context(base_url=stack.url, **options)
        opened.append((context, LookOut(context, stack.url)))
        return context.new_page()

    yield open_one
    for context, look_out in opened:
        context.close()
        assert look_out.faults == []


@pytest.fixture(scope="session")
def light_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`pip install warpboard` without extras in a fresh environment; its ``bin`` folder.

    The wheel is built and installed for real. What it requires is linked from this environment
    instead of downloaded, and nothing else is: what it needs beyond that is missing there.
    """
    base = tmp_path_factory.mktemp("light")
    tree = base / "tree"
    for folder in ("judge", "webapp"):
        no_caches = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, tree / folder, ignore=no_caches)
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, tree)
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    build = ("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(base), str(tree))
    subprocess.run((*pip, *build), check=True)
    (wheel,) = base.glob("warpboard-*.whl")
    venv.create(base / "venv", with_pip=False)
    python = base / "venv" / "bin" / "python"
    subprocess.run(
        (*pip, "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)),
        check=True,
    )
    (site_packages,) = (base / "venv" / "lib").glob("python*/site-packages")
    for name in sorted(_required("warpboard", frozenset())):
        for file in importlib.metadata.files(name) or ():
            top = site_packages / file.parts[0]
            if file.parts[0] != ".." and not top.exists():
                top.symlink_to(Path(str(file.locate())).parents[len(file.parts) - 1] / top.name)
    return python.parent


def _required(name: str, seen: frozenset[str]) -> frozenset[str]:
    """Every distribution that ``name`` needs without any extra."""
    for line in importlib.metadata.requires(name) or ():
        requirement = Requirement(line)
        needed = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if needed and requirement.name not in seen:
            seen = _required(requirement.name, seen | {requirement.name})
    return seen
