"""Which elements of an output are wrong, the first of them, and the largest errors.

Works through large tensors in pieces, so that its float64 temporaries stay small, and looks at
NaN, infinities and first indices only in pieces that hold something wrong: every timed call is
compared, so the common case must be cheap. Knows no tolerance rules, only bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from judge.checking.bounds import OracleFault
from judge.domain import Mismatch

#: Elements compared at once: 128 MiB for each float64 temporary.
_PIECE = 2**24

#: Relative errors are taken against at least this share of the reference's largest element; a
#: reference near zero by cancellation would make them meaningless.
RELATIVE_FLOOR = 1e-3

_INTEGER_OF_BYTES = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


@dataclass(frozen=True)
class OutputCheck:
    """What comparing one output, or all outputs of a case, found.

    Errors are maxima over the elements where both sides are finite; None when there are none.
    ``max_rel_error`` divides by |ref|, but by no less than RELATIVE_FLOOR times the largest |ref|
    of the output; None when the reference is zero everywhere. ``message`` tells the submission's
    owner what is wrong; empty when nothing is, and where nobody has looked for it yet.
    """

    ok: bool
    max_abs_error: float | None
    max_rel_error: float | None
    mismatch: Mismatch | None
    message: str = ""

    @classmethod
    def failed(cls, message: str) -> OutputCheck:
        """A failure seen before any element was compared."""
        return cls(False, None, None, None, message)


def check_output(
    name: str, out: torch.Tensor, ref: torch.Tensor, bound: torch.Tensor | None
) -> OutputCheck:
    """Compare ``out`` with ``ref`` (same shape and device, any dtypes), element by element.

    With ``bound`` an element is right when both sides are finite and |out - ref| <= bound, when
    both are NaN, or when it is the infinity that ``ref`` is or becomes in ``out``'s type. Without,
    when it has the bits of ``ref`` in ``out``'s type, or both are NaN: -0.0 is not 0.0.

    Raises OracleFault for shapes that differ, for a bound that is negative, NaN or infinite where
    the reference is finite, and for a fractional reference of an integer output.
    """
    _require_shapes(name, out, ref, bound)
    floor = RELATIVE_FLOOR * _largest(ref)
    first: int | None = None
    wrong_count = 0
    errors: list[tuple[float, float]] = []
    for piece in _pieces(out, ref, bound):
        wrong, error = _compare(name, piece)
        if (largest := _largest_errors(piece, error, floor)) is not None:
            errors.append(largest)
        if wrong is None:
            continue
        wrong_count += int(wrong.sum())
        if first is None:
            # argmax gives the first of equal maxima: the first wrong element in row-major order.
            first = piece.start + int(wrong.to(torch.uint8).argmax())
    mismatch = None
    if first is not None:
        mismatch = Mismatch(
            output=name,
            index=unravel(first, out.shape),
            expected=_element(ref, first),
            got=_element(out, first),
            bound=0.0 if bound is None else _element(bound, first),
            wrong_elements=wrong_count,
            total_elements=out.numel(),
        )
    return OutputCheck(
        ok=mismatch is None,
        max_abs_error=max((e[0] for e in errors), default=None),
        max_rel_error=max((e[1] for e in errors), default=None) if floor else None,
        mismatch=mismatch,
    )


def wrong_elements(
    name: str, out: torch.Tensor, ref: torch.Tensor, bound: torch.Tensor | None
) -> torch.Tensor:
    """Where ``check_output`` finds ``out`` wrong: bool, of its shape. Same arguments and errors."""
    _require_shapes(name, out, ref, bound)
    found = torch.zeros(out.numel(), dtype=torch.bool, device=out.device)
    for piece in _pieces(out, ref, bound):
        wrong, _ = _compare(name, piece)
        if wrong is not None:
            found[piece.start : piece.start + wrong.numel()] = wrong
    return found.reshape(out.shape)


def inputs_unchanged(before: torch.Tensor, after: torch.Tensor) -> tuple[int, ...] | None:
    """None when an input still is what it was, else the first index whose bits differ.

    Row-major. Bitwise: a NaN equals itself, and a changed NaN payload or sign of zero is seen.
    ValueError when shapes or dtypes differ.
    """
    if before.shape != after.shape or before.dtype != after.dtype:
        raise ValueError(
            f"{before.dtype} {tuple(before.shape)} and {after.dtype} {tuple(after.shape)} "
            "are not the same buffer"
        )
    old, new = _bits(before).reshape(-1), _bits(after).reshape(-1)
    for start in range(0, old.numel(), _PIECE):
        differs = old[start : start + _PIECE] != new[start : start + _PIECE]
        if bool(differs.any()):
            return unravel(start + int(differs.to(torch.uint8).argmax()), before.shape)
    return None


def same_bits(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Where two tensors of one shape and dtype hold the same bits: bool, of their shape."""
    return _bits(one) == _bits(other)


