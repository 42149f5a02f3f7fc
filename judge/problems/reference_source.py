"""Reads ``reference.py`` without running it: does it define what the judge will call?

Knows Python's syntax tree, not torch; running it is ``oracle``'s.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from judge.domain import Problem, Role
from judge.problems.content import REFERENCE_FILE
from judge.problems.errors import PackageProblem, suggest

REFERENCE = "reference"
MAGNITUDE = "magnitude"
MAKE_INPUTS = "make_inputs"
BASELINE = "baseline"


def argument_names(problem: Problem) -> tuple[str, ...]:
    """What the functions that compute may take by keyword: all parameters but pure outputs."""
    return tuple(p.name for p in problem.parameters if p.role is not Role.OUT)


def function_text(source: str, name: str) -> str:
    """The text of the function ``name`` in a valid ``reference.py``, or nothing without one."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            return "\n".join(source.split("\n")[first - 1 : node.end_lineno]) + "\n"
    return ""


def check_reference(
    source: str, problem: Problem, *, needs_magnitude: bool
) -> list[PackageProblem]:
    """What is wrong with the source of a ``reference.py`` for ``problem``."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        return [_problem(error.lineno, f"not valid Python: {error.msg}")]
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    known = argument_names(problem)
    problems: list[PackageProblem] = []
    if REFERENCE not in functions:
        problems.append(
            _problem(None, f"no function; define def {REFERENCE}({', '.join(known)}) at top level")
        )
    if needs_magnitude and MAGNITUDE not in functions:
        problems.append(
            _problem(
                None,
                f'tolerance.rule = "reduction" needs def {MAGNITUDE}({", ".join(known)}): the '
                "sum of the absolute values of the terms, for each element of the output",
            )
        )
    for name in (REFERENCE, MAGNITUDE, BASELINE):
        if name in functions:
            problems += _check_keywords(functions[name], known)
    if MAKE_INPUTS in functions:
        problems += _check_make_inputs(functions[MAKE_INPUTS])
    return problems


def _check_keywords(function: ast.FunctionDef, known: Iterable[str]) -> list[PackageProblem]:
    problems: list[PackageProblem] = []
    arguments = function.args
    for argument in arguments.posonlyargs:
        problems.append(
            _problem(
                argument.lineno,
                f"{function.name}: {argument.arg} is positional-only, but arguments are passed "
                "by name; remove the /",
            )
        )
    names = list(known)
    optional = {a.arg for a in arguments.args[len(arguments.args) - len(arguments.defaults) :]}
    optional |= {
        argument.arg
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is not None
    }
    for argument in (*arguments.args, *arguments.kwonlyargs):
        if argument.arg not in names and argument.arg not in optional:
            problems.append(
                _problem(
                    argument.lineno,
                    f'{function.name}: unknown argument "{argument.arg}"'
                    f"{suggest(argument.arg, names)}",
                )
            )
    return problems


def _check_make_inputs(function: ast.FunctionDef) -> list[PackageProblem]:
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    required = len(positional) - len(arguments.defaults)
    fits = required <= 2 and (len(positional) >= 2 or arguments.vararg is not None)
    if fits and all(default is not None for default in arguments.kw_defaults):
        return []
    return [_problem(function.lineno, f"{MAKE_INPUTS} must take (case, generator)")]


def _problem(line: int | None, message: str) -> PackageProblem:
    return PackageProblem(REFERENCE_FILE, line, message)
