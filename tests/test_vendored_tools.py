"""What the tests carry from others is what was downloaded, with its licence."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

VENDOR = Path(__file__).resolve().parent / "vendor"


def test_every_vendored_tool_has_the_hash_of_the_manifest_and_a_licence() -> None:
    manifest = json.loads((VENDOR / "manifest.json").read_text())
    listed = {
        name: sha for package in manifest["packages"] for name, sha in package["files"].items()
    }
    present = {str(path.relative_to(VENDOR)) for path in VENDOR.rglob("*") if path.is_file()}
    assert present - {"manifest.json"} == set(listed)
    for name, sha in listed.items():
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == sha, name
    for package in manifest["packages"]:
        assert package["licence"]
        assert any("LICENSE" in name for name in package["files"])
