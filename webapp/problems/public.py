"""A problem's definition as everybody may see it: without what hidden cases hold."""

from __future__ import annotations

from typing import Any

from webapp.problems.models import ProblemVersion


def public_definition(version: ProblemVersion) -> dict[str, Any]:
    """The definition with hidden test cases left out."""
    shown = [case for case in version.definition["tests"] if not case["hidden"]]
    return {**version.definition, "tests": shown}
