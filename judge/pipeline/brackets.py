"""Where a Workload's brackets come from: fresh runners, fresh inputs, every output compared.

Knows sessions and what must be right in them; what the clocks say is ``timed``'s affair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from judge.devices.interface import Bracket, RunnerFailure, Session, SessionLimits
from judge.domain import Verdict, Workload
from judge.machine import Machine
from judge.pipeline.aborting import Checkpoint
from judge.pipeline.calls import call_bytes
from judge.pipeline.examination import Examiner
from judge.problems.oracle import Oracle
from judge.problems.package import ProblemPackage

#: Untimed calls in each fresh process; their outputs are compared like all others.
WARM_UP_CALLS = 2

#: Brackets of the trusted runner, before the submission and again after it.
EMPTY_BRACKETS = 10

#: Batches in each process that only vouch for single calls; each averages over many calls.
VOUCHING_BATCHES = 4


class BracketSource:
    """Brackets of one Workload of one problem on one machine."""

    def __init__(
        self,
        package: ProblemPackage,
        oracle: Oracle,
        workload: Workload,
        machine: Machine,
        limits: SessionLimits,
        proceed: Checkpoint,
    ) -> None:
        self._workload = workload
        self._machine = machine
        self._limits = limits
        self._proceed = proceed
        self._examiner = Examiner(package, oracle, workload, machine.device.torch_device)

    @property
    def batch_calls(self) -> int:
        """How many calls a batch holds: as many as the device has room for."""
        limits = self._machine.device.timing
        fitting = limits.batch_bytes // max(call_bytes(self._examiner.call), 1)
        return max(1, min(limits.batch_calls, fitting))

    def probe(self, artifact: Path) -> list[Bracket]:
        """A few single calls in a process of their own."""
        with self._session(artifact, 1) as session:
            return [self._sample(session, (0,)) for _ in range(WARM_UP_CALLS + 1)][1:]

    def empty(self, artifact: Path, shapes: Iterable[int]) -> list[Bracket]:
        """Brackets of the trusted runner with an empty ``solve``; ``shapes`` are calls a bracket.

        Its buffers are those that ``process`` with the same shapes has.
        """
        kept: list[Bracket] = []
        with self._session(artifact, max(shapes)) as session:
            for calls in sorted(set(shapes)):
                brackets = []
                for _ in range(WARM_UP_CALLS + EMPTY_BRACKETS):
                    self._proceed()
                    # The oracle's work before it leaves the device as a submission finds it.
                    trial = self._examiner.draw()
                    for slot in range(calls):
                        session.stage(slot, trial.tensors)
                    brackets.append(session.bracket(range(calls)))
                kept += brackets[WARM_UP_CALLS:]
        return kept

    def process(
        self, artifact: Path, calls: int, vouching: int, enough: Callable[[Bracket], bool]
    ) -> Iterator[Bracket]:
        """One fresh process: brackets of ``calls`` until they are ``enough``, then vouching ones.

        ``vouching`` is the calls in each of the latter; 1: none.
        """
        with self._session(artifact, max(calls, vouching)) as session:
            for _ in range(WARM_UP_CALLS):
                self._sample(session, (0,))
            while True:
                bracket = self._sample(session, range(calls))
                yield bracket
                if enough(bracket):
                    break
            if vouching > 1:
                for _ in range(VOUCHING_BATCHES):
                    yield self._sample(session, range(vouching))

    def _sample(self, session: Session, slots: Sequence[int]) -> Bracket:
        """One bracket over fresh inputs, all its outputs compared."""
        self._proceed()
        trials = [self._examiner.draw() for _ in slots]
        for slot, trial in zip(slots, trials, strict=True):
            session.stage(slot, trial.tensors)
        bracket = session.bracket(slots)
        for slot, trial in zip(slots, trials, strict=True):
            outcome = self._examiner.examine(trial, session, slot)
            if not outcome.ok:
                raise RunnerFailure(
                    Verdict.WA,
                    f"Right in the tests, wrong in a timed call of workload "
                    f"`{self._workload.name}`: {outcome.message}",
                )
        return bracket

    def _session(self, artifact: Path, slots: int) -> AbstractContextManager[Session]:
        machine = self._machine
        return machine.device.open(
            artifact, self._examiner.call, slots, self._limits, machine.executor
        )
