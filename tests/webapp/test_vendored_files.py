"""What comes from others is what was downloaded, and nothing else is loaded from anywhere."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

WEBAPP = Path(__file__).resolve().parents[2] / "webapp"
VENDOR = WEBAPP / "static" / "vendor"
BUILT = WEBAPP / "static" / "dist"
FRONTEND = WEBAPP / "frontend"


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_every_vendored_file_has_the_hash_of_the_manifest() -> None:
    manifest = json.loads((VENDOR / "manifest.json").read_text())
    listed = {
        name: sha for package in manifest["packages"] for name, sha in package["files"].items()
    }
    present = {path.name for path in VENDOR.iterdir()} - {"manifest.json"}
    assert present == set(listed)
    for name, sha in listed.items():
        assert sha256(VENDOR / name) == sha, name


def test_every_vendored_package_carries_its_licence() -> None:
    manifest = json.loads((VENDOR / "manifest.json").read_text())
    for package in manifest["packages"]:
        assert package["licence"]
        assert any("LICENSE" in name for name in package["files"])


def test_every_built_file_has_the_hash_of_its_manifest() -> None:
    manifest = json.loads((BUILT / "manifest.json").read_text())
    assert {path.name for path in BUILT.iterdir()} - {"manifest.json"} == set(manifest["files"])
    for name, sha in manifest["files"].items():
        assert sha256(BUILT / name) == sha, name


def test_what_is_built_is_of_the_sources_as_they_are() -> None:
    listed = json.loads((BUILT / "manifest.json").read_text())["sources"]
    present = {f"src/{path.name}" for path in (FRONTEND / "src").iterdir()}
    assert {"build.js", "package.json", "package-lock.json"} | present == set(listed)
    stale = [name for name, sha in listed.items() if sha256(FRONTEND / name) != sha]
    assert not stale, "changed since the last build: run make frontend"


def test_every_built_in_package_is_pinned_and_carries_its_licence() -> None:
    locked = json.loads((FRONTEND / "package-lock.json").read_text())["packages"]
    wanted = json.loads((FRONTEND / "package.json").read_text())
    for version in (wanted["dependencies"] | wanted["devDependencies"]).values():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    packages = json.loads((BUILT / "manifest.json").read_text())["packages"]
    assert packages
    for package in packages:
        pinned = locked[f"node_modules/{package['name']}"]
        assert package["version"] == pinned["version"]
        assert package["integrity"] == pinned["integrity"]
        licence = (BUILT / package["licence_file"]).read_text("utf-8")
        assert package["licence"] in licence


def test_no_page_loads_anything_from_elsewhere_or_inline() -> None:
    for template in (WEBAPP / "templates").rglob("*.html"):
        text = template.read_text()
        assert not re.search(r"(src|href)=\"https?://", text), template
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=", text), template
