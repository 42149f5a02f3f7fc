"""Formulas of statements become MathML, or stay as they were written; nothing else is touched."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.problems.mathematics import ATTRIBUTES, TAGS, UnknownTex, render
from webapp.problems.statements import render_statement

ROOT = Path(__file__).resolve().parents[2]


def drawn(tex: str) -> str:
    """The formula's MathML without the outermost element and without grouping."""
    return re.sub(r"</?(math|mrow)\b[^>]*>", "", render(tex))


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("N", "<mi>N</mi>"),
        (r"M \times K", "<mi>M</mi><mo>×</mo><mi>K</mi>"),
        (r"1 \le i", "<mn>1</mn><mo>≤</mo><mi>i</mi>"),
        ("x_i^2", "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>"),
        (r"C_{i j}", "<msub><mi>C</mi><mi>i</mi><mi>j</mi></msub>"),
        (r"\mathrm{rows}", "<mi>rows</mi>"),
        (r"\sqrt{N}", "<msqrt><mi>N</mi></msqrt>"),
        (r"\frac{a}{b}", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"),
        (r"2^{-24}", "<msup><mn>2</mn><mo>−</mo><mn>24</mn></msup>"),
        ("a < b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
    ],
)
def test_a_formula_becomes_mathml(tex: str, expected: str) -> None:
    assert drawn(tex) == expected


def test_a_formula_on_lines_of_its_own_is_drawn_as_a_block() -> None:
    assert '<math display="block">' in render_statement("$$\n\\sum_i x_i\n$$")
    assert '<math display="inline">' in render_statement(r"so $\sum_i x_i$ it is")


def test_bars_stand_close_to_what_they_enclose() -> None:
    assert drawn("|x|").count('lspace="0" rspace="0">|</mo>') == 2


@pytest.mark.parametrize(
    "tex",
    [
        "{a",
        "a}",
        "x^",
        r"\foo x",
        r"\text{a & b}",
        r"\text{<img src=x>}",
        r"\href{javascript:x}{y}",
        r"\style{color:red}{x}",
        r"\color{red}{x}",
        "x" * 2001,
        "{" * 900 + "}" * 900,
    ],
)
def test_what_cannot_be_drawn_whole_is_not_guessed(tex: str) -> None:
    with pytest.raises(UnknownTex):
        render(tex)


def test_an_unknown_formula_is_shown_as_written() -> None:
    assert r"<code>\foo{a}</code>" in render_statement(r"so $\foo{a}$ it is")


def test_markup_inside_a_formula_is_text() -> None:
    for formula in ("$<script>x</script>$", r"$\mathrm{<img src=x>}$", r"$\foo<b>$"):
        assert not re.search(r"<(script|img|b)\b", render_statement(formula))


@given(st.text(alphabet="\\{}_^&<>\"'= abfilmnrqst0$%#~|[]()/", max_size=40))
def test_no_formula_breaks_a_page_or_gets_past_the_list(tex: str) -> None:
    try:
        page = render(tex)
    except UnknownTex:
        return
    assert set(re.findall(r"<([^\s/>]+)", page)) <= TAGS
    assert set(re.findall(r'([^\s<>="]+)="[^"]*"', re.sub(r">[^<]*<", "><", page))) <= ATTRIBUTES


def test_the_last_wall_lets_the_formula_through_unchanged() -> None:
    formula = render(r"\left(\tfrac{a}{b}\right)^{2}")
    assert formula in render_statement(r"so $\left(\tfrac{a}{b}\right)^{2}$")


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
