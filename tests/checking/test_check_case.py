"""All outputs of one call together."""

from __future__ import annotations

import pytest
import torch

from judge.checking import OracleFault, check_case
from judge.domain import DType, Limits, Parameter, Problem, Role, Tolerance, ToleranceRule

PROBLEM = Problem(
    slug="top",
    title="Top",
    difficulty="easy",
    tags=(),
    entry="solve",
    parameters=(
        Parameter("x", DType.FLOAT32, Role.IN, ("N",)),
        Parameter("y", DType.FLOAT32, Role.INOUT, ("N",)),
        Parameter("where", DType.INT32, Role.OUT, ("N",)),
        Parameter("N", DType.INT32, Role.SIZE),
    ),
    tolerance=Tolerance(ToleranceRule.ELEMENTWISE, atol=0.5),
    limits=Limits(),
    tests=(),
    workloads=(),
    flops="N",
    bytes="N",
)
SIZES = {"N": 3}
EXPECTED = {
    "y": torch.tensor([1.0, 2.0, 4.0], dtype=torch.float64),
    "where": torch.tensor([0, 1, 2], dtype=torch.int32),
}


def outputs(y: list[float], where: list[int]) -> dict[str, torch.Tensor]:
    return {"y": torch.tensor(y), "where": torch.tensor(where, dtype=torch.int32)}


def test_right_outputs_pass_with_the_largest_error_of_all() -> None:
    found = check_case(PROBLEM, outputs([1.0, 2.25, 4.0], [0, 1, 2]), EXPECTED, None, SIZES)
    assert found.ok
    assert (found.max_abs_error, found.max_rel_error) == (0.25, 0.125)
    assert (found.mismatch, found.message) == (None, "")


def test_an_index_output_is_exact_beside_a_tolerant_one() -> None:
    found = check_case(PROBLEM, outputs([1.0, 2.25, 4.0], [0, 1, 1]), EXPECTED, None, SIZES)
    assert not found.ok
    assert found.mismatch is not None
    assert (found.mismatch.output, found.mismatch.index) == ("where", (2,))
    assert found.message.startswith("where[2] is 1, expected 2 (must be exact)")


def test_the_first_wrong_output_in_c_order_is_explained() -> None:
    before = outputs([7.0, 8.0, 9.0], [7, 8, 9])
    found = check_case(PROBLEM, before, EXPECTED, None, SIZES, before=before)
    assert found.mismatch is not None
    assert found.mismatch.output == "y"
    assert "Nothing was written to y" in found.message
    assert found.max_abs_error == 7.0


def test_a_reference_without_an_output_is_the_packages_fault() -> None:
    with pytest.raises(OracleFault, match="no output 'where'"):
        check_case(PROBLEM, outputs([1.0, 2.0, 4.0], [0, 1, 2]), {"y": EXPECTED["y"]}, None, SIZES)
