"""From a problem and concrete sizes to the call a runner makes."""

from __future__ import annotations

from collections.abc import Mapping

from judge.devices.interface import BufferSpec, Call
from judge.domain import Problem
from judge.problems.expressions import evaluate


def make_call(problem: Problem, sizes: Mapping[str, int], scalars: Mapping[str, float]) -> Call:
    """The entry point's arguments at ``sizes`` and ``scalars``, shapes in elements."""
    return Call(
        parameters=problem.parameters,
        buffers={
            parameter.name: BufferSpec(
                parameter, tuple(int(evaluate(extent, sizes)) for extent in parameter.shape)
            )
            for parameter in problem.parameters
            if parameter.role.is_buffer
        },
        values={**sizes, **scalars},
    )


def call_bytes(call: Call) -> int:
    """Bytes all buffers of one call take together."""
    return sum(buffer.bytes for buffer in call.buffers.values())
