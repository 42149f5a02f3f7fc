"""Makes sense of what compilers print: gcc, nvcc's front ends, ptxas and the linkers.

Text comes in as the tool wrote it, from a sandbox; it leaves as the user should read it, about the
user's own file by its own name, within bounds, with the messages picked out. What to do about them
is said by ``explain``. Nothing here runs a compiler.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from judge.domain import Diagnostic

#: What a user's file is called in every message.
SUBMISSION_NAME = "submission.cu"
#: Where compilers see it.
SUBMISSION_INSIDE = PurePosixPath("/submission", SUBMISSION_NAME)

KEPT_BYTES = 64 * 1024
_MAX_DIAGNOSTICS = 200
_MAX_MESSAGE = 2000

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
# C0 and C1, and what changes the direction of writing: a quoted source must not redraw its reader's
# terminal, nor seem to say another thing than it does.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_TEMPORARY = re.compile(r"(?:/tmp/)?\btmpxft_\w+-\d+_")

# A source can print lines of its own making (`static_assert`, `#pragma message`): what looks like a
# message may hold anything, such as a number of a thousand digits.

# file.cu:3:14: error: text        file.cu(3): error #20-D: text        file.cu(3): warning: text
_GCC = re.compile(
    r"(?P<file>[^\s:()][^:()]*):(?P<line>\d{1,9}):(?:(?P<column>\d{1,9}):)? "
    r"(?P<severity>fatal error|error|warning|note): (?P<text>.*)"
)
_EDG = re.compile(
    r"(?P<file>[^\s()][^()]*)\((?P<line>\d{1,9})\): "
    r"(?P<severity>catastrophic error|internal error|error|warning|remark)"
    r"(?: (?P<number>#[\w-]+))?: (?P<text>.*)"
)
# nvcc fatal   : text      ptxas /tmp/x.ptx, line 29; error   : text      nvlink error   : text
_TOOL = re.compile(
    r"(?P<tool>nvcc|ptxas|nvlink|cicc|fatbinary)(?: [^;]*;)? ?"
    r"(?P<severity>fatal|error|warning)\s*: (?P<text>.*)"
)
# /tmp/ccD0JeUe.s:4: Error: text
_ASSEMBLER = re.compile(r"\S+\.s:\d+: (?P<severity>Error|Warning): (?P<text>.*)")
_UNDEFINED = re.compile(
    r"undefined (?:reference to|symbol:?) (?:[`'\"](?P<quoted>[^`'\"]+)['\"]|(?P<bare>[^`'\"\s]+))"
)
_LINKER = re.compile(r"(?:\S*/)?(?:ld|collect2)(?:\.\w+)?: (?:error: )?(?P<text>.*)")
_PTXAS_INFO = re.compile(r"ptxas info\s*:|    \d+ bytes stack frame,")
_ATTRIBUTE = re.compile(r"__attribute__\(\((global|device|shared|host|constant)\)\)")

_SEVERITIES = {
    "fatal error": "error",
    "catastrophic error": "error",
    "internal error": "error",
    "fatal": "error",
    "remark": "note",
}


@dataclass(frozen=True)
class CompilerText:
    """Compiler output ready to be shown: at most 64 KiB of UTF-8, and what was left out."""

    output: str
    dropped_bytes: int
    diagnostics: tuple[Diagnostic, ...]

    @property
    def has_undefined_symbol(self) -> bool:
        """Whether the linker found something used but defined nowhere."""
        return any(_undefined_symbol(error.message) is not None for error in self.errors)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.severity == "error")


def read(raw: bytes, total_bytes: int | None = None) -> CompilerText:
    """Clean and parse ``raw``, of which ``total_bytes`` were written before the sandbox's cut.

    ptxas's report is left out (judge.compiler.ptxas reads it); so are escape sequences and control
    characters, and the places where a sandbox puts files.
    """
    lost = max(0, (total_bytes or 0) - len(raw))
    text = _CONTROL.sub("", _ANSI.sub("", raw.decode("utf-8", errors="replace")))
    text = text.replace(str(SUBMISSION_INSIDE), SUBMISSION_NAME)
    text = _TEMPORARY.sub("", text)
    lines = [line for line in text.split("\n") if not _PTXAS_INFO.match(line)]
    lines = _restore_qualifiers(lines)
    output = "\n".join(lines).strip("\n")
    encoded = output.encode()
    if len(encoded) > KEPT_BYTES:
        lost += len(encoded) - KEPT_BYTES
        output = encoded[:KEPT_BYTES].decode(errors="ignore")
    found = tuple(d for _, d in zip(range(_MAX_DIAGNOSTICS), _diagnostics(lines), strict=False))
    return CompilerText(output, lost, found)


def explain(text: CompilerText, source: str, entry: str, signature: str) -> str:
    """One sentence for the user: what is wrong and what to do, from the errors found.

    ``signature`` is the entry point's declaration as a person would write it. For a failure with
    no message at all it says that much.
    """
    for error in text.errors:
        known = _explain_one(error, source, entry, signature)
        if known is not None:
            return known
    if not text.errors:
        last = text.output.rpartition("\n")[2].strip()
        return f"the compiler failed without an error message{f': {last}' if last else ''}"
    first = text.errors[0]
    where = f"line {first.line}: " if first.line is not None else ""
    more = len(text.errors) - 1
    count = f" (and {more} more error{'s' if more > 1 else ''})" if more else ""
    return f"{where}{first.message}{count}"


def _explain_one(error: Diagnostic, source: str, entry: str, signature: str) -> str | None:
    message = error.message
    expected = f'expected `extern "C" {signature}`'
    undefined = _undefined_symbol(message)
    name = re.escape(entry)
    if undefined is not None and re.fullmatch(rf"{name}(\(.*)?", undefined):
        if re.search(rf"\b{name}\s*\(", source):
            return f"wrong signature of {entry}: {expected}"
        return f"no function named {entry}: {expected}"
    if undefined is not None:
        return (
            f"{undefined} is declared or used but defined nowhere "
            f"(a submission is one file, linked with the CUDA runtime alone)"
        )
    if _conflicts(message, name):
        where = f"line {error.line}: " if error.line is not None else ""
        return f"{where}wrong signature of {entry}: {expected}"
    missing = re.search(r"(?:^|: )(\S+): No such file or directory", message) or re.search(
        r"cannot open source file \"([^\"]+)\"", message
    )
    if missing is not None:
        where = f"line {error.line}: " if error.line is not None else ""
        return (
            f"{where}header {missing[1]} not found: a submission may include the CUDA toolkit's "
            f"and the C++ standard library's headers only"
        )
    return None


def _conflicts(message: str, name: str) -> bool:
    """Whether a message says that ``name`` (a pattern) is declared differently elsewhere."""
    return bool(
        # nvcc's front ends
        re.search(rf'overloaded function "{name}\b[^"]*" has "C" linkage', message)
        or re.search(rf'declaration is incompatible with .*"?\b{name}\b', message)
        or re.search(rf'linkage specification is incompatible with previous "{name}\b', message)
        # EDG names no function here; only the prototype declares any before the user does
        or "cannot overload functions distinguished by return type alone" in message
        # gcc
        or re.search(rf"conflicting declaration of C function .*\b{name}\(", message)
        or re.search(rf"ambiguating new declaration of .*\b{name}\(", message)
        or re.search(rf"conflicting declaration .*\b{name}\b", message)
    )


def _restore_qualifiers(lines: Sequence[str]) -> list[str]:
    """Show ``__global__`` where nvcc quotes what its headers made of it, and move the caret."""
    restored: list[str] = []
    shifts: list[tuple[int, int]] = []
    for line in lines:
        caret = line.find("^")
        if shifts and caret >= 0 and not line.strip(" ^~"):
            restored.append(" " * (caret - sum(cut for at, cut in shifts if at < caret)) + "^")
            shifts = []
            continue
        shifts = [
            (match.start(), len(match[0]) - len(f"__{match[1]}__"))
            for match in _ATTRIBUTE.finditer(line)
        ]
        restored.append(_ATTRIBUTE.sub(r"__\1__", line))
    return restored


def _diagnostics(lines: Sequence[str]) -> Iterator[Diagnostic]:
    undefined: set[str] = set()
    for number, line in enumerate(lines):
        match = _GCC.match(line) or _EDG.match(line)
        if match is not None:
            in_submission = PurePosixPath(match["file"]).name == SUBMISSION_NAME
            column = _column(match, lines[number + 1 : number + 3])
            yield _diagnostic(
                match["severity"],
                match["text"] if in_submission else f"{match['file']}: {match['text']}",
                int(match["line"]) if in_submission else None,
                column if in_submission else None,
            )
            continue
        symbol = _undefined_symbol(line)
        if symbol is not None:
            if symbol not in undefined:
                undefined.add(symbol)
                yield _diagnostic("error", f'undefined reference to "{symbol}"')
            continue
        match = _TOOL.match(line)
        if match is not None:
            yield _diagnostic(match["severity"], f"{match['tool']}: {match['text']}")
            continue
        match = _ASSEMBLER.match(line)
        if match is not None:
            yield _diagnostic(match["severity"].lower(), f"assembler: {match['text']}")
            continue
        match = _LINKER.match(line)
        if match is not None and not match["text"].endswith(":") and not undefined:
            yield _diagnostic("error", f"linker: {match['text']}")


def _undefined_symbol(text: str) -> str | None:
    match = _UNDEFINED.search(text)
    return (match["quoted"] or match["bare"]) if match is not None else None


def _column(match: re.Match[str], following: Sequence[str]) -> int | None:
    """The column, counted from 1: gcc prints it, nvcc draws a caret under an indented quotation."""
    if "column" in match.re.groupindex:
        return int(match["column"]) if match["column"] else None
    if len(following) == 2 and following[0].startswith("  ") and following[1].strip() == "^":
        return following[1].index("^") - 1
    return None


def _diagnostic(
    severity: str, message: str, line: int | None = None, column: int | None = None
) -> Diagnostic:
    return Diagnostic(_SEVERITIES.get(severity, severity), message[:_MAX_MESSAGE], line, column)
