"""Fresh inputs for one call, and whether what came back is right.

The checks and the timed samples share this: every call of a submission, timed or not, gets inputs
nobody has seen before and has every element of its outputs compared.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

import torch

from judge.checking import OutputCheck, check_case, inputs_unchanged
from judge.devices.interface import Call, GuardHit, Session
from judge.domain import Parameter, Role, TestCase, Workload
from judge.pipeline.calls import make_call
from judge.problems.inputs import make_inputs, poison
from judge.problems.oracle import Oracle
from judge.problems.package import ProblemPackage


@dataclass(frozen=True)
class Trial:
    """One call's contents: what the submission gets, and what it must make of it.

    ``tensors`` holds every buffer by name (outputs poisoned), ``expected`` and ``magnitude``
    the oracle's fp64 outputs and error scales by output name, all on the device's torch device.
    """

    tensors: Mapping[str, torch.Tensor]
    expected: Mapping[str, torch.Tensor]
    magnitude: Mapping[str, torch.Tensor] | None


class Examiner:
    """Draws trials of one problem at one set of sizes, and examines their outcomes."""

    def __init__(
        self,
        package: ProblemPackage,
        oracle: Oracle,
        case: TestCase | Workload,
        torch_device: torch.device,
    ) -> None:
        self.call: Call = make_call(package.problem, case.sizes, case.scalars)
        self._package = package
        self._oracle = oracle
        self._case = case
        self._generator = torch.Generator(torch_device)

    def draw(self) -> Trial:
        """A trial from a fresh secret seed."""
        self._generator.manual_seed(secrets.randbits(63))
        inputs = make_inputs(self._package, self._case, self._generator)
        tensors = dict(inputs)
        for name, buffer in self.call.buffers.items():
            if buffer.parameter.role is Role.OUT:
                tensors[name] = poison(buffer.shape, buffer.parameter.dtype, self._generator)
        case = self._case
        return Trial(
            tensors=tensors,
            expected=self._oracle.reference(inputs, case.sizes, case.scalars),
            magnitude=self._oracle.magnitude(inputs, case.sizes, case.scalars),
        )

    def examine(self, trial: Trial, session: Session, slot: int) -> OutputCheck:
        """Compare what ``slot`` holds after a bracket with what ``trial`` asked for."""
        for hit in session.guard_hits():
            return OutputCheck.failed(self._outside(hit))
        after = session.snapshot(slot)
        problem = self._package.problem
        for parameter in problem.parameters:
            if parameter.role is Role.IN and (
                changed := self._overwritten(parameter, trial, after)
            ):
                return OutputCheck.failed(changed)
        outputs = {parameter.name: after[parameter.name] for parameter in problem.outputs}
        return self.compare(trial, outputs)

    def compare(self, trial: Trial, outputs: Mapping[str, torch.Tensor]) -> OutputCheck:
        """``outputs``, of whatever computed them, against what ``trial`` asked for."""
        return check_case(
            self._package.problem,
            outputs,
            trial.expected,
            trial.magnitude,
            self._case.sizes,
            before={name: trial.tensors[name] for name in outputs},
        )

    def _outside(self, hit: GuardHit) -> str:
        size = self.call.buffers[hit.buffer].bytes
        where = (
            f"{-hit.offset} bytes before its start"
            if hit.offset < 0
            else f"{hit.offset - size} bytes past its end"
        )
        return (
            f"A write outside `{hit.buffer}`, {where} (it has {size:,} bytes). "
            "Check the bounds of every store."
        )

    @staticmethod
    def _overwritten(
        parameter: Parameter, trial: Trial, after: Mapping[str, torch.Tensor]
    ) -> str | None:
        index = inputs_unchanged(trial.tensors[parameter.name], after[parameter.name])
        if index is None:
            return None
        return (
            f"The input `{parameter.name}` was overwritten, first at {list(index)}. "
            "Inputs are read-only: write results to the outputs alone."
        )
