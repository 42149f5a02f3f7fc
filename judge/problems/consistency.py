"""What the keys of a ``problem.toml`` must agree on, once each of them is well formed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from judge.domain import (
    DeviceKind,
    DType,
    Parameter,
    Problem,
    Role,
    TestCase,
    ToleranceRule,
    Workload,
)
from judge.problems.errors import suggest
from judge.problems.expressions import (
    ExpressionError,
    evaluate,
    evaluate_extent,
    names_in,
)
from judge.problems.locator import KeyPath
from judge.problems.reader import Report

#: Fewest secret seeds, over all tests of one kind of device, that a verdict may rest on.
MIN_SEEDS = 5

_MIB = 1024 * 1024

_INTEGER_RANGES: Mapping[DType, tuple[int, int]] = {
    DType.INT8: (-(2**7), 2**7 - 1),
    DType.INT16: (-(2**15), 2**15 - 1),
    DType.INT32: (-(2**31), 2**31 - 1),
    DType.INT64: (-(2**63), 2**63 - 1),
    DType.UINT8: (0, 2**8 - 1),
    DType.UINT32: (0, 2**32 - 1),
    DType.UINT64: (0, 2**64 - 1),
}


def check_consistency(problem: Problem, report: Report) -> None:
    """Report every disagreement between the parts of ``problem``."""
    _check_unique(report, "parameters", "name", [p.name for p in problem.parameters])
    _check_unique(report, "tests", "name", [test.name for test in problem.tests])
    _check_unique(report, "workloads", "name", [workload.name for workload in problem.workloads])
    _check_unique(report, "ladder", "step", [step.step for step in problem.ladder])
    _check_parameters(problem, report)
    _check_tolerance(problem, report)
    _check_device_kinds(problem, report)
    if _check_expressions(problem, report):
        for index, test in enumerate(problem.tests):
            _check_case(problem, test, ("tests", index), report)
        for index, workload in enumerate(problem.workloads):
            path: KeyPath = ("workloads", index)
            if _check_case(problem, workload, path, report):
                _check_work(problem, workload, path, report)


def buffer_shape(parameter: Parameter, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of a buffer at ``sizes``, in elements. Raises ExpressionError."""
    return tuple(evaluate_extent(extent, sizes) for extent in parameter.shape)


def _check_unique(report: Report, table: str, key: str, names: Iterable[str]) -> None:
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        if name in first:
            report.add((table, index, key), f'"{name}" is taken by {table}[{first[name]}]')
        first.setdefault(name, index)


def _check_parameters(problem: Problem, report: Report) -> None:
    for index, parameter in enumerate(problem.parameters):
        if parameter.name == problem.entry:
            report.add(
                ("parameters", index, "name"), f'"{parameter.name}" is the entry point\'s name'
            )
    if not problem.outputs:
        report.add(
            ("parameters",), 'no output: give at least one parameter role = "out" or "inout"'
        )


def _check_tolerance(problem: Problem, report: Report) -> None:
    rule = problem.tolerance.rule
    outputs = problem.outputs
    if (
        outputs
        and rule is not ToleranceRule.EXACT
        and not any(output.dtype.is_floating for output in outputs)
    ):
        report.add(("tolerance", "rule"), 'every output is an integer; use rule = "exact"')


def _check_device_kinds(problem: Problem, report: Report) -> None:
    """A kind of device that has a test or a workload needs enough of both."""
    for kind in DeviceKind:
        tests = problem.tests_for(kind)
        workloads = problem.workloads_for(kind)
        if tests and not workloads:
            report.add(
                ("workloads",),
                f'no workload for devices of kind "{kind}", which tests name; add one, or '
                "restrict the tests' devices",
            )
        seeds = sum(test.seeds for test in tests)
        if (tests or workloads) and seeds < MIN_SEEDS:
            report.add(
                ("tests",),
                f'{seeds} seeds in all for devices of kind "{kind}", at least {MIN_SEEDS} are '
                "needed; add tests or raise their seeds",
            )


