"""A site whose database and broker are away: what people, programs and monitoring are told."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from stack.local import ROOT, free_port
from stack.processes import Children


@pytest.fixture
def cut_off(tmp_path: Path) -> Iterator[str]:
    """The address of a real web process whose database and broker are ports nobody listens on."""
    address = f"http://127.0.0.1:{free_port()}"
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "webapp.settings",
        "WARPBOARD_SECRET_KEY": "k" * 40,
        "WARPBOARD_ALLOWED_HOSTS": "127.0.0.1",
        "WARPBOARD_DATABASE_URL": f"postgresql://nobody@127.0.0.1:{free_port()}/none",
        "WARPBOARD_BROKER_URL": f"redis://127.0.0.1:{free_port()}/0",
    }
    port = address.rpartition(":")[2]
    with Children(tmp_path, environment, ROOT) as children:
        children.start(
            "site",
            (sys.executable, "-m", "uvicorn", "webapp.asgi:application", "--port", port),
        )
        while True:
            children.check_alive()
            try:
                httpx.get(f"{address}/static/site.css", timeout=5)
            except httpx.TransportError:
                continue
            break
        yield address


def test_without_its_database_the_site_says_to_try_again(cut_off: str) -> None:
    page = httpx.get(f"{cut_off}/problems/")
    assert page.status_code == 503
    assert "database does not answer" in page.text
    assert page.headers["Retry-After"] == "30"

    call = httpx.get(f"{cut_off}/api/v1/devices")
    assert call.status_code == 503
    assert call.json()["error"]["code"] == "database_away"
    assert call.headers["Retry-After"] == "30"

    health = httpx.get(f"{cut_off}/health/")
    assert health.status_code == 503
    assert health.json() == {"database": "away", "broker": "away", "waiting_events": None}
