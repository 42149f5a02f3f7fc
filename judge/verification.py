"""Whether a problem package can be trusted: its examples get their verdicts, its mutants fail.

A mutant is the oracle's own output made wrong in a way that real submissions are wrong. A
checker that accepts one would accept the submission too. Timed shapes are held to the same where
a constant might pass: outputs of large inputs can be all but the same whatever the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import torch

from judge import pipeline
from judge.checking import check_case, same_bits
from judge.domain import DType, TestCase, Verdict, Workload
from judge.events import Finished
from judge.machine import Machine
from judge.pipeline.examination import Examiner, Trial
from judge.problems.oracle import Oracle, load_oracle
from judge.problems.package import Example, ProblemPackage, load_package
from judge.problems.tensors import TORCH_DTYPES

Tensors = Mapping[str, torch.Tensor]


@dataclass(frozen=True)
class Finding:
    """One thing that was verified: what, whether it holds, and the evidence."""

    what: str
    ok: bool
    detail: str


def verify_package(directory: Path, machine: Callable[[], Machine]) -> Iterator[Finding]:
    """Verify the package in ``directory``; raises PackageError if it cannot even be loaded.

    ``machine`` is asked for only once the package was loaded.
    """
    package = load_package(directory)
    yield Finding("package", True, f"{package.problem.slug} {package.digest[:12]}")
    judging = machine()
    oracle = load_oracle(package)
    yield from _verify_mutants(package, oracle, judging)
    for example in package.examples:
        yield _verify_example(package, example, judging)


def _verify_example(package: ProblemPackage, example: Example, machine: Machine) -> Finding:
    source = example.path.read_text("utf-8")
    last = None
    for event in pipeline.judge(source, package, machine):
        last = event
    if not isinstance(last, Finished):
        raise TypeError(f"a Run ended with {last!r}")
    name = f"example {example.path.parent.name}/{example.path.name}"
    detail = f"{last.verdict}: {last.message}"
    if last.verdict is Verdict.JE:
        detail += f"\n{last.detail}"
    return Finding(name, last.verdict is example.expected, detail)


def _verify_mutants(package: ProblemPackage, oracle: Oracle, machine: Machine) -> Iterator[Finding]:
    tests = package.problem.tests_for(machine.device.kind)
    rejected: dict[str, list[str]] = {name: [] for name in _MUTATIONS}
    alive: dict[str, list[str]] = {name: [] for name in _MUTATIONS}
    for test in tests:
        examiner = Examiner(package, oracle, test, machine.device.torch_device)
        trial = examiner.draw()
        honest = _as_outputs(package, trial.expected)
        if not _accepts(package, trial, honest, test):
            yield Finding("oracle", False, f"its own rounded output is rejected in `{test.name}`")
        for name, mutate in _MUTATIONS.items():
            mutant = mutate(package, oracle, test, trial, honest)
            if all(bool(same_bits(mutant[output], honest[output]).all()) for output in honest):
                continue  # this test cannot tell them apart, and need not
            verdicts = alive if _accepts(package, trial, mutant, test) else rejected
            verdicts[name].append(test.name)
    for name in _MUTATIONS:
        if rejected[name]:
            count = len(rejected[name])
            yield Finding(f"mutant: {name}", True, f"rejected by {count} of {len(tests)} tests")
        elif alive[name]:
            yield Finding(
                f"mutant: {name}",
                False,
                f"accepted by every test that it changes ({', '.join(alive[name])}): "
                "tighten the tolerance or choose inputs that show the difference",
            )
        else:
            yield Finding(f"mutant: {name}", True, "changes no output of this problem")
    for workload in package.problem.workloads_for(machine.device.kind):
        yield _verify_workload(package, oracle, workload, machine)


def _verify_workload(
    package: ProblemPackage, oracle: Oracle, workload: Workload, machine: Machine
) -> Finding:
    """Whether a timed call shows that its inputs were read: others' answer must be wrong."""
    examiner = Examiner(package, oracle, workload, machine.device.torch_device)
    others = _as_outputs(package, examiner.draw().expected)
    alive = _accepts(package, examiner.draw(), others, workload)
    detail = (
        "accepted: a kernel may answer without reading; choose inputs whose answers differ"
        if alive
        else "rejected"
    )
    return Finding(f"workload {workload.name}: the answer to other inputs", not alive, detail)


