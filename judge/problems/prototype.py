"""The entry point of a problem in C++: its signature, and the header forced before a submission.

The header is the same for nvcc and for g++ on the emulated device (whose shim comes before it).
"""

from __future__ import annotations

import bisect
import re

from judge.domain import DType, Parameter, Problem, Role

#: Accepted in place of the entry point's own name, as other boards use it.
ENTRY_ALIAS = "solution"

#: What a runner looks up and calls: ``void warpboard_invoke(void* const* arguments)``.
INVOKE_SYMBOL = "warpboard_invoke"

_HEADERS_OF_TYPES = (
    (DType.FLOAT16, "cuda_fp16.h"),
    (DType.BFLOAT16, "cuda_bf16.h"),
    (DType.UINT64, "cstddef"),
)

#: Comments, string, character and raw string literals, in the order a lexer would try them.
_NOT_CODE = re.compile(
    r"""
      //(?:[^\\\n]|\\(?:\r?\n|.|\Z))*
    | /\*.*?(?:\*/|\Z)
    | \bR"(?P<fence>[^()\\\s]{0,16})\(.*?(?:\)(?P=fence)"|\Z)
    | "(?:[^"\\\n]|\\.)*(?:"|$)
    | (?<![0-9A-Fa-f])'(?:[^'\\\n]|\\.)*'
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)

#: What follows the parameter list of a definition.
_BODY = re.compile(r"\s*(?:noexcept\s*)?\{")


def signature(problem: Problem, entry: str | None = None) -> str:
    """The entry point's declaration as a person would write it, without ``extern "C"``."""
    parameters = ", ".join(f"{_c_type(p)} {p.name}" for p in problem.parameters)
    return f"void {entry or problem.entry}({parameters})"


def header(problem: Problem, entry: str) -> str:
    """The text force-included before a submission that defines ``entry``.

    Declares the entry point with C linkage, so that another signature is a compile error, and
    defines the trampoline: ``arguments[i]`` points at parameter i's value, which is a device
    pointer (``void*``) for a buffer and the parameter's own C type for a size or a scalar. Under
    nvcc it also defines ``warpboard_pending_error``, which returns and clears the error pending
    in the submission's CUDA runtime (a cudaError_t).
    """
    used = {parameter.dtype for parameter in problem.parameters}
    includes = [f"#include <{name}>" for dtype, name in _HEADERS_OF_TYPES if dtype in used]
    arguments = ",\n".join(
        f"        {_argument(parameter, index)}"
        for index, parameter in enumerate(problem.parameters)
    )
    lines = [
        "#pragma once",
        *includes,
        f'extern "C" {signature(problem, entry)};',
        'extern "C" __attribute__((visibility("default")))',
        f"void {INVOKE_SYMBOL}(void* const* arguments) {{",
        f"    {entry}(",
        f"{arguments});",
        "}",
        # A refused launch is known only to the CUDA runtime that the library itself is linked to.
        "#ifdef __CUDACC__",
        'extern "C" __attribute__((visibility("default"))) int warpboard_pending_error() {',
        "    return static_cast<int>(cudaGetLastError());",
        "}",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def entry_names(problem: Problem) -> tuple[str, ...]:
    """Names that a submission may give its entry point, the problem's own first."""
    return tuple(dict.fromkeys((problem.entry, ENTRY_ALIAS)))


def detect_entry(source: str, problem: Problem) -> str:
    """Which entry point ``source`` defines: the problem's own, or the alias if only that.

    With neither, the problem's own name, so that the compiler says what is missing.
    """
    for name in entry_names(problem):
        if defines(source, name):
            return name
    return problem.entry


def defines(source: str, name: str) -> bool:
    """Whether ``source`` defines a host function ``name`` (comments and strings set aside).

    Takes time linear in the source, which may be hostile.
    """
    code = blank_non_code(source)
    closing = _closing_parentheses(code)
    boundaries = [match.start() for match in re.finditer(r"[;{}]", code)]
    for match in re.finditer(rf"(?<![\w.:>~]){re.escape(name)}\s*\(", code):
        end = closing.get(match.end() - 1)
        if end is None or not _BODY.match(code, end + 1):
            continue
        before = bisect.bisect_left(boundaries, match.start())
        start = boundaries[before - 1] + 1 if before else 0
        if "__global__" not in code[start : match.start()]:
            return True
    return False


def blank_non_code(source: str) -> str:
    """``source`` with comments and literals replaced by blanks; every line stays where it was."""
    return _NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), source)


def _closing_parentheses(code: str) -> dict[int, int]:
    """The position of each parenthesis that closes one, by the position of that one."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    for match in re.finditer(r"[()]", code):
        if match.group() == "(":
            opened.append(match.start())
        elif opened:
            closing[opened.pop()] = match.start()
    return closing


def _c_type(parameter: Parameter) -> str:
    c_type = parameter.dtype.c_type
    if parameter.role is Role.IN:
        return f"const {c_type}*"
    return f"{c_type}*" if parameter.role.is_buffer else c_type


def _argument(parameter: Parameter, index: int) -> str:
    if parameter.role.is_buffer:
        # Read as the void* that it is, then converted: no type punning for an optimiser to use.
        return f"static_cast<{_c_type(parameter)}>(*static_cast<void* const*>(arguments[{index}]))"
    return f"*static_cast<const {_c_type(parameter)}*>(arguments[{index}])"
