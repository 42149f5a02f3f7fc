"""Judges one submission: compile, check, time, report, as a stream of events.

The only place that composes compiler, sandbox, device, oracle and the mathematics of checking and
timing. It knows no transport and no site.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

import structlog
import torch

from judge.compiler.interface import CompileRequest, CompileResult
from judge.devices.interface import DeviceBroken, RunnerFailure, SessionLimits
from judge.domain import Environment, Status, Timing, Verdict
from judge.events import (
    Compiled,
    Event,
    Finished,
    StageEntered,
    WorkloadTimed,
)
from judge.execution import MIB
from judge.machine import Machine
from judge.pipeline.aborting import Aborted, Checkpoint, checkpoint, never
from judge.pipeline.baseline import time_baseline
from judge.pipeline.checked import check
from judge.pipeline.timed import TimedProgram, TimingNotCredible, WorkloadTimer
from judge.problems.oracle import load_oracle
from judge.problems.package import ProblemPackage
from judge.problems.prototype import detect_entry, header, signature
from judge.timing.scoring import score

__all__ = ["environment", "judge", "judge_baseline"]

log = structlog.get_logger(__name__)

#: What a runner may take to start, load the submission and run its static constructors.
START_SECONDS = 10.0

Turn = Callable[[], AbstractContextManager[object]]


def judge(
    source: str,
    package: ProblemPackage,
    machine: Machine,
    turn: Turn = nullcontext,
    is_aborted: Callable[[], bool] = never,
) -> Iterator[Event]:
    """Judge ``source``; the last event is Finished, whatever happens.

    ``turn`` gives the right to use the device: compilation happens before it is taken, so that
    the next Run compiles while this one is measured. ``is_aborted`` is asked between all brackets;
    once it says yes the Run ends there with the verdict AB.
    """
    proceed = checkpoint(is_aborted)
    yield from _concluded(_judge(source, package, machine, turn, proceed), package, machine)


def judge_baseline(
    package: ProblemPackage,
    machine: Machine,
    turn: Turn = nullcontext,
    is_aborted: Callable[[], bool] = never,
) -> Iterator[Event]:
    """Time the problem's library call as ``judge`` times a submission; the same events and end.

    AC as long as its outputs are right; UNS for a package that names none.
    """
    proceed = checkpoint(is_aborted)
    yield from _concluded(_judge_baseline(package, machine, turn, proceed), package, machine)


def _concluded(
    events: Iterator[Event], package: ProblemPackage, machine: Machine
) -> Iterator[Event]:
    """``events``, and a Finished for whatever ends them early."""
    try:
        yield from events
    except Aborted:
        yield Finished(
            Verdict.AB, "Aborted before it was judged.", environment=environment(machine)
        )
    except Exception as error:  # whatever it is, the Run must end with a verdict
        log.exception("judge error", problem=package.problem.slug)
        yield Finished(
            Verdict.JE,
            "The judge failed; this is not your fault. The board's admins can see what happened.",
            environment=environment(machine),
            detail="".join(traceback.format_exception(error)),
        )


def environment(machine: Machine, flags: tuple[str, ...] = ()) -> Environment:
    """What this machine measures with, as it is now; ``flags`` are those of the compilation."""
    device = machine.device
    described = device.describe()
    return Environment(
        device=device.name,
        device_kind=device.kind,
        hardware=described["hardware"],
        hardware_id=described["hardware_id"],
        driver=described["driver"],
        cuda=described["cuda"],
        torch=torch.__version__,
        compiler=machine.compiler.toolchain,
        flags=flags,
        sandbox=machine.executor.name,
        image_digest=machine.executor.image_digest,
        clocks=device.clocks(),
        threads=device.threads,
        operating_system=platform.platform(),
        warpboard=importlib.metadata.version("warpboard"),
        peaks=device.peaks(),
    )


def _judge(
    source: str,
    package: ProblemPackage,
    machine: Machine,
    turn: Turn,
    proceed: Checkpoint,
) -> Iterator[Event]:
    proceed()
    yield StageEntered(Status.COMPILING)
    compiled = _compile(source, package, machine)
    yield Compiled(
        ok=compiled.failure is None,
        seconds=compiled.seconds,
        cached=compiled.cached,
        output=compiled.output,
        output_dropped_bytes=compiled.output_dropped_bytes,
        diagnostics=compiled.diagnostics,
        resources=compiled.resources,
        listings=compiled.listings,
    )
    if compiled.failure is not None or compiled.artifact is None:
        yield Finished(
            compiled.failure or Verdict.JE,
            compiled.message,
            environment=environment(machine, compiled.flags),
        )
        return
    program = TimedProgram(compiled.artifact, _empty_artifact(package, machine))
    proceed()
    with turn():
        yield from _measure(program, package, machine, compiled.flags, proceed)


def _measure(
    program: TimedProgram,
    package: ProblemPackage,
    machine: Machine,
    flags: tuple[str, ...],
    proceed: Checkpoint,
) -> Iterator[Event]:
    proceed()
    problem, kind = package.problem, machine.device.kind
    remarks = _fit(machine)
    measured_on = replace(environment(machine, flags), remarks=remarks)
    limits = SessionLimits(
        call_seconds=problem.limits.call_seconds,
        start_seconds=START_SECONDS,
        memory_bytes=problem.limits.memory_mib * MIB,
    )
    oracle = load_oracle(package)

    yield StageEntered(Status.CHECKING, total=sum(test.seeds for test in problem.tests_for(kind)))
    failed = None
    for case in check(package, oracle, program.artifact, machine, limits, proceed):
        yield case
        if case.result.verdict is not Verdict.AC and failed is None:
            failed = case
    if failed is not None:
        result = failed.result
        name = "A hidden case" if result.hidden else f"Case `{result.case}`"
        yield Finished(result.verdict, f"{name}: {result.message}", environment=measured_on)
        return

    workloads = problem.workloads_for(kind)
    yield StageEntered(Status.TIMING, total=len(workloads))
    timings: list[Timing] = []
    budget_seconds = machine.device.timing.max_seconds / len(workloads)
    for index, workload in enumerate(workloads):
        timer = WorkloadTimer(package, oracle, workload, machine, limits, budget_seconds, proceed)
        try:
            for step in timer.time(program):
                if isinstance(step, Timing):
                    timings.append(step)
                    yield WorkloadTimed(index, len(workloads), step)
                else:
                    yield step
            remarks += _remark(workload.name, timer.disturbances)
        except RunnerFailure as failure:
            yield Finished(failure.verdict, failure.message, environment=measured_on)
            return
        except TimingNotCredible as doubt:
            yield Finished(Verdict.TNC, str(doubt), environment=measured_on)
            return
    remarks += tuple(remark for remark in _fit(machine) if remark not in remarks)
    yield Finished(
        Verdict.AC,
        "Every output was right, tests and timed calls alike.",
        score=score(timings),
        environment=replace(measured_on, remarks=remarks),
    )


def _judge_baseline(
    package: ProblemPackage, machine: Machine, turn: Turn, proceed: Checkpoint
) -> Iterator[Event]:
    proceed()
    yield StageEntered(Status.COMPILING)
    oracle = load_oracle(package)
    if not oracle.has_baseline:
        yield Finished(
            Verdict.UNS,
            f"{package.problem.slug} names no library call to compare with.",
            environment=environment(machine),
        )
        return
    workloads = package.problem.workloads_for(machine.device.kind)
    budget_seconds = machine.device.timing.max_seconds / len(workloads)
    with turn():
        yield StageEntered(Status.CHECKING)
        remarks = _fit(machine)
        yield StageEntered(Status.TIMING, total=len(workloads))
        timings = []
        for index, workload in enumerate(workloads):
            with machine.device.watch() as window:
                timing = time_baseline(package, oracle, workload, machine, budget_seconds, proceed)
            remarks += _remark(workload.name, window.disturbances())
            timings.append(timing)
            yield WorkloadTimed(index, len(workloads), timing)
    yield Finished(
        Verdict.AC,
        "Every output was right.",
        score=score(timings),
        environment=replace(environment(machine), remarks=remarks),
    )


def _remark(workload: str, clauses: tuple[str, ...]) -> tuple[str, ...]:
    """One sentence on what disturbed a Workload's timing, if anything did."""
    return (f"While `{workload}` was timed, {'; '.join(clauses)}.",) if clauses else ()


