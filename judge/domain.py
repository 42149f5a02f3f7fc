"""The nouns of Warpboard as immutable values; one word for one thing, here and everywhere.

Standard library only: the site, the worker and the command line all import this module, so it
must not know how anything is compiled, run, stored or shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Status(StrEnum):
    """Where a Run is. What it concluded is its Verdict, never its Status."""

    QUEUED = "queued"
    COMPILING = "compiling"
    CHECKING = "checking"
    TIMING = "timing"
    DONE = "done"


#: Every transition a Run may make. A lease that runs out sends any unfinished Run back to QUEUED.
ALLOWED_TRANSITIONS: Mapping[Status, frozenset[Status]] = {
    Status.QUEUED: frozenset({Status.COMPILING, Status.DONE}),
    Status.COMPILING: frozenset({Status.CHECKING, Status.DONE, Status.QUEUED}),
    Status.CHECKING: frozenset({Status.TIMING, Status.DONE, Status.QUEUED}),
    Status.TIMING: frozenset({Status.DONE, Status.QUEUED}),
    Status.DONE: frozenset(),
}


class Verdict(StrEnum):
    """What a Run concluded."""

    AC = "AC"
    WA = "WA"
    CE = "CE"
    RTE = "RTE"
    TLE = "TLE"
    MLE = "MLE"
    OLE = "OLE"
    TNC = "TNC"
    UNS = "UNS"
    AB = "AB"
    JE = "JE"

    @property
    def phrase(self) -> str:
        """The verdict in words, as pages and the command line show it beside the mark."""
        return _VERDICT_PHRASES[self]


_VERDICT_PHRASES: Mapping[Verdict, str] = {
    Verdict.AC: "accepted",
    Verdict.WA: "wrong answer",
    Verdict.CE: "compile error",
    Verdict.RTE: "runtime error",
    Verdict.TLE: "time limit exceeded",
    Verdict.MLE: "memory limit exceeded",
    Verdict.OLE: "output limit exceeded",
    Verdict.TNC: "timing not credible",
    Verdict.UNS: "not supported by this device",
    Verdict.AB: "aborted by its owner",
    Verdict.JE: "judge error",
}


class DType(StrEnum):
    """Element types a problem may use. Names are torch's."""

    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"
    FLOAT32 = "float32"
    FLOAT64 = "float64"
    INT8 = "int8"
    INT16 = "int16"
    INT32 = "int32"
    INT64 = "int64"
    UINT8 = "uint8"
    UINT32 = "uint32"
    UINT64 = "uint64"

    @property
    def c_type(self) -> str:
        """The C++ type a submission sees, with CUDA's headers included."""
        return _C_TYPES[self]

    @property
    def itemsize(self) -> int:
        """Bytes an element takes."""
        return _ITEM_SIZES[self]

    @property
    def is_floating(self) -> bool:
        return self in _UNIT_ROUNDOFF

    @property
    def unit_roundoff(self) -> float:
        """u = 2**-p of a floating type with p significand bits (Higham, 2002, section 2.1)."""
        return _UNIT_ROUNDOFF[self]


_C_TYPES: Mapping[DType, str] = {
    DType.FLOAT16: "__half",
    DType.BFLOAT16: "__nv_bfloat16",
    DType.FLOAT32: "float",
    DType.FLOAT64: "double",
    DType.INT8: "signed char",
    DType.INT16: "short",
    DType.INT32: "int",
    DType.INT64: "long long",
    DType.UINT8: "unsigned char",
    DType.UINT32: "unsigned int",
    DType.UINT64: "size_t",
}

_ITEM_SIZES: Mapping[DType, int] = {
    DType.FLOAT16: 2,
    DType.BFLOAT16: 2,
    DType.FLOAT32: 4,
    DType.FLOAT64: 8,
    DType.INT8: 1,
    DType.INT16: 2,
    DType.INT32: 4,
    DType.INT64: 8,
    DType.UINT8: 1,
    DType.UINT32: 4,
    DType.UINT64: 8,
}