def _check_expressions(problem: Problem, report: Report) -> bool:
    """Whether every expression is well formed and uses known sizes only."""
    expressions: list[tuple[KeyPath, str]] = [
        (("parameters", index, "shape", axis), extent)
        for index, parameter in enumerate(problem.parameters)
        for axis, extent in enumerate(parameter.shape)
    ]
    expressions += [(("flops",), problem.flops), (("bytes",), problem.bytes)]
    if problem.tolerance.rule is ToleranceRule.REDUCTION:
        expressions.append((("tolerance", "length"), problem.tolerance.length))
    sound = True
    for path, expression in expressions:
        try:
            unknown = names_in(expression) - set(problem.size_names)
        except ExpressionError as error:
            report.add(path, str(error))
            sound = False
            continue
        for name in sorted(unknown):
            report.add(path, f'"{expression}": {_unknown_name(problem, name)}')
            sound = False
    return sound


def _unknown_name(problem: Problem, name: str) -> str:
    if any(p.name == name and p.role is Role.SCALAR for p in problem.parameters):
        return f'"{name}" is a scalar; only sizes may be used here'
    if not problem.size_names:
        return f'unknown size "{name}"; no parameter has role = "size"'
    return f'unknown size "{name}"{suggest(name, problem.size_names)}'


def _check_case(problem: Problem, case: TestCase | Workload, path: KeyPath, report: Report) -> bool:
    """Whether the case binds each size and scalar, and its buffers have a shape and fit."""
    before = len(report.problems)
    by_name = {p.name: p for p in problem.parameters}
    scalars = [p.name for p in problem.parameters if p.role is Role.SCALAR]
    _check_names((*path, "sizes"), case.sizes, problem.size_names, "size", report)
    _check_names((*path, "scalars"), case.scalars, scalars, "scalar", report)
    for key, values in (("sizes", case.sizes), ("scalars", case.scalars)):
        for name, value in values.items():
            if name in by_name:
                _check_value((*path, key, name), by_name[name].dtype, value, report)
    if len(report.problems) > before:
        return False
    _check_buffers(problem, case, path, report)
    return len(report.problems) == before


def _check_names(
    path: KeyPath,
    given: Mapping[str, float],
    wanted: Iterable[str],
    noun: str,
    report: Report,
) -> None:
    names = list(wanted)
    missing = [name for name in names if name not in given]
    if missing:
        report.add(path, f"missing {noun}: {', '.join(missing)}")
    for name in given:
        if name not in names:
            hint = suggest(name, names) or f"; the problem has no {noun} parameters"
            report.add((*path, name), f'unknown {noun} "{name}"{hint}')


def _check_value(path: KeyPath, dtype: DType, value: float, report: Report) -> None:
    if dtype.is_floating:
        return
    if not isinstance(value, int):
        report.add(path, f"must be an integer ({dtype}), found {value}")
        return
    low, high = _INTEGER_RANGES[dtype]
    if not low <= value <= high:
        report.add(path, f"{value} does not fit {dtype} ({low} to {high})")


def _check_buffers(
    problem: Problem, case: TestCase | Workload, path: KeyPath, report: Report
) -> None:
    total_bytes = 0
    for parameter in problem.parameters:
        if not parameter.role.is_buffer:
            continue
        try:
            shape = buffer_shape(parameter, case.sizes)
        except ExpressionError as error:
            report.add((*path, "sizes"), f"shape of {parameter.name}: {error}")
            return
        total_bytes += math.prod(shape) * parameter.dtype.itemsize
    if total_bytes > problem.limits.memory_mib * _MIB:
        report.add(
            (*path, "sizes"),
            f"the buffers take {math.ceil(total_bytes / _MIB)} MiB, limits.memory_mib allows "
            f"{problem.limits.memory_mib}; use smaller sizes or raise the limit",
        )
    if problem.tolerance.rule is ToleranceRule.REDUCTION:
        _check_at_least(
            problem.tolerance.length, 1.0, "tolerance.length", case, (*path, "sizes"), report
        )


def _check_work(problem: Problem, workload: Workload, path: KeyPath, report: Report) -> None:
    """Rates and the physical floor need work that is not negative, and bytes that are moved."""
    sizes = (*path, "sizes")
    _check_at_least(problem.flops, 0.0, "flops", workload, sizes, report)
    _check_at_least(problem.bytes, 1.0, "bytes", workload, sizes, report)


def _check_at_least(
    expression: str,
    least: float,
    what: str,
    case: TestCase | Workload,
    path: KeyPath,
    report: Report,
) -> None:
    try:
        value = evaluate(expression, case.sizes)
    except ExpressionError as error:
        report.add(path, f"{what}: {error}")
        return
    if value < least:
        report.add(path, f"{what} is {value} at these sizes, must be at least {least:g}")
