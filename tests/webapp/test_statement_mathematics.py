"""Formulas of statements become HTML, or stay as they were written; nothing else is touched."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from webapp.problems.mathematics import UnknownTex, render
from webapp.problems.statements import render_statement

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("N", "<i>N</i>"),
        (r"M \times K", "<i>M</i> × <i>K</i>"),
        (r"1 \le i", "1 ≤ <i>i</i>"),
        ("x_i^2", "<i>x</i><sub><i>i</i></sub><sup>2</sup>"),
        (r"C_{i j}", "<i>C</i><sub><i>i</i><i>j</i></sub>"),
        (r"\mathrm{rows}", "rows"),
        (r"\sqrt{N}", "√<i>N</i>"),
        (r"\sqrt{a+b}", "√(<i>a</i> + <i>b</i>)"),
        (r"2^{-24}", "2<sup>-24</sup>"),
        ("a < b", "<i>a</i> &lt; <i>b</i>"),
    ],
)
def test_a_formula_becomes_html(tex: str, expected: str) -> None:
    assert render(tex) == expected


@pytest.mark.parametrize("tex", [r"\frac{a}{b}", "{a", "a}", "x^", r"\href{javascript:x}{y}"])
def test_what_is_not_known_is_not_guessed(tex: str) -> None:
    with pytest.raises(UnknownTex):
        render(tex)


def test_an_unknown_formula_is_shown_as_written() -> None:
    assert r"<code>\frac{a}{b}</code>" in render_statement(r"so $\frac{a}{b}$ it is")


def test_markup_inside_a_formula_is_text() -> None:
    for formula in ("$<script>x</script>$", r"$\mathrm{<img src=x>}$", r"$\foo<b>$"):
        assert not re.search(r"<(script|img|b)\b", render_statement(formula))


def test_code_and_prices_are_no_formulas() -> None:
    page = render_statement("`$N$` costs $5 or $ 6 $")
    assert "<code>$N$</code>" in page
    assert "costs $5 or $ 6 $" in page


@pytest.mark.parametrize(
    "statement", sorted(ROOT.glob("problems/*/statement.md")), ids=lambda path: path.parent.name
)
def test_every_bundled_statement_is_known_in_full(statement: Path) -> None:
    page = render_statement(statement.read_text("utf-8"))
    assert "$" not in re.sub(r"<code>.*?</code>|<pre>.*?</pre>", "", page, flags=re.DOTALL)
    assert "\\" not in page
