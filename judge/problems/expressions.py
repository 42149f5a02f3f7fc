"""Arithmetic over a problem's sizes: shapes, lengths, flops and bytes.

Expressions come from package authors, so they are walked as a syntax tree, never handed to
``eval``, and every step is bounded: nothing here can take noticeable time or memory.
"""

from __future__ import annotations

import ast
import functools
import math
import operator
from collections.abc import Callable, Mapping

MAX_LENGTH = 500
MAX_NODES = 200
MAX_BITS = 256

Number = int | float


class ExpressionError(ValueError):
    """The expression is malformed, uses an unknown name, or has no finite value."""

    def __init__(self, expression: str, reason: str) -> None:
        shown = expression if len(expression) <= 80 else expression[:77] + "..."
        super().__init__(f'"{shown}": {reason}')
        self.expression = expression
        self.reason = reason


def _power(base: Number, exponent: Number) -> Number:
    if isinstance(base, int) and isinstance(exponent, int) and exponent >= 0:
        if base.bit_length() * exponent > MAX_BITS:
            raise OverflowError
        return int(base**exponent)
    value = float(base) ** float(exponent)
    if isinstance(value, complex):
        raise ValueError("a negative number to a fractional power")
    return float(value)


_BINARY: Mapping[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}

_UNARY: Mapping[type[ast.unaryop], Callable[[Number], Number]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}

#: Functions by name, with the least and the most arguments they take.
_FUNCTIONS: Mapping[str, tuple[Callable[..., Number], int, int]] = {
    "ceil": (math.ceil, 1, 1),
    "floor": (math.floor, 1, 1),
    "log2": (math.log2, 1, 1),
    "sqrt": (math.sqrt, 1, 1),
    "max": (max, 2, 16),
    "min": (min, 2, 16),
}

FUNCTION_NAMES = frozenset(_FUNCTIONS)


def evaluate(expression: str, names: Mapping[str, int]) -> int | float:
    """The value of ``expression`` with ``names`` bound.

    Numbers, names, ``+ - * / // % **``, parentheses and ``ceil floor min max log2 sqrt``.
    Integers stay exact; ``/``, ``log2`` and ``sqrt`` give floats. Raises ExpressionError.
    """
    tree = _parse(expression)
    try:
        return _value(tree, names, expression)
    except ZeroDivisionError:
        raise ExpressionError(expression, "divides by zero") from None
    except OverflowError:
        raise ExpressionError(expression, "has a value too large to use") from None
    except ValueError as error:
        if isinstance(error, ExpressionError):
            raise
        raise ExpressionError(expression, f"has no value here ({error})") from None


def evaluate_extent(expression: str, names: Mapping[str, int]) -> int:
    """``evaluate`` for one extent of a shape: a positive integer, or ExpressionError."""
    value = evaluate(expression, names)
    if not isinstance(value, int):
        raise ExpressionError(
            expression, f"is {value}, not an integer; use // or ceil() instead of /"
        )
    if value < 1:
        raise ExpressionError(expression, f"is {value}; an extent must be at least 1")
    return value


def names_in(expression: str) -> frozenset[str]:
    """The names that ``expression`` uses, functions left out. Raises ExpressionError if malformed.

    An expression that this accepts fails in ``evaluate`` only by the values bound to its names.
    """
    tree = _parse(expression)
    _validate(tree, expression)
    functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return frozenset(
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and id(node) not in functions
    )


@functools.lru_cache(maxsize=1024)
def _parse(expression: str) -> ast.expr:
    if len(expression) > MAX_LENGTH:
        raise ExpressionError(expression, f"is longer than {MAX_LENGTH} characters")
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        raise ExpressionError(expression, f"is not an arithmetic expression ({reason})") from None
    if sum(1 for _ in ast.walk(tree)) > MAX_NODES:
        raise ExpressionError(expression, f"has more than {MAX_NODES} parts")
    return tree


def _validate(node: ast.expr, expression: str) -> None:
    """Refuse every construct that ``_value`` would, without needing values."""
    match node:
        case ast.Constant(value=value) if type(value) in (int, float):
            if isinstance(value, int) and value.bit_length() > MAX_BITS:
                raise ExpressionError(expression, "holds a number too large to use")
        case ast.Name():
            pass
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            _validate(left, expression)
            _validate(right, expression)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            _validate(operand, expression)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            _, least, most = _FUNCTIONS[name]
            if not least <= len(arguments) <= most:
                wanted = str(least) if least == most else f"{least} to {most}"
                raise ExpressionError(
                    expression,
                    f"{name}() takes {wanted} argument{'' if most == 1 else 's'}, "
                    f"{len(arguments)} given",
                )
            for argument in arguments:
                _validate(argument, expression)
        case ast.Call():
            raise ExpressionError(
                expression,
                f"calls {ast.unparse(node.func)}(); the functions are {', '.join(_FUNCTIONS)}",
            )
        case _:
            raise ExpressionError(
                expression,
                f'"{ast.unparse(node)}" is not allowed; use numbers, sizes, + - * / // % ** and '
                f"{', '.join(_FUNCTIONS)}",
            )


def _value(node: ast.expr, names: Mapping[str, int], expression: str) -> Number:
    _validate(node, expression)
    return _bounded(_raw_value(node, names, expression), expression)


def _raw_value(node: ast.expr, names: Mapping[str, int], expression: str) -> Number:
    match node:
        case ast.Name(id=name):
            if name not in names:
                raise ExpressionError(
                    expression, f'unknown name "{name}"; known: {", ".join(names) or "none"}'
                )
            return names[name]
        case ast.BinOp(left=left, op=op, right=right):
            first = _raw_value(left, names, expression)
            second = _raw_value(right, names, expression)
            return _bounded(_BINARY[type(op)](first, second), expression)
        case ast.UnaryOp(op=op, operand=operand):
            return _UNARY[type(op)](_raw_value(operand, names, expression))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            function = _FUNCTIONS[name][0]
            return function(*(_raw_value(argument, names, expression) for argument in arguments))
        case ast.Constant(value=int() | float() as value):
            return value
    raise AssertionError(f"_validate let {ast.dump(node)} pass")


def _bounded(value: Number, expression: str) -> Number:
    if isinstance(value, int):
        if value.bit_length() > MAX_BITS:
            raise OverflowError
    elif not math.isfinite(value):
        raise ExpressionError(expression, f"is {value}")
    return value
