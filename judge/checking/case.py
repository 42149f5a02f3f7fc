"""One call's outputs against the oracle's: tolerance, comparison and explanation put together."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from judge.checking.bounds import OracleFault, bounds
from judge.checking.comparison import OutputCheck, check_output
from judge.checking.explanation import explain
from judge.domain import Mismatch, Problem


def check_case(
    problem: Problem,
    outputs: Mapping[str, torch.Tensor],
    expected: Mapping[str, torch.Tensor],
    magnitude: Mapping[str, torch.Tensor] | None,
    sizes: Mapping[str, int],
    before: Mapping[str, torch.Tensor] | None = None,
) -> OutputCheck:
    """Compare all outputs (by parameter name) of one call; errors are maxima over them.

    ``before`` holds what the outputs were filled with before the call; it serves the message only.
    ``mismatch`` and ``message`` are about the first wrong output in C order. Raises OracleFault
    where the package's oracle is at fault: an output missing, a wrong shape, an unusable bound.
    """
    abs_errors: list[float] = []
    rel_errors: list[float] = []
    mismatch: Mismatch | None = None
    message = ""
    for parameter in problem.outputs:
        name = parameter.name
        if name not in expected:
            raise OracleFault(f"reference() gives no output {name!r}")
        out, ref = outputs[name], expected[name]
        terms = None if magnitude is None else magnitude.get(name)
        bound = bounds(problem.tolerance, ref, terms, sizes, parameter.dtype)
        check = check_output(name, out, ref, bound)
        if check.max_abs_error is not None:
            abs_errors.append(check.max_abs_error)
        if check.max_rel_error is not None:
            rel_errors.append(check.max_rel_error)
        if mismatch is None and check.mismatch is not None:
            mismatch = check.mismatch
            filled = None if before is None else before.get(name)
            message = explain(mismatch, out, ref, bound, filled)
    return OutputCheck(
        ok=mismatch is None,
        max_abs_error=max(abs_errors, default=None),
        max_rel_error=max(rel_errors, default=None),
        mismatch=mismatch,
        message=message,
    )
