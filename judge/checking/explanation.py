"""A wrong output in words: what is wrong where, and what a pattern in it usually means.

For the people who wrote the kernel, learners first. A hint is given only when the whole pattern
fits; none is better than a wrong one. Decides nothing: the comparison already has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch

from judge.checking.comparison import same_bits, wrong_elements
from judge.domain import Mismatch

#: Below this many elements a pattern may be chance.
_ENOUGH_FOR_A_PATTERN = 8

#: A largest relative error under this looks like arithmetic of lower precision, not like a bug.
_CLOSE = 2.0**-7


@dataclass(frozen=True)
class _View:
    """All that a hint may look at. ``wrong`` is a bool tensor with at least one element set."""

    name: str
    out: torch.Tensor
    ref: torch.Tensor
    bound: torch.Tensor | None
    poison: torch.Tensor | None
    wrong: torch.Tensor

    @property
    def all_wrong(self) -> bool:
        return bool(self.wrong.all())


def explain(
    mismatch: Mismatch,
    out: torch.Tensor,
    ref: torch.Tensor,
    bound: torch.Tensor | None,
    poison: torch.Tensor | None = None,
) -> str:
    """What is wrong with ``out``, then a hint if its pattern is a known one.

    Tensors as in ``check_output``; ``poison`` (``out``'s shape and dtype) is what the output was
    filled with before the call.
    """
    wrong = wrong_elements(mismatch.output, out, ref, bound)
    hint = None
    if bool(wrong.any()):
        view = _View(mismatch.output, out, ref, bound, poison, wrong)
        hint = next((text for find in _HINTS if (text := find(view)) is not None), None)
    sentence = describe(mismatch, out.dtype)
    return sentence if hint is None else f"{sentence} {hint}"


def describe(mismatch: Mismatch, dtype: torch.dtype) -> str:
    """The bare facts: ``C[3, 17] is 0.0, expected 1.25 (allowed ±1e-05); 4 of 9 elements …``."""
    place = mismatch.output
    if mismatch.index:
        place += f"[{', '.join(str(i) for i in mismatch.index)}]"
    got, expected = _two_numbers(mismatch.got, mismatch.expected, dtype)
    allowed = f"allowed ±{mismatch.bound:.3g}" if mismatch.bound else "must be exact"
    if mismatch.total_elements == 1:
        count = "it is the only element"
    elif mismatch.wrong_elements == mismatch.total_elements:
        count = f"all {mismatch.total_elements} elements are wrong"
    else:
        are = "is" if mismatch.wrong_elements == 1 else "are"
        count = f"{mismatch.wrong_elements} of {mismatch.total_elements} elements {are} wrong"
    return f"{place} is {got}, expected {expected} ({allowed}); {count}."


def _never_written(view: _View) -> str | None:
    if view.poison is None:
        return None
    untouched = view.wrong & same_bits(view.out, view.poison)
    if not bool((untouched == view.wrong).all()):
        return None
    if view.all_wrong:
        return (
            f"Nothing was written to {view.name}: did the kernel launch (ask cudaGetLastError), "
            "and does it store to the pointer that solve was given?"
        )
    where = _region(view)
    if where is None:
        return (
            f"They were never written: does every element of {view.name} have a thread "
            "that stores it?"
        )
    return f"They are all in {where} and were never written: {_GRID_QUESTION}"


def _not_a_number(view: _View) -> str | None:
    unexpected = view.wrong & view.out.isnan()
    count = int(unexpected.sum())
    if count == 0:
        return None
    who = "Every element is" if count == view.out.numel() else f"{count} of them are"
    if count == 1:
        who = "One of them is" if view.out.numel() > 1 else "It is"
    return (
        f"{who} NaN: look for 0/0, inf - inf, the root or logarithm of a negative number, "
        "or memory read before it is written."
    )


def _all_zero(view: _View) -> str | None:
    if not bool((view.out == 0).all()):
        return None
    return (
        f"All of {view.name} is zero: is the result added up and then stored, "
        "and by a thread that runs?"
    )


def _transposed(view: _View) -> str | None:
    if view.out.ndim != 2 or min(view.out.shape) < 2 or view.out.numel() < _ENOUGH_FOR_A_PATTERN:
        return None
    # What a kernel leaves that writes the transposed matrix, row-major, into the same memory.
    turned = view.ref.t().contiguous().reshape(view.ref.shape)
    limit = None
    if view.bound is not None:
        limit = view.bound.t().contiguous().reshape(view.ref.shape)
    if bool(wrong_elements(view.name, view.out, turned, limit).any()):
        return None
    rows, columns = view.out.shape
    return (
        f"This is the transpose of the right answer: {view.name} is {rows} × {columns}, row-major, "
        f"so element (r, c) is at r * {columns} + c. Are row and column swapped?"
    )


def _region_wrong(view: _View) -> str | None:
    where = _region(view)
    return None if where is None else f"They are all in {where}: {_GRID_QUESTION}"


def _few_right(view: _View) -> str | None:
    """A right start and nothing right after it, as one block or one thread leaves it."""
    flat = view.wrong.reshape(-1)
    total = flat.numel()
    right = int(flat.to(torch.uint8).argmax())
    if total < _ENOUGH_FOR_A_PATTERN or not 0 < right <= total // 2:
        return None
    if int(flat.sum()) < 0.9 * (total - right):
        return None
    first = "Only the first element is" if right == 1 else f"Only the first {right} elements are"
    return (
        f"{first} right: is the grid large enough for all {total}, and does the index use "
        "blockIdx as well as threadIdx?"
    )


def _scaled(view: _View) -> str | None:
    """One factor between the output and the right answer, everywhere."""
    if view.bound is None or view.out.numel() < _ENOUGH_FOR_A_PATTERN:
        return None
    out, ref = view.out.to(torch.float64), view.ref.to(torch.float64)
    if not (bool(out.isfinite().all()) and bool(ref.isfinite().all())):
        return None
    energy = float((ref * ref).sum())
    if energy == 0.0:
        return None
    factor = float((out * ref).sum()) / energy
    if abs(factor) < 1e-6 or abs(factor - 1.0) < 0.01:
        return None
    # Least squares finds a factor in any output; it is one only if nothing else is left over.
    rest = (out - factor * ref).abs()
    if bool((rest > max(1.0, abs(factor)) * view.bound).any()):
        return None
    return (
        f"Every element is {factor:.4g} times what is expected: "
        "look for a missing, doubled or inverted factor."
    )


def _nearly_right(view: _View) -> str | None:
    if view.bound is None:
        return None
    out, ref = view.out.to(torch.float64), view.ref.to(torch.float64)
    largest = float(ref[ref.isfinite()].abs().amax()) if bool(ref.isfinite().any()) else 0.0
    error = (out - ref).abs()[view.wrong]
    if largest == 0.0 or not bool((error <= _CLOSE * largest).all()):
        return None
    size = ref.abs()[view.wrong].clamp(min=1e-3 * largest)
    if not bool((error / size <= _CLOSE).all()):
        return None
    return (
        "All of them are close: does a step compute in lower precision than the problem asks for "
        "(half or TF32 products, fast-math functions), or add up very many terms in one variable?"
    )


_GRID_QUESTION = (
    "do the grid and the bounds checks cover sizes that are no multiple of the block or tile?"
)

_HINTS: tuple[Callable[[_View], str | None], ...] = (
    _never_written,
    _not_a_number,
    _all_zero,
    _transposed,
    _scaled,
    _nearly_right,
    _few_right,
    _region_wrong,
)


def _region(view: _View) -> str | None:
    """The trailing part that holds all wrong elements, when it is less than half of an axis."""
    wrong = view.wrong
    if wrong.numel() < _ENOUGH_FOR_A_PATTERN or wrong.ndim == 0:
        return None
    tails = [_tail(wrong, axis) for axis in range(wrong.ndim)]
    for axis, tail in enumerate(tails):
        if tail is not None:
            return f"the last {_count(tail, axis, wrong.ndim)}"
    return _two_tails(wrong) if wrong.ndim == 2 else None


def _tail(wrong: torch.Tensor, axis: int) -> int | None:
    """How many last positions of ``axis`` hold all that is wrong, something wrong in each."""
    others = [a for a in range(wrong.ndim) if a != axis]
    profile = wrong.any(dim=others) if others else wrong
    length = profile.numel()
    first = int(profile.to(torch.uint8).argmax())
    tail = length - first
    return tail if tail < length / 2 and bool(profile[first:].all()) else None


def _two_tails(wrong: torch.Tensor) -> str | None:
    """Last rows and last columns together, each wrong from end to end."""
    counts = []
    for axis in (0, 1):
        full = wrong.all(dim=1 - axis)
        first = int(full.to(torch.uint8).argmax())
        if not bool(full[first:].all()) or not 0 < 2 * (full.numel() - first) < full.numel():
            return None
        counts.append(full.numel() - first)
    rows, columns = counts
    if bool(wrong[: wrong.shape[0] - rows, : wrong.shape[1] - columns].any()):
        return None
    return f"the last {_count(rows, 0, 2)} and the last {_count(columns, 1, 2)}"


def _count(count: int, axis: int, ndim: int) -> str:
    if ndim > 2:
        return f"{count} along axis {axis}"
    noun = "element" if ndim == 1 else ("row", "column")[axis]
    return noun if count == 1 else f"{count} {noun}s"


def _two_numbers(got: float, expected: float, dtype: torch.dtype) -> tuple[str, str]:
    """Both, with just enough digits to tell them apart."""
    if not dtype.is_floating_point:
        return f"{got:.0f}", f"{expected:.0f}"
    for digits in (6, 9, 17):
        texts = _number(got, digits), _number(expected, digits)
        if texts[0] != texts[1]:
            break
    return texts


def _number(value: float, digits: int) -> str:
    text = f"{value:.{digits}g}"
    looks_integer = text.lstrip("-").isdigit()
    return f"{text}.0" if looks_integer else text
