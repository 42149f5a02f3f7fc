"""What comes from others is what was downloaded, and nothing else is loaded from anywhere."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

WEBAPP = Path(__file__).resolve().parents[2] / "webapp"
VENDOR = WEBAPP / "static" / "vendor"


def test_every_vendored_file_has_the_hash_of_the_manifest() -> None:
    manifest = json.loads((VENDOR / "manifest.json").read_text())
    listed = {
        name: sha for package in manifest["packages"] for name, sha in package["files"].items()
    }
    present = {path.name for path in VENDOR.iterdir()} - {"manifest.json"}
    assert present == set(listed)
    for name, sha in listed.items():
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == sha, name


def test_every_vendored_package_carries_its_licence() -> None:
    manifest = json.loads((VENDOR / "manifest.json").read_text())
    for package in manifest["packages"]:
        assert package["licence"]
        assert any("LICENSE" in name for name in package["files"])


def test_no_page_loads_anything_from_elsewhere_or_inline() -> None:
    for template in (WEBAPP / "templates").rglob("*.html"):
        text = template.read_text()
        assert not re.search(r"(src|href)=\"https?://", text), template
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=", text), template
