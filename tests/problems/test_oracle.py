"""An oracle is held to its promises, and breaks them as its author's fault, with file and line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

from judge.problems.oracle import Oracle, OracleError, load_oracle
from judge.problems.package import load_package

SIZES = {"M": 2, "N": 3}
SCALARS = {"alpha": 2.0}
X = torch.tensor([[1.0, 2.0, 3.0], [-4.0, 5.0, 6.0]])


def oracle_with(
    directory: Path, body: str, magnitude: str = "return x.double().abs().sum(1)"
) -> Oracle:
    (directory / "reference.py").write_text(
        f"import torch\n\n\ndef reference(x, alpha, M, N):\n    {body}\n\n\n"
        f"def magnitude(x):\n    {magnitude}\n"
    )
    return load_oracle(load_package(directory))


def call(oracle: Oracle, x: torch.Tensor = X) -> torch.Tensor:
    return oracle.reference({"x": x}, SIZES, SCALARS)["y"]


def test_the_functions_get_just_the_arguments_they_name(row_sum: Path) -> None:
    oracle = oracle_with(row_sum, "return alpha * x.double().sum(1) + M * 10 + N")
    assert call(oracle).tolist() == [35.0, 37.0]
    magnitude = oracle.magnitude({"x": X}, SIZES, SCALARS)
    assert magnitude is not None
    assert magnitude["y"].tolist() == [6.0, 15.0]


def test_a_function_of_keywords_gets_everything(row_sum: Path) -> None:
    (row_sum / "reference.py").write_text(
        "def reference(**given):\n    assert sorted(given) == ['M', 'N', 'alpha', 'x']\n"
        "    return given['x'].double().sum(1)\n\n\ndef magnitude(**_): return _['x'].sum(1)\n"
    )
    assert call(load_oracle(load_package(row_sum))).tolist() == [6.0, 7.0]


def test_outputs_may_come_as_a_dict(row_sum: Path) -> None:
    assert call(oracle_with(row_sum, 'return {"y": x.sum(1)}')).tolist() == [6.0, 7.0]


@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("return x.no_such_thing()", 5, "reference failed: AttributeError"),
        ("return x[5]", 5, "reference failed: IndexError"),
        ("return x", 4, "y has shape (2, 3), expected (2,)"),
        ("return None", 4, "expected a tensor or a dict of them, got None"),
        ("return {'z': x.sum(1)}", 4, "gives z; the outputs are y"),
        ("return {'y': 3.0}", 4, "y: expected a tensor, got a float"),
        ("return x.sum(1).long()", 4, "y is torch.int64, expected a floating type"),
        ("return x.sum(1).to(torch.complex64)", 4, "expected a floating type"),
        ("return x.sum(1) / 0", 4, "for finite inputs, which float32 cannot hold"),
        ("return x.sum(1) * float('nan')", 4, "for finite inputs, which float32 cannot hold"),
        ("return x.double().sum(1) * 1e39", 4, "ranges from 6e+39 to 7e+39 for finite inputs"),
        ("x += 1; return x.sum(1)", 4, "changes its argument x; work on a clone"),
    ],
)
def test_a_broken_promise_is_the_authors_error(
    row_sum: Path, body: str, line: int, words: str
) -> None:
    oracle = oracle_with(row_sum, body)
    with pytest.raises(OracleError) as caught:
        call(oracle, X.clone())
    assert words in str(caught.value)
    assert (caught.value.file, caught.value.line) == (row_sum / "reference.py", line)


@pytest.mark.parametrize("body", ["return -x.abs().sum(1)", "return x.sum(1) / 0"])
def test_a_magnitude_that_is_no_bound_is_the_authors_error(row_sum: Path, body: str) -> None:
    oracle = oracle_with(row_sum, "return x.sum(1)", magnitude=body)
    with pytest.raises(OracleError, match="must be a sum of absolute values"):
        oracle.magnitude({"x": X}, SIZES, SCALARS)


def test_nan_and_infinity_are_answers_where_they_were_given(row_sum: Path) -> None:
    x = X.clone()
    x[0, 1] = float("inf")
    answer = call(oracle_with(row_sum, "return x.sum(1)"), x)
    assert answer.tolist() == [float("inf"), 7.0]


def test_an_answer_is_never_a_view_of_an_input(row_sum: Path) -> None:
    x = X.clone()
    answer = call(oracle_with(row_sum, "return x[:, 0]"), x)
    x.zero_()
    assert answer.tolist() == [1.0, -4.0]
    assert answer.is_contiguous()


def test_a_module_that_fails_to_load_is_named_with_its_line(row_sum: Path) -> None:
    source = (row_sum / "reference.py").read_text()
    (row_sum / "reference.py").write_text("import no_such_module\n" + source)
    with pytest.raises(OracleError, match="cannot be loaded: ModuleNotFoundError") as caught:
        load_oracle(load_package(row_sum))
    assert caught.value.line == 1
    assert not any("no_such" in name for name in sys.modules)


def test_two_versions_do_not_share_a_module(row_sum: Path) -> None:
    first = oracle_with(row_sum, "return x.sum(1)")
    second = oracle_with(row_sum, "return x.sum(1) * 2")
    assert call(first).tolist() == [6.0, 7.0]
    assert call(second).tolist() == [12.0, 14.0]


def test_a_module_may_hold_dataclasses_and_leaves_no_cache_behind(row_sum: Path) -> None:
    (row_sum / "reference.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n\n\n"
        "@dataclass\nclass Scale:\n    by: float\n\n\n"
        "def reference(x):\n    return x.sum(1) * Scale(3.0).by\n\n\n"
        "def magnitude(x):\n    return x.abs().sum(1)\n"
    )
    assert call(load_oracle(load_package(row_sum))).tolist() == [18.0, 21.0]
    assert not (row_sum / "__pycache__").exists()
