"""The timing of a problem's baseline: the library's call, by the same rules as a submission.

It runs in the judge's own process, as it is the judge's own code: fresh inputs and flushed caches
before every call, every output compared, the same statistics. TF32 is off, as a board of fp32
kernels would otherwise compare with another precision.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager

import numpy as np
import torch

from judge.domain import TimeBasis, Timing, Workload
from judge.machine import Machine
from judge.pipeline.aborting import Checkpoint
from judge.pipeline.examination import Examiner
from judge.problems.expressions import evaluate
from judge.problems.oracle import Oracle
from judge.problems.package import ProblemPackage
from judge.timing.statistics import combine, median
from judge.timing.stopping import StopCriteria, StopRule

_WARM_UP_CALLS = 3


class BaselineWrong(Exception):
    """The library's call does not pass the problem's own check: the package is at fault."""


def time_baseline(
    package: ProblemPackage,
    oracle: Oracle,
    workload: Workload,
    machine: Machine,
    budget_seconds: float,
    proceed: Checkpoint,
) -> Timing:
    """The Timing of ``workload``, on E, of one process. Raises BaselineWrong and OracleError."""
    calls = _calls(package, oracle, workload, machine, proceed)
    rule = StopRule(StopCriteria(max_seconds=budget_seconds), np.random.default_rng())
    with _full_precision():
        for _ in range(_WARM_UP_CALLS):
            next(calls)
        while not rule.feed(next(calls) / 1e6).stop:
            pass
    samples = rule.samples
    combined = combine([samples], np.random.default_rng())
    problem, sizes = package.problem, workload.sizes
    return Timing(
        workload=workload.name,
        sizes=sizes,
        basis=TimeBasis.E,
        samples_ms=(samples,),
        median_ms=combined.median,
        ci_low_ms=combined.low,
        ci_high_ms=combined.high,
        spread_pct=combined.spread_pct,
        e_us=median(samples) * 1e3,
        t_us=None,
        f_residual_us=0.0,
        flops=float(evaluate(problem.flops, sizes)),
        bytes=float(evaluate(problem.bytes, sizes)),
    )


def _calls(
    package: ProblemPackage,
    oracle: Oracle,
    workload: Workload,
    machine: Machine,
    proceed: Checkpoint,
) -> Generator[int, None, None]:
    """The times of one call after another, in ns, each on fresh inputs and found right."""
    examiner = Examiner(package, oracle, workload, machine.device.torch_device)
    buffers = [parameter.name for parameter in package.problem.inputs]
    while True:
        proceed()
        trial = examiner.draw()
        inputs = {name: trial.tensors[name] for name in buffers}
        call = oracle.baseline(inputs, workload.sizes, workload.scalars)
        elapsed_ns, given = _timed(machine, call.run)
        outcome = examiner.compare(trial, call.outputs(given))
        if not outcome.ok:
            raise BaselineWrong(
                f"The baseline of {package.problem.slug} is wrong for workload "
                f"`{workload.name}`: {outcome.message}"
            )
        yield elapsed_ns


def _timed(machine: Machine, run: Callable[[], object]) -> tuple[int, object]:
    """The time of ``run`` in ns, and its result."""
    results: list[object] = []
    elapsed_ns = machine.device.time_call(lambda: results.append(run()))
    return elapsed_ns, results[0]


@contextmanager
def _full_precision() -> Iterator[None]:
    """No TF32 inside, in products and convolutions."""
    products, convolutions = torch.backends.cuda.matmul, torch.backends.cudnn
    before = (products.allow_tf32, convolutions.allow_tf32)
    products.allow_tf32 = convolutions.allow_tf32 = False
    try:
        yield
    finally:
        products.allow_tf32, convolutions.allow_tf32 = before
