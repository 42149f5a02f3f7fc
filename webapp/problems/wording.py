"""A problem's rules in words and formulas, for its page: tolerance, inputs, work and traffic.

The rules themselves are the judge's; nothing here decides anything.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from judge.domain import DType, Problem, Tolerance, ToleranceRule, Workload
from judge.problems.distributions import Distribution
from judge.problems.expressions import evaluate
from webapp.problems import mathematics

_INPUTS: dict[Distribution, str] = {
    Distribution.NORMAL: "standard normal",
    Distribution.OFFSET: "normal around a mean eight deviations from zero",
    Distribution.HEAVY_TAILED: "heavy-tailed: a few values dwarf the rest",
    Distribution.CANCELLING: "pairs that cancel to a small remainder",
    Distribution.LARGE: "very large magnitudes",
    Distribution.SMALL: "very small magnitudes",
    Distribution.UNIFORM: "uniform between −1 and 1",
    Distribution.INTEGERS: "small whole numbers, exact in every order",
}

_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def inputs_in_words(distribution: str) -> str:
    """What inputs of ``distribution`` look like; the name itself where no words are known."""
    try:
        return _INPUTS[Distribution(distribution)]
    except ValueError:
        return distribution


@dataclass(frozen=True)
class Where:
    """One letter of a formula: its MathML and what it stands for."""

    symbol: str
    meaning: str


@dataclass(frozen=True)
class ToleranceText:
    """How outputs are compared. ``formula`` is MathML, or None where words say it all."""

    words: str
    formula: str | None
    where: tuple[Where, ...]


def tolerance_text(problem: Problem) -> ToleranceText:
    """The problem's comparison rule, as ``judge.checking`` applies it."""
    tolerance = problem.tolerance
    if tolerance.rule is ToleranceRule.EXACT:
        words = "Compared bit for bit: every output element must be the reference's."
        return ToleranceText(words, None, ())
    if tolerance.rule is ToleranceRule.ELEMENTWISE:
        return _elementwise(tolerance)
    return _reduction(tolerance, [output.dtype for output in problem.outputs])


_NAN = "A NaN passes only where the reference is NaN, an infinity only where it has the same one."


def _elementwise(tolerance: Tolerance) -> ToleranceText:
    return ToleranceText(
        "Each output element may differ from the reference by a fixed amount, and by a share of "
        f"the reference's own size. {_NAN}",
        mathematics.render(
            r"|\mathrm{out} - \mathrm{ref}| \le \mathrm{atol} + \mathrm{rtol}\,|\mathrm{ref}|",
            display=True,
        ),
        (
            Where(mathematics.render(r"\mathrm{atol}"), f"{tolerance.atol:g}, the fixed amount"),
            Where(mathematics.render(r"\mathrm{rtol}"), f"{tolerance.rtol:g}, the share"),
        ),
    )


def _reduction(tolerance: Tolerance, outputs: list[DType]) -> ToleranceText:
    rounded = [dtype for dtype in dict.fromkeys(outputs) if dtype.is_floating]
    names = " or ".join(dtype.value for dtype in rounded) or "the output"
    powers = " or ".join(_power_of_two(dtype) for dtype in rounded)
    precision = tolerance.precision
    return ToleranceText(
        "Each output element may differ from the reference by the rounding error of an honest sum "
        f"of K terms in {precision.value}, added in whatever order, and by one rounding of the "
        f"result. A kernel that computes in a lower precision does not fit in. {_NAN}",
        mathematics.render(
            r"|\mathrm{out} - \mathrm{ref}| \le c \sqrt{K}\, u \cdot \mathrm{magnitude}"
            r" + u_{\mathrm{out}}\,|\mathrm{ref}|",
            display=True,
        ),
        (
            Where(mathematics.render("c"), f"{tolerance.constant:g}, calibrated for this problem"),
            Where(mathematics.render("K"), f"{tolerance.length}, the length of the reduction"),
            Where(
                mathematics.render("u"),
                f"{_power_of_two(precision)}, half a unit in the last place of {precision.value}",
            ),
            Where(mathematics.render(r"u_{\mathrm{out}}"), f"{powers}, the same of {names}"),
            Where(
                mathematics.render(r"\mathrm{magnitude}"),
                "how large the summed terms are, as the problem's reference says",
            ),
        ),
    )


def _power_of_two(dtype: DType) -> str:
    exponent = round(math.log2(dtype.unit_roundoff))
    return "2" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


@dataclass(frozen=True)
class WorkloadText:
    """A workload with what it takes: operations, bytes, and operations a byte (None: no work)."""

    workload: Workload
    inputs: str
    operations: str
    bytes: str
    intensity: float | None


def workload_text(problem: Problem, workload: Workload) -> WorkloadText:
    """Work and least traffic of ``workload``, by the problem's own expressions."""
    flops = float(evaluate(problem.flops, workload.sizes))
    moved = float(evaluate(problem.bytes, workload.sizes))
    return WorkloadText(
        workload,
        inputs_in_words(workload.distribution),
        quantity(flops, "FLOP") if flops else "none",
        quantity(moved, "B"),
        flops / moved if flops and moved else None,
    )


def quantity(value: float, unit: str) -> str:
    """``value`` with three significant digits and a decimal prefix: 412 GFLOP."""
    for factor, prefix in _PREFIXES:
        if value >= factor * (1 - 5e-4):
            return f"{_three(value / factor)} {prefix}{unit}"
    return f"{_three(value)} {unit}"


def _three(value: float) -> str:
    decimals = max(0, 2 - math.floor(math.log10(value))) if value else 0
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
