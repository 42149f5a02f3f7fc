"""docs/threat-model.md and the corpus of attacks speak of the same threats."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bench.attack_corpus import CORPUS, load_corpus
from stack.local import ROOT

PAGE = ROOT / "docs" / "threat-model.md"
TITLES = {
    "The clock": "clock",
    "Not computing": "not-computing",
    "The host": "host",
    "The compiler": "compiler",
}


def rows() -> Iterator[tuple[str, str, str]]:
    """Of each table of threats: whose section, the threat, the cell of what tries it."""
    title = ""
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("## "):
            title = line.removeprefix("## ")
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if title in TITLES and line.startswith("| ") and cells[0] != "threat":
            yield TITLES[title], cells[0], cells[-1]


def test_every_threat_on_the_page_is_tried_and_every_attack_is_of_one():
    listed = {threat for _, threat, _ in rows()}
    tried = {attack.threat for attack in load_corpus() if not attack.twin_of}
    assert listed - tried == set(), "on the page, and tried by nobody"
    assert tried - listed == set(), "tried, and not on the page"


def test_the_attacks_that_the_page_names_try_what_it_says():
    threats = {attack.slug: attack.threat for attack in load_corpus()}
    for _, threat, named in rows():
        slugs = re.findall(r"`([a-z-]+/\w+)`", named)
        assert slugs, f"nothing is said to try {threat!r}"
        for slug in slugs:
            assert threats.get(slug) == threat, slug


def test_every_kind_of_attack_has_its_section():
    assert {kind for kind, _, _ in rows()} == {attack.kind for attack in load_corpus()}


def test_programs_and_tests_that_the_page_names_are_there():
    text = PAGE.read_text("utf-8")
    for kind, name in re.findall(r"`(clock|not-computing|host|compiler)/(\w+)`", text):
        assert (CORPUS / kind / f"{name}.cu").is_file(), name
    for path in re.findall(r"`(tests/webapp/\w+\.py)`", text):
        assert (ROOT / path).is_file(), path
