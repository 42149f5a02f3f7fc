"""Oracle of transpose: no arithmetic, so no wider type than the input's own."""

from __future__ import annotations

from torch import Tensor


def reference(input: Tensor) -> Tensor:  # noqa: A002 - the parameter's own name
    """The transpose of ``input``, [cols, rows]."""
    return input.t().contiguous()


def baseline(input: Tensor) -> Tensor:  # noqa: A002 - the parameter's own name
    """torch's own transposed copy, [cols, rows]."""
    return input.t().contiguous()
