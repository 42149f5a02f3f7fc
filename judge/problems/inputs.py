"""Random inputs by named distribution, and the poison that outputs hold before a call.

Everything is drawn from the generator handed in, in the order of the parameters: the same seed on
the same kind of torch device gives the same values. Where seeds come from is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch

from judge.domain import DType, TestCase, Workload
from judge.problems.consistency import buffer_shape
from judge.problems.distributions import Distribution
from judge.problems.oracle import load_oracle
from judge.problems.package import ProblemPackage
from judge.problems.tensors import TORCH_DTYPES

Shape = Sequence[int]

#: ``offset``: far enough from zero that an answer relying on a zero mean is wrong by orders, near
#: enough that a one-pass float32 variance still has 18 of its 24 bits. float16 gets the same in
#: quarters: a product of two such matrices then stays below 65504 up to K = 16000.
_OFFSET_MEAN = 8.0
_OFFSET_SCALE: Mapping[DType, float] = {DType.FLOAT16: 0.25}

#: ``heavy_tailed`` is cut here; 4096 products of two cut float16 values rarely leave its range.
_TAIL_LIMIT: Mapping[DType, float] = {DType.FLOAT16: 32.0}

_CANCELLING_SCALE: Mapping[DType, float] = {DType.FLOAT16: 8.0}
_CANCELLING_NOISE = 2.0**-10

#: ``large`` and ``small``: products of three such values are still normal numbers of the type
#: (of two, for float16), and sums of 2**14 products of two do not overflow.
_LARGE_SCALE: Mapping[DType, float] = {DType.FLOAT16: 2.0**3, DType.FLOAT64: 2.0**300}
_SMALL_SCALE: Mapping[DType, float] = {DType.FLOAT16: 2.0**-5, DType.FLOAT64: 2.0**-300}

_INTEGER_LIMIT = 4
_INTEGER_BUFFER_LIMIT = 100


def make_inputs(
    package: ProblemPackage,
    case: TestCase | Workload,
    generator: torch.Generator,
    device: torch.device | None = None,
) -> dict[str, torch.Tensor]:
    """Fresh values for every IN and INOUT buffer of ``package`` at the case's sizes, by name.

    Contiguous, of the parameters' dtypes, on ``device`` (None: the generator's). What the
    package's own ``make_inputs`` gives comes first, the rest from the case's distribution.
    Raises OracleError when the package's function fails or gives the wrong thing.
    """
    oracle = load_oracle(package)
    own = oracle.make_inputs(case, generator)
    floating_seen = False
    tensors: dict[str, torch.Tensor] = {}
    for parameter in package.problem.inputs:
        if parameter.name in own:
            tensor = own[parameter.name]
        else:
            tensor = draw(
                parameter.dtype,
                buffer_shape(parameter, case.sizes),
                Distribution(case.distribution),
                generator,
                is_first_floating=not floating_seen,
            )
        floating_seen = floating_seen or parameter.dtype.is_floating
        tensors[parameter.name] = tensor.to(device or generator.device)
    return tensors


def draw(
    dtype: DType,
    shape: Shape,
    distribution: Distribution,
    generator: torch.Generator,
    *,
    is_first_floating: bool = True,
) -> torch.Tensor:
    """One buffer's values on the generator's device; formulas as in docs/authoring.md.

    ``is_first_floating`` matters to ``cancelling`` alone: the terms of a product A·B vanish in
    pairs only if one factor pairs up while the other is nearly constant.
    """
    if not dtype.is_floating:
        return _uniform_integers(dtype, shape, _integer_range(dtype, distribution), generator)
    if distribution is Distribution.CANCELLING and not is_first_floating:
        values = 1.0 + _CANCELLING_NOISE * _normal(dtype, shape, generator)
    else:
        values = _FLOATING[distribution](dtype, shape, generator)
    return values.to(TORCH_DTYPES[dtype])


def poison(
    shape: Shape,
    dtype: DType,
    generator: torch.Generator,
    device: torch.device | None = None,
) -> torch.Tensor:
    """Random values for an output before a call: plausible, and wrong nearly everywhere.

    Floating: ±2**u with u uniform on [0, 10), finite in every type and never near zero, where an
    absolute tolerance could accept it. Integers: uniform over the whole range of the type.
    """
    if dtype.is_floating:
        exponents = 10.0 * _uniform(dtype, shape, generator)
        signs = torch.randint(0, 2, tuple(shape), generator=generator, device=generator.device)
        # In float16 and bfloat16 the largest round up to 1024, which is as good.
        values = (torch.exp2(exponents) * (2 * signs - 1)).to(TORCH_DTYPES[dtype])
    else:
        bits = 8 * dtype.itemsize
        whole = (
            (0, 2**bits - 1) if _is_unsigned(dtype) else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        )
        values = _uniform_integers(dtype, shape, whole, generator)
    return values.to(device or generator.device)


def _work_dtype(dtype: DType) -> torch.dtype:
    """Values are drawn in float32 (float64 for float64) and rounded to the type once."""
    return torch.float64 if dtype is DType.FLOAT64 else torch.float32


def _normal(dtype: DType, shape: Shape, generator: torch.Generator) -> torch.Tensor:
    return torch.randn(
        tuple(shape), generator=generator, device=generator.device, dtype=_work_dtype(dtype)
    )


def _uniform(dtype: DType, shape: Shape, generator: torch.Generator) -> torch.Tensor:
    """Uniform on [0, 1)."""
    return torch.rand(
        tuple(shape), generator=generator, device=generator.device, dtype=_work_dtype(dtype)
    )


def _centred_uniform(dtype: DType, shape: Shape, generator: torch.Generator) -> torch.Tensor:
    return 2.0 * _uniform(dtype, shape, generator) - 1.0


def _offset(dtype: DType, shape: Shape, generator: torch.Generator) -> torch.Tensor:
    scale = _OFFSET_SCALE.get(dtype, 1.0)
    return scale * (_OFFSET_MEAN + _normal(dtype, shape, generator))


def _heavy_tailed(dtype: DType, shape: Shape, generator: torch.Generator) -> torch.Tensor:
    """Student's t with 2 degrees of freedom by its inverse, (2u − 1) / sqrt(2u(1 − u)).

    Its variance is infinite: a few elements rule every sum. u = 0 gives −inf, which the clip cuts.
    """
    u = _uniform(dtype, shape, generator)
    limit = _TAIL_LIMIT.get(dtype, 1024.0)
    return ((2.0 * u - 1.0) / torch.sqrt(2.0 * u * (1.0 - u))).clamp(-limit, limit)


def _cancelling(dtype: DType, shape: Shape, generator: torch.Generator) -> torch.Tensor:
    """Pairs x and −x + noise along the last axis, at places shuffled alike for all rows."""
    *rows, length = shape
    scale = _CANCELLING_SCALE.get(dtype, 64.0)
    half = scale * _normal(dtype, [*rows, length // 2], generator)
    noise = scale * _CANCELLING_NOISE * _normal(dtype, [*rows, length - length // 2], generator)
    opposite = noise  # an odd length leaves one element of noise alone
    opposite[..., : length // 2] -= half
    order = torch.randperm(length, generator=generator, device=generator.device)
    return torch.cat([half, opposite], dim=-1).index_select(-1, order)


def _large(dtype: DType, shape: Shape, generator: torch.Generator) -> torch.Tensor:
    return _LARGE_SCALE.get(dtype, 2.0**40) * _normal(dtype, shape, generator)


def _small(dtype: DType, shape: Shape, generator: torch.Generator) -> torch.Tensor:
    return _SMALL_SCALE.get(dtype, 2.0**-40) * _normal(dtype, shape, generator)


def _small_integers(dtype: DType, shape: Shape, generator: torch.Generator) -> torch.Tensor:
    return torch.randint(
        -_INTEGER_LIMIT,
        _INTEGER_LIMIT + 1,
        tuple(shape),
        generator=generator,
        device=generator.device,
    )


_FLOATING: Mapping[Distribution, Callable[[DType, Shape, torch.Generator], torch.Tensor]] = {
    Distribution.NORMAL: _normal,
    Distribution.OFFSET: _offset,
    Distribution.HEAVY_TAILED: _heavy_tailed,
    Distribution.CANCELLING: _cancelling,
    Distribution.LARGE: _large,
    Distribution.SMALL: _small,
    Distribution.UNIFORM: _centred_uniform,
    Distribution.INTEGERS: _small_integers,
}


def _is_unsigned(dtype: DType) -> bool:
    return dtype in (DType.UINT8, DType.UINT32, DType.UINT64)


def _integer_range(dtype: DType, distribution: Distribution) -> tuple[int, int]:
    """The least and the greatest value of an integer buffer."""
    if distribution is Distribution.LARGE:
        # Products of two must fit the wider types; the narrow ones are widened by who uses them.
        bits = 8 * dtype.itemsize if dtype.itemsize <= 2 else 4 * dtype.itemsize
        return (
            (0, 2**bits - 1) if _is_unsigned(dtype) else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        )
    if distribution in (Distribution.INTEGERS, Distribution.SMALL):
        limit = _INTEGER_LIMIT
    else:
        limit = _INTEGER_BUFFER_LIMIT
    return (0 if _is_unsigned(dtype) else -limit, limit)


def _uniform_integers(
    dtype: DType, shape: Shape, bounds: tuple[int, int], generator: torch.Generator
) -> torch.Tensor:
    """Uniform on the closed range ``bounds``."""
    low, high = bounds
    if high >= 2**63 - 1:
        # torch draws below an exclusive int64 bound; whole 64-bit words come from two halves.
        halves = torch.randint(0, 2**32, (2, *shape), generator=generator, device=generator.device)
        words = (halves[0] << 32) | halves[1]
        return words.view(TORCH_DTYPES[dtype])
    values = torch.randint(
        low, high + 1, tuple(shape), generator=generator, device=generator.device
    )
    return values.to(TORCH_DTYPES[dtype])