_UNIT_ROUNDOFF: Mapping[DType, float] = {
    DType.BFLOAT16: 2.0**-8,
    DType.FLOAT16: 2.0**-11,
    DType.FLOAT32: 2.0**-24,
    DType.FLOAT64: 2.0**-53,
}


class Role(StrEnum):
    """What a parameter of the entry point is for."""

    IN = "in"
    OUT = "out"
    INOUT = "inout"
    SIZE = "size"
    SCALAR = "scalar"

    @property
    def is_buffer(self) -> bool:
        return self in (Role.IN, Role.OUT, Role.INOUT)


class DeviceKind(StrEnum):
    """How a device runs a submission; a Device (``h200``, ``emulated``) is of one kind."""

    CUDA = "cuda"
    EMULATED = "emulated"


#: The board of the emulated device, and the only Device of its kind.
EMULATED_DEVICE = "emulated"
#: Instead of a device's name: the best that a machine has.
AUTO = "auto"


@dataclass(frozen=True)
class Parameter:
    """One parameter of the entry point, in C order.

    ``shape`` holds one expression of the size parameters per axis (row-major, contiguous); it is
    empty for sizes and scalars, which are passed by value.
    """

    name: str
    dtype: DType
    role: Role
    shape: tuple[str, ...] = ()


class ToleranceRule(StrEnum):
    """How far an output may be from the oracle."""

    #: ``|out - ref| <= atol + rtol * |ref|``
    ELEMENTWISE = "elementwise"
    #: ``|out - ref| <= c * sqrt(K) * u * magnitude + u_out * |ref|``, K the reduction's length
    REDUCTION = "reduction"
    #: bit for bit (data movement, integers)
    EXACT = "exact"


@dataclass(frozen=True)
class Tolerance:
    """The comparison rule of a problem; fields of other rules than ``rule`` stay at zero.

    ``length`` is an expression of the sizes (K of the reduction), ``constant`` is c, and
    ``precision`` the type whose unit roundoff u the bound uses: the one honest kernels compute in.
    """

    rule: ToleranceRule
    rtol: float = 0.0
    atol: float = 0.0
    length: str = "1"
    constant: float = 0.0
    precision: DType = DType.FLOAT32


@dataclass(frozen=True)
class Limits:
    """What one Run of a problem may use."""

    call_seconds: float = 10.0
    compile_seconds: float = 60.0
    memory_mib: int = 4096


@dataclass(frozen=True)
class TestCase:
    """One correctness input. ``seeds`` secret seeds are drawn for it in every Run."""

    __test__ = False  # not a pytest class

    name: str
    sizes: Mapping[str, int]
    distribution: str = "normal"
    seeds: int = 1
    hidden: bool = False
    scalars: Mapping[str, float] = field(default_factory=dict)
    devices: frozenset[DeviceKind] = frozenset(DeviceKind)


@dataclass(frozen=True)
class Workload:
    """One timed input shape, on the kinds of device named."""

    name: str
    sizes: Mapping[str, int]
    distribution: str = "normal"
    scalars: Mapping[str, float] = field(default_factory=dict)
    devices: frozenset[DeviceKind] = frozenset(DeviceKind)


@dataclass(frozen=True)
class LadderStep:
    """A step of the worklog as published elsewhere; shown beside our figures, never mixed in."""

    step: str
    published_ms: float | None = None
    published_device: str = ""


@dataclass(frozen=True)
class Problem:
    """A task: entry point, oracle, tests, workloads and limits. See docs for the package format."""

    slug: str
    title: str
    difficulty: str
    tags: tuple[str, ...]
    entry: str
    parameters: tuple[Parameter, ...]
    tolerance: Tolerance
    limits: Limits
    tests: tuple[TestCase, ...]
    workloads: tuple[Workload, ...]
    flops: str
    bytes: str
    ladder: tuple[LadderStep, ...] = ()

    @property
    def size_names(self) -> tuple[str, ...]:
        return tuple(p.name for p in self.parameters if p.role is Role.SIZE)

    @property
    def inputs(self) -> tuple[Parameter, ...]:
        return tuple(p for p in self.parameters if p.role in (Role.IN, Role.INOUT))

    @property
    def outputs(self) -> tuple[Parameter, ...]:
        return tuple(p for p in self.parameters if p.role in (Role.OUT, Role.INOUT))

    def tests_for(self, kind: DeviceKind) -> tuple[TestCase, ...]:
        return tuple(t for t in self.tests if kind in t.devices)

    def workloads_for(self, kind: DeviceKind) -> tuple[Workload, ...]:
        return tuple(w for w in self.workloads if kind in w.devices)


