"""How far each element of an output may be from the oracle's. Knows tolerances, not outputs."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch

from judge.domain import DType, Tolerance, ToleranceRule
from judge.problems.expressions import evaluate


class OracleFault(Exception):
    """The problem package is at fault, not the submission; the text says what is wrong with it."""


def bounds(
    tolerance: Tolerance,
    ref: torch.Tensor,
    magnitude: torch.Tensor | None,
    sizes: Mapping[str, int],
    dtype: DType,
) -> torch.Tensor | None:
    """Largest allowed |out - ref| per element, float64, of ``ref``'s shape and device.

    None means that the output must be exact: by the EXACT rule, or because ``dtype`` (the
    output's) is an integer type, for which no rounding excuses a difference.

    REDUCTION: ``c * sqrt(K) * u * magnitude + u_out * |ref|``. ``magnitude`` is what a sum of K
    terms would be if nothing cancelled (sum |a_i b_i|); rounding errors of a sum are random signs
    of size u per step, hence sqrt(K) and not K (Higham and Mary, SIAM J. Sci. Comput. 41, 2019).
    u belongs to ``tolerance.precision``, u_out to ``dtype``: storing the result rounds once more.

    Raises OracleFault when the rule needs a magnitude and there is none, or K is not positive.
    """
    if tolerance.rule is ToleranceRule.EXACT or not dtype.is_floating:
        return None
    size = ref.to(torch.float64).abs()
    if tolerance.rule is ToleranceRule.ELEMENTWISE:
        return size.mul_(tolerance.rtol).add_(tolerance.atol)
    if magnitude is None:
        raise OracleFault(
            "the tolerance rule 'reduction' needs a magnitude: define magnitude() in reference.py"
        )
    length = float(evaluate(tolerance.length, sizes))
    if not 0.0 < length < math.inf:
        raise OracleFault(
            f"tolerance.length = {tolerance.length!r} is {length:g} for {dict(sizes)}: "
            "the length of a reduction must be positive"
        )
    try:
        terms = magnitude.to(torch.float64).broadcast_to(ref.shape)
    except RuntimeError as error:
        raise OracleFault(
            f"magnitude() has shape {tuple(magnitude.shape)}, the output {tuple(ref.shape)}"
        ) from error
    factor = tolerance.constant * math.sqrt(length) * tolerance.precision.unit_roundoff
    return size.mul_(dtype.unit_roundoff).add_(terms, alpha=factor)