def _fit(machine: Machine) -> tuple[str, ...]:
    """What the device's probe remarks; raises DeviceBroken."""
    fitness = machine.device.fitness()
    if fitness.broken:
        raise DeviceBroken(fitness.broken)
    return fitness.remarks


def _compile(source: str, package: ProblemPackage, machine: Machine) -> CompileResult:
    problem = package.problem
    entry = detect_entry(source, problem)
    return machine.compiler.compile(
        CompileRequest(
            source=source,
            prototype=header(problem, entry),
            signature=signature(problem),
            entry=entry,
            target=machine.device.target,
            limits=problem.limits,
            cpus=_spare_cpus(machine),
        )
    )


def _empty_artifact(package: ProblemPackage, machine: Machine) -> Path:
    """The trusted program that does nothing, for the cost of an empty bracket."""
    source = f'extern "C" {signature(package.problem)} {{}}\n'
    compiled = _compile(source, package, machine)
    if compiled.artifact is None:
        raise RuntimeError(f"the trusted empty program does not compile: {compiled.output}")
    return compiled.artifact


def _spare_cpus(machine: Machine) -> frozenset[int] | None:
    """The cores a compilation may use while another Run is on the device."""
    if machine.device.cpus is None:
        return None
    return frozenset(os.sched_getaffinity(0)) - machine.device.cpus or None
