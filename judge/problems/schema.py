"""``problem.toml`` to ``domain.Problem``: the format, key by key (docs/authoring.md).

What one key may hold is decided here; what keys must agree on, in ``consistency``. Reads text,
never files.
"""

from __future__ import annotations

import keyword
import re
import tomllib
from collections.abc import Collection

from judge.domain import (
    DeviceKind,
    DType,
    LadderStep,
    Limits,
    Parameter,
    Problem,
    Role,
    TestCase,
    Tolerance,
    ToleranceRule,
    Workload,
)
from judge.problems.consistency import check_consistency
from judge.problems.distributions import Distribution
from judge.problems.errors import PackageError, PackageProblem
from judge.problems.expressions import FUNCTION_NAMES
from judge.problems.locator import key_lines
from judge.problems.reader import Report, TableReader

PROBLEM_FILE = "problem.toml"

SLUG_PATTERN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAX_SLUG_LENGTH = 64
DIFFICULTIES = ("easy", "medium", "hard")

_TAG_PATTERN = re.compile(r"[a-z0-9]+([-_+.][a-z0-9]+)*")
_IDENTIFIER_PATTERN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_MAX_NAME_LENGTH = 80
_SIZE_DTYPES = (DType.INT32, DType.INT64, DType.UINT32, DType.UINT64)
_DEVICE_KINDS = tuple(kind.value for kind in DeviceKind)

#: Words that cannot name a parameter: C++'s and CUDA's own, and the trampoline's.
_RESERVED_TEXT = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t
    char32_t class compl concept const consteval constexpr constinit const_cast continue co_await
    co_return co_yield decltype default delete do double dynamic_cast else enum explicit export
    extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
    nullptr operator or or_eq private protected public register reinterpret_cast requires return
    short signed sizeof static static_assert static_cast struct switch template this thread_local
    throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while
    xor xor_eq threadIdx blockIdx blockDim gridDim warpSize half arguments warpboard_invoke
"""
_RESERVED = frozenset(_RESERVED_TEXT.split())


def parse_problem(text: str) -> Problem:
    """The Problem that ``text`` (the content of a ``problem.toml``) describes.

    Raises PackageError with every problem found and its line.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+), column \d+\)", str(error))
        line = int(place.group(1)) if place else None
        message = f"not valid TOML: {error}"
        raise PackageError(PROBLEM_FILE, [PackageProblem(PROBLEM_FILE, line, message)]) from None
    report = Report(PROBLEM_FILE, key_lines(text))
    problem = _read_problem(TableReader(document, (), report))
    if not report.problems:
        # Cross-checks on stand-ins would only echo what is reported already.
        check_consistency(problem, report)
    if report.problems:
        raise PackageError(problem.slug or PROBLEM_FILE, report.problems)
    return problem


def is_slug(text: str) -> bool:
    """Whether ``text`` may name a problem; such a text is also a safe file name."""
    return len(text) <= MAX_SLUG_LENGTH and SLUG_PATTERN.fullmatch(text) is not None


def _read_problem(top: TableReader) -> Problem:
    problem = Problem(
        slug=_slug(top),
        title=_name(top, "title"),
        difficulty=top.text("difficulty", choices=DIFFICULTIES),
        tags=_tags(top),
        entry=_identifier(top, "entry", default="solve"),
        parameters=tuple(_parameter(t) for t in top.tables("parameters", required=True)),
        tolerance=_tolerance(top.table("tolerance", "a [tolerance] table")),
        limits=_limits(top),
        tests=tuple(_test(t) for t in top.tables("tests", required=True)),
        workloads=tuple(_workload(t) for t in top.tables("workloads", required=True)),
        flops=top.text("flops"),
        bytes=top.text("bytes"),
        ladder=tuple(_ladder_step(t) for t in top.tables("ladder", required=False)),
    )
    top.finish()
    return problem


def _slug(top: TableReader) -> str:
    slug = top.text("slug")
    if slug and not is_slug(slug):
        top.report(
            "slug",
            f'"{slug}" must be lower-case letters and digits in words joined by "-", '
            f"at most {MAX_SLUG_LENGTH} characters",
        )
    return slug


def _name(table: TableReader, key: str) -> str:
    name = table.text(key)
    if table.has(key) and (not name.strip() or not name.isprintable()):
        table.report(key, "must be one line of printable text")
    if len(name) > _MAX_NAME_LENGTH:
        table.report(key, f"has {len(name)} characters, at most {_MAX_NAME_LENGTH} are allowed")
    return name


def _tags(top: TableReader) -> tuple[str, ...]:
    tags = top.texts("tags", default=())
    for tag in tags:
        if not _TAG_PATTERN.fullmatch(tag):
            top.report("tags", f'"{tag}" must be lower-case letters and digits joined by - _ + .')
    return tags


def _identifier(table: TableReader, key: str, default: str | None = None) -> str:
    name = table.text(key, default)
    if not name:
        return name
    if not _IDENTIFIER_PATTERN.fullmatch(name):
        table.report(key, f'"{name}" is not a C identifier (letters, digits, _; a letter first)')
    elif name in _RESERVED or keyword.iskeyword(name) or name in FUNCTION_NAMES:
        table.report(key, f'"{name}" is a reserved word of C++, CUDA, Python or expressions')
    return name


