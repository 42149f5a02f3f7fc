"""Expressions compute what Python would, and nothing but arithmetic."""

from __future__ import annotations

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.problems.expressions import ExpressionError, evaluate, evaluate_extent, names_in

NAMES = {"M": 12, "N": 7, "K": 1000}


def trees() -> st.SearchStrategy[str]:
    leaves = st.one_of(
        st.sampled_from(sorted(NAMES)), st.integers(0, 50).map(str), st.sampled_from(["0.5", "2.0"])
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "/", "%"]), inner).map(
                lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
            ),
            inner.map(lambda text: f"-{text}"),
            st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(
                lambda parts: f"{parts[0]}({parts[1]}, {parts[2]})"
            ),
            st.tuples(st.sampled_from(["ceil", "floor"]), inner).map(
                lambda parts: f"{parts[0]}({parts[1]})"
            ),
        ),
        max_leaves=8,
    )


@given(trees())
def test_the_value_is_pythons_own(expression: str) -> None:
    scope = {**NAMES, "ceil": math.ceil, "floor": math.floor, "min": min, "max": max}
    try:
        expected = eval(expression, {"__builtins__": {}}, scope)
    except ZeroDivisionError:
        with pytest.raises(ExpressionError, match="divides by zero"):
            evaluate(expression, NAMES)
        return
    value = evaluate(expression, NAMES)
    assert value == expected
    assert type(value) is type(expected)


@given(st.text(max_size=60))
def test_any_text_gives_a_finite_number_or_an_expression_error(text: str) -> None:
    with contextlib.suppress(ExpressionError):
        assert math.isfinite(evaluate(text, NAMES))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2*M*N*K", 168000),
        ("ceil(M / N)", 2),
        ("(M + 7) // 8 * 8", 16),
        ("M**2", 144),
        ("2**-1", 0.5),
        ("sqrt(K * 10)", 100.0),
        ("log2(1024)", 10.0),
        ("  M\n", 12),
        ("M % 5", 2),
    ],
)
def test_the_arithmetic_authors_need_is_there(expression: str, value: float) -> None:
    assert evaluate(expression, NAMES) == value


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("M.bit_length()", "calls M.bit_length()"),
        ("__import__('os')", "calls __import__()"),
        ("(lambda: 1)()", "the functions are ceil"),
        ("[1][0]", "is not allowed"),
        ("M if N else K", "is not allowed"),
        ("M < N", "is not allowed"),
        ("M & N", "is not allowed"),
        ("'a' * 9", "is not allowed"),
        ("True", "is not allowed"),
        ("min(*M, 1)", "is not allowed"),
        ("max(M, key=N)", "calls max()"),
        ("min(M)", "min() takes 2 to 16 arguments, 1 given"),
        ("sqrt(1, 2)", "sqrt() takes 1 argument, 2 given"),
        ("ceil", 'unknown name "ceil"'),
        ("Q + 1", 'unknown name "Q"; known: M, N, K'),
        ("M; N", "is not an arithmetic expression"),
        ("", "is not an arithmetic expression"),
        ("M // (N - 7)", "divides by zero"),
        ("9**9**9**9", "too large to use"),
        ("2.0**5000", "too large to use"),
        ("1" + "0" * 400, "too large to use"),
        ("*".join(["K"] * 40), "too large to use"),
        ("1e999", "is inf"),
        ("sqrt(-1)", "has no value here"),
        ("(-1)**0.5", "has no value here"),
        ("log2(0)", "has no value here"),
        ("(" * 240 + "M" + ")" * 240, "is not an arithmetic expression"),
        ("M+" * 300, "is longer than 500 characters"),
        ("+".join(["M"] * 240), "has more than 200 parts"),
        ("M\0", "is not an arithmetic expression"),
    ],
)
def test_what_is_not_bounded_arithmetic_is_refused_with_a_reason(
    expression: str, reason: str
) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(expression, NAMES)
    assert reason in str(caught.value)


def test_an_extent_is_a_positive_integer() -> None:
    assert evaluate_extent("M // 5", NAMES) == 2
    with pytest.raises(ExpressionError, match="use // or ceil"):
        evaluate_extent("M / 4", NAMES)
    with pytest.raises(ExpressionError, match="at least 1"):
        evaluate_extent("N - M", NAMES)


def test_names_are_listed_without_functions_and_without_values() -> None:
    assert names_in("ceil(M / K) * min(M, 3)") == {"M", "K"}
    with pytest.raises(ExpressionError, match="not allowed"):
        names_in("[M]")