def unravel(flat: int, shape: torch.Size) -> tuple[int, ...]:
    """The index of the ``flat``-th element of a row-major tensor; () for a scalar."""
    index: list[int] = []
    for extent in reversed(shape):
        flat, position = divmod(flat, extent)
        index.append(position)
    return tuple(reversed(index))


@dataclass(frozen=True)
class _Piece:
    """Up to _PIECE elements, flat, from element ``start`` on; ``ref`` in its own dtype."""

    start: int
    out: torch.Tensor
    ref: torch.Tensor
    bound: torch.Tensor | None


def _pieces(out: torch.Tensor, ref: torch.Tensor, bound: torch.Tensor | None) -> Iterator[_Piece]:
    flat_out, flat_ref = out.reshape(-1), ref.reshape(-1)
    flat_bound = None if bound is None else bound.reshape(-1)
    for start in range(0, flat_out.numel(), _PIECE):
        span = slice(start, start + _PIECE)
        piece_bound = None if flat_bound is None else flat_bound[span]
        yield _Piece(start, flat_out[span], flat_ref[span], piece_bound)


def _compare(name: str, piece: _Piece) -> tuple[torch.Tensor | None, torch.Tensor]:
    """Which elements are wrong (None: none is), and |out - ref| in float64."""
    out, ref = piece.out.to(torch.float64), piece.ref.to(torch.float64)
    error = (out - ref).abs_()
    if piece.bound is None:
        wanted = _in_type_of(name, piece.out, piece.ref)
        right = same_bits(piece.out, wanted)
        if bool(right.all()):
            return None, error
        right |= out.isnan() & ref.isnan()
    else:
        # Both comparisons are false for NaN. An infinite bound excuses nothing: it comes with an
        # infinite reference, or with a fault that _require_usable finds.
        right = (error <= piece.bound) & (piece.bound < torch.inf)
        if bool(right.all()):
            return None, error
        _require_usable(name, piece.bound, ref)
        rounded = piece.ref.to(piece.out.dtype).to(torch.float64)
        right |= (out.isnan() & ref.isnan()) | (out.isinf() & (out == rounded))
    return (None if bool(right.all()) else ~right), error


def _largest_errors(piece: _Piece, error: torch.Tensor, floor: float) -> tuple[float, float] | None:
    """Largest absolute and relative error where both sides are finite; None if nowhere."""
    finite = error < torch.inf  # false for NaN
    size = piece.ref.to(torch.float64).abs().clamp_(min=floor or 1.0)
    figures = torch.stack(
        (
            finite.any().to(torch.float64),
            torch.where(finite, error, 0.0).amax(),
            torch.where(finite, error / size, 0.0).amax(),
        )
    )
    some, absolute, relative = figures.tolist()
    return (absolute, relative) if some else None


def _largest(ref: torch.Tensor) -> float:
    """The largest finite |ref|; 0 if there is none."""
    largest = 0.0
    flat = ref.reshape(-1)
    for start in range(0, flat.numel(), _PIECE):
        size = flat[start : start + _PIECE].to(torch.float64).abs()
        largest = max(largest, float(torch.where(size < torch.inf, size, 0.0).amax()))
    return largest


def _in_type_of(name: str, out: torch.Tensor, ref: torch.Tensor) -> torch.Tensor:
    """``ref`` in ``out``'s type; an integer output takes only references that survive this."""
    if ref.dtype == out.dtype:
        return ref
    wanted = ref.to(out.dtype)
    if not out.dtype.is_floating_point and not bool((wanted.to(ref.dtype) == ref).all()):
        raise OracleFault(f"reference() gives values for {name!r} that its type cannot hold")
    return wanted


def _require_shapes(
    name: str, out: torch.Tensor, ref: torch.Tensor, bound: torch.Tensor | None
) -> None:
    for what, tensor in (("reference()", ref), ("the error bound", bound)):
        if tensor is not None and tensor.shape != out.shape:
            raise OracleFault(
                f"{what} has shape {tuple(tensor.shape)} for output {name!r}, "
                f"whose parameter declares {tuple(out.shape)}"
            )


def _require_usable(name: str, bound: torch.Tensor, ref: torch.Tensor) -> None:
    usable = (bound >= 0.0) & (bound < torch.inf)
    if bool((ref.isfinite() & ~usable).any()):
        raise OracleFault(
            f"the error bound of output {name!r} is negative, NaN or infinite somewhere "
            "although the reference is finite there"
        )


def _bits(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.contiguous().view(_INTEGER_OF_BYTES[tensor.element_size()])


def _element(tensor: torch.Tensor, flat: int) -> float:
    return float(tensor.reshape(-1)[flat].item())