def _dtype(
    table: TableReader,
    key: str,
    default: DType | None = None,
    allowed: Collection[DType] = tuple(DType),
) -> DType:
    text = table.text(key, default, choices=[dtype.value for dtype in allowed])
    return DType(text) if text in frozenset(DType) else DType.FLOAT32


def _parameter(table: TableReader) -> Parameter:
    name = _identifier(table, "name")
    role_text = table.text("role", choices=[role.value for role in Role])
    role = Role(role_text) if role_text in frozenset(Role) else Role.IN
    if role is Role.SIZE:
        dtype = _dtype(table, "dtype", DType.INT32, _SIZE_DTYPES)
    else:
        dtype = _dtype(table, "dtype")
    if role.is_buffer:
        shape = table.texts("shape", integers=True)
        if table.has("shape") and not shape:
            table.report("shape", 'expected at least one extent; a single value is shape = ["1"]')
    else:
        shape = table.texts("shape", default=())
        if shape:
            table.report("shape", f"a {role} is passed by value and has no shape; remove it")
    table.finish()
    return Parameter(name=name, dtype=dtype, role=role, shape=shape)


def _tolerance(table: TableReader) -> Tolerance:
    rules = [rule.value for rule in ToleranceRule]
    rule_text = table.text("rule", choices=rules)
    if rule_text not in rules:
        return Tolerance(ToleranceRule.EXACT)
    rule = ToleranceRule(rule_text)
    match rule:
        case ToleranceRule.EXACT:
            tolerance = Tolerance(rule)
        case ToleranceRule.ELEMENTWISE:
            tolerance = Tolerance(rule, rtol=table.number("rtol"), atol=table.number("atol"))
            if table.has("rtol") and table.has("atol") and tolerance.rtol == tolerance.atol == 0:
                table.report("rule", 'rtol and atol are both 0; say rule = "exact" instead')
        case ToleranceRule.REDUCTION:
            tolerance = Tolerance(
                rule,
                length=table.text("length"),
                constant=table.number("constant", positive=True),
                precision=_dtype(
                    table, "precision", allowed=[dtype for dtype in DType if dtype.is_floating]
                ),
            )
    table.finish()
    return tolerance


def _limits(top: TableReader) -> Limits:
    defaults = Limits()
    if not top.has("limits"):
        top.tables("limits", required=False)  # a known key, even where it is absent
        return defaults
    table = top.table("limits", "a [limits] table")
    limits = Limits(
        call_seconds=table.number("call_seconds", defaults.call_seconds, positive=True),
        compile_seconds=table.number("compile_seconds", defaults.compile_seconds, positive=True),
        memory_mib=table.integer("memory_mib", defaults.memory_mib, least=1),
    )
    table.finish()
    return limits


def _devices(table: TableReader) -> frozenset[DeviceKind]:
    texts = table.texts("devices", default=_DEVICE_KINDS)
    if table.has("devices") and not texts:
        table.report("devices", f"expected some of: {', '.join(_DEVICE_KINDS)}")
    for text in texts:
        if text not in _DEVICE_KINDS:
            table.report(
                "devices", f'"{text}" is no kind of device; expected {", ".join(_DEVICE_KINDS)}'
            )
    return frozenset(DeviceKind(text) for text in texts if text in _DEVICE_KINDS)


def _sizes(table: TableReader) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for name, value in table.numbers("sizes").items():
        if isinstance(value, int) and value >= 1:
            sizes[name] = value
        else:
            table.report("sizes", f"{name} must be an integer of at least 1, found {value}")
    return sizes


def _distribution(table: TableReader) -> str:
    return table.text(
        "distribution", Distribution.NORMAL.value, choices=[name.value for name in Distribution]
    )


def _test(table: TableReader) -> TestCase:
    test = TestCase(
        name=_name(table, "name"),
        sizes=_sizes(table),
        distribution=_distribution(table),
        seeds=table.integer("seeds", 1, least=1, most=100),
        hidden=table.boolean("hidden", default=False),
        scalars=table.numbers("scalars"),
        devices=_devices(table),
    )
    table.finish()
    return test


def _workload(table: TableReader) -> Workload:
    workload = Workload(
        name=_name(table, "name"),
        sizes=_sizes(table),
        distribution=_distribution(table),
        scalars=table.numbers("scalars"),
        devices=_devices(table),
    )
    table.finish()
    return workload


def _ladder_step(table: TableReader) -> LadderStep:
    step = _name(table, "step")
    published_ms = table.number("published_ms", 0.0) if table.has("published_ms") else None
    device = table.text("published_device", "")
    if published_ms is None:
        table.number("published_ms", 0.0)  # a known key, even where it is absent
    elif published_ms <= 0:
        table.report("published_ms", f"expected a positive number, found {published_ms}")
    elif not device:
        table.report("published_ms", "needs published_device: on what was it measured?")
    table.finish()
    return LadderStep(step=step, published_ms=published_ms, published_device=device)
