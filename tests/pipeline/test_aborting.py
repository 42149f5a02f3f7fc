"""A Run that nobody wants any more ends between two brackets, with the verdict AB."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from judge.domain import Status, Verdict
from judge.events import CaseJudged, Compiled, Event, Finished, SamplesTaken, StageEntered
from judge.machine import Machine
from judge.pipeline import judge
from judge.problems.package import ProblemPackage

RIGHT = """#include <cuda_runtime.h>
__global__ void kernel(const float* A, const float* B, float* C, int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) C[i] = A[i] + B[i];
}
extern "C" void solve(const float* A, const float* B, float* C, int N) {
    kernel<<<(N + 255) / 256, 256>>>(A, B, C, N);
}
"""


class Switch:
    """Says that the Run was aborted, once it was."""

    def __init__(self) -> None:
        self.aborted = False

    def __call__(self) -> bool:
        return self.aborted


def judged_until(
    reached: Callable[[Event], bool], machine: Machine, package: ProblemPackage
) -> Iterator[Event]:
    """The events of a judging that is aborted when ``reached`` says so."""
    switch = Switch()
    for event in judge(RIGHT, package, machine, is_aborted=switch):
        yield event
        switch.aborted = switch.aborted or reached(event)


def test_a_run_aborted_before_its_turn_is_not_even_compiled(
    machine: Machine, vector_add: ProblemPackage
) -> None:
    (only,) = judge(RIGHT, vector_add, machine, is_aborted=lambda: True)

    assert isinstance(only, Finished)
    assert only.verdict is Verdict.AB
    assert only.score is None


def test_a_run_aborted_after_compiling_never_takes_the_device(
    machine: Machine, vector_add: ProblemPackage
) -> None:
    *before, last = judged_until(lambda e: isinstance(e, Compiled), machine, vector_add)

    assert isinstance(last, Finished)
    assert last.verdict is Verdict.AB
    stages = [event.status for event in before if isinstance(event, StageEntered)]
    assert stages == [Status.COMPILING]


def test_a_run_aborted_while_it_is_checked_judges_no_further_case(
    machine: Machine, vector_add: ProblemPackage
) -> None:
    *before, last = judged_until(lambda e: isinstance(e, CaseJudged), machine, vector_add)

    assert isinstance(last, Finished)
    assert last.verdict is Verdict.AB
    assert sum(isinstance(event, CaseJudged) for event in before) == 1


def test_a_run_aborted_while_it_is_timed_takes_no_further_process(
    machine: Machine, vector_add: ProblemPackage
) -> None:
    *before, last = judged_until(lambda e: isinstance(e, SamplesTaken), machine, vector_add)

    assert isinstance(last, Finished)
    assert last.verdict is Verdict.AB
    # A slow process tells of its progress more than once.
    assert {event.process for event in before if isinstance(event, SamplesTaken)} == {0}


def test_the_machine_judges_the_next_run_after_an_abort(
    machine: Machine, vector_add: ProblemPackage
) -> None:
    list(judged_until(lambda e: isinstance(e, CaseJudged), machine, vector_add))

    *_, last = judge(RIGHT, vector_add, machine)

    assert isinstance(last, Finished)
    assert last.verdict is Verdict.AC