def _accepts(
    package: ProblemPackage, trial: Trial, outputs: Tensors, test: TestCase | Workload
) -> bool:
    return check_case(package.problem, outputs, trial.expected, trial.magnitude, test.sizes).ok


def _as_outputs(package: ProblemPackage, expected: Tensors) -> dict[str, torch.Tensor]:
    """The oracle's fp64 outputs rounded to the problem's own types."""
    types = {p.name: TORCH_DTYPES[p.dtype] for p in package.problem.outputs}
    return {name: tensor.to(types[name]) for name, tensor in expected.items()}


def _zeros(
    package: ProblemPackage, oracle: Oracle, test: TestCase, trial: Trial, honest: Tensors
) -> Tensors:
    return {name: torch.zeros_like(tensor) for name, tensor in honest.items()}


def _not_a_number(
    package: ProblemPackage, oracle: Oracle, test: TestCase, trial: Trial, honest: Tensors
) -> Tensors:
    return {
        name: torch.full_like(tensor, float("nan")) if tensor.is_floating_point() else tensor
        for name, tensor in honest.items()
    }


def _last_row_missing(
    package: ProblemPackage, oracle: Oracle, test: TestCase, trial: Trial, honest: Tensors
) -> Tensors:
    mutant = {name: tensor.clone() for name, tensor in honest.items()}
    for name, tensor in mutant.items():
        tensor[-1] = trial.tensors[name][-1]
    return mutant


def _transposed(
    package: ProblemPackage, oracle: Oracle, test: TestCase, trial: Trial, honest: Tensors
) -> Tensors:
    return {
        name: tensor.transpose(-1, -2).reshape(tensor.shape) if tensor.dim() >= 2 else tensor
        for name, tensor in honest.items()
    }


def _inputs_rounded(
    package: ProblemPackage,
    oracle: Oracle,
    test: TestCase,
    trial: Trial,
    round_to: Callable[[torch.Tensor], torch.Tensor],
) -> Tensors:
    inputs = {
        parameter.name: (
            round_to(trial.tensors[parameter.name])
            if parameter.dtype is DType.FLOAT32
            else trial.tensors[parameter.name]
        )
        for parameter in package.problem.inputs
    }
    return _as_outputs(package, oracle.reference(inputs, test.sizes, test.scalars))


def _inputs_in_tf32(
    package: ProblemPackage, oracle: Oracle, test: TestCase, trial: Trial, honest: Tensors
) -> Tensors:
    return _inputs_rounded(package, oracle, test, trial, _to_tf32)


def _inputs_in_fp16(
    package: ProblemPackage, oracle: Oracle, test: TestCase, trial: Trial, honest: Tensors
) -> Tensors:
    return _inputs_rounded(package, oracle, test, trial, lambda t: t.half().float())


def _to_tf32(tensor: torch.Tensor) -> torch.Tensor:
    """Round fp32 to TF32's 10 explicit significand bits, to nearest, ties away from zero."""
    bits = tensor.contiguous().view(torch.int32)
    return ((bits + 0x1000) & ~0x1FFF).view(torch.float32)


Mutation = Callable[[ProblemPackage, Oracle, TestCase, Trial, Tensors], Tensors]

_MUTATIONS: Mapping[str, Mutation] = {
    "all zeros": _zeros,
    "all NaN": _not_a_number,
    "last row missing": _last_row_missing,
    "transposed": _transposed,
    "inputs rounded to TF32": _inputs_in_tf32,
    "inputs rounded to fp16": _inputs_in_fp16,
}