@dataclass(frozen=True)
class Diagnostic:
    """One message of a compiler, at a place of the user's own file when ``line`` is not None."""

    severity: str
    message: str
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True)
class KernelResources:
    """What ptxas says one kernel takes: registers a thread, bytes of shared memory, spills."""

    kernel: str
    registers: int
    shared_bytes: int
    spill_store_bytes: int
    spill_load_bytes: int


@dataclass(frozen=True)
class Listing:
    """A submission's device code as the compiler made it: ``kind`` is ``ptx`` or ``sass``.

    ``text`` is cut to its first LISTING_BYTES; ``dropped_bytes`` counts the rest.
    """

    kind: str
    text: str
    dropped_bytes: int = 0


#: How much of a listing is kept, in bytes.
LISTING_BYTES = 256 * 1024


@dataclass(frozen=True)
class Mismatch:
    """The first element of ``output`` outside its bound (row-major order)."""

    output: str
    index: tuple[int, ...]
    expected: float
    got: float
    bound: float
    wrong_elements: int
    total_elements: int


@dataclass(frozen=True)
class CaseResult:
    """One TestCase's outcome for one seed. Errors are maxima over all outputs, NaN excluded."""

    case: str
    verdict: Verdict
    sizes: Mapping[str, int]
    distribution: str
    hidden: bool = False
    max_abs_error: float | None = None
    max_rel_error: float | None = None
    mismatch: Mismatch | None = None
    message: str = ""


class TimeBasis(StrEnum):
    """Which clock the reported time rests on (docs/measurement.md)."""

    E = "E"
    T = "T"


@dataclass(frozen=True)
class Timing:
    """One Workload's samples and what they say. All times in milliseconds unless named otherwise.

    ``samples_ms`` holds one tuple per fresh runner process, as measured on ``basis``;
    ``median_ms`` is the median of the processes' medians, ``ci_*_ms`` its 95 % bootstrap interval.
    ``f_residual_us`` is median(F - F0 - E): what the independent clock saw beyond the event clock.
    """

    workload: str
    sizes: Mapping[str, int]
    basis: TimeBasis
    samples_ms: tuple[tuple[float, ...], ...]
    median_ms: float
    ci_low_ms: float
    ci_high_ms: float
    spread_pct: float
    e_us: float
    t_us: float | None
    f_residual_us: float
    flops: float
    bytes: float

    @property
    def sample_count(self) -> int:
        return sum(len(process) for process in self.samples_ms)


@dataclass(frozen=True)
class Score:
    """Geometric mean over the Workloads of the median time, with a 95 % interval (ms)."""

    value_ms: float
    ci_low_ms: float
    ci_high_ms: float


@dataclass(frozen=True)
class DevicePeaks:
    """What a device can do at most, as measured on it.

    ``copy_bytes_per_s`` counts bytes read and written. ``flops_per_s`` is by precision: fp32, tf32,
    fp16, bf16, on tensor cores where there are any. ``cache_bytes`` is the last-level cache.
    """

    copy_bytes_per_s: float
    flops_per_s: Mapping[str, float]
    cache_bytes: int


@dataclass(frozen=True)
class Environment:
    """What a Run was measured on; kept with every Run.

    ``peaks`` is None where nobody measured. ``remarks`` are sentences on what was not as it should
    be while the device timed (clocks that moved, other programs); empty when nothing was.
    """

    device: str
    device_kind: DeviceKind
    hardware: str
    hardware_id: str
    driver: str
    cuda: str
    torch: str
    compiler: str
    flags: tuple[str, ...]
    sandbox: str
    image_digest: str
    clocks: Mapping[str, float]
    threads: int
    operating_system: str
    warpboard: str
    peaks: DevicePeaks | None = None
    remarks: tuple[str, ...] = ()
