"""From how a runner ended, or what it answered, to the verdict and the words for its author.

Pure: reads an Outcome or an answer, touches no process. Whatever the program wrote is its own
word and decides only on the wording, never on whether it failed.
"""

from __future__ import annotations

import signal
from enum import Enum

from judge.devices.interface import RunnerFailure
from judge.domain import Verdict
from judge.execution import Ending, Outcome
from judge.runner import cuda_errors
from judge.runner.protocol import EXIT_SETUP_FAILED, Status

#: The emulation runtime's exit code and line, see warpboard_emulation.h.
EXIT_DIAGNOSIS = 86
_DIAGNOSIS_MARK = "warpboard-diagnosis: "
_RUNNER_MARK = "warpboard-runner: "
_SHOWN_CHARACTERS = 2000


class Phase(Enum):
    """What the runner was doing, in the words of the messages."""

    STARTING = "before solve was called"
    CALLING = "inside solve"


_SIGNALS = {
    signal.SIGSEGV: "invalid memory access",
    signal.SIGBUS: "bus error",
    signal.SIGFPE: "arithmetic fault such as an integer division by zero",
    signal.SIGILL: "illegal instruction",
    signal.SIGABRT: "abort, for example a failed assertion or an uncaught exception",
    signal.SIGSYS: "forbidden system call",
    signal.SIGKILL: "killed",
}


def of_death(outcome: Outcome, phase: Phase) -> RunnerFailure:
    """Why a runner that ended on its own, or at a cap of the sandbox, fails its submission."""
    capped = _CAPS.get(outcome.ending)
    if capped is not None:
        verdict, text = capped
        return RunnerFailure(verdict, text)
    written = _readable(outcome.stderr)
    if "std::bad_alloc" in written and _is_abort(outcome):
        return RunnerFailure(Verdict.MLE, "The program ran out of memory (std::bad_alloc).")
    if outcome.ending is Ending.SIGNALLED:
        return _of_signal(outcome.signal or 0, phase, written)
    if outcome.ending is Ending.EXITED:
        return _of_exit(outcome.exit_code or 0, phase, written)
    return RunnerFailure(Verdict.RTE, f"The program was ended by the judge {phase.value}.")


def of_time_out(phase: Phase, seconds: float, calls: int) -> RunnerFailure:
    """A runner that had to be stopped after ``seconds``."""
    if phase is Phase.STARTING:
        return RunnerFailure(Verdict.TLE, f"The program did not start within {seconds:g} s.")
    what = "solve did not return" if calls == 1 else f"{calls} calls of solve did not return"
    return RunnerFailure(Verdict.TLE, f"{what} within {seconds:g} s.")


def of_breach(what: str) -> RunnerFailure:
    """A living runner that does not keep to the protocol, which honest code cannot cause."""
    return RunnerFailure(
        Verdict.RTE,
        f"The program interfered with the judge's protocol: {what}. "
        "A submission must leave descriptors and memory that it does not own alone.",
    )


def of_status(status: Status | None, text: str) -> RunnerFailure | None:
    """What a reply's status means; None when the call went well."""
    text = _printable(text)
    match status:
        case Status.OK:
            return None
        case Status.OUT_OF_MEMORY:
            return RunnerFailure(Verdict.MLE, f"The program ran out of memory ({text}).")
        case Status.EXCEPTION:
            return RunnerFailure(Verdict.RTE, f"solve let an exception escape: {text}")
        case Status.DEVICE_ERROR:
            message = f"A CUDA error was pending after solve: {text}"
            return RunnerFailure(Verdict.RTE, _explained(message, text))
        case Status.UNSUPPORTED:
            return RunnerFailure(
                Verdict.UNS,
                f"The program holds no code that this GPU can run ({text}). "
                "Do not select architectures in the source; the judge compiles for this device.",
            )
        case Status.BAD_COMMAND:
            return of_breach("it refused a command")
        case None:
            return of_breach("it answered with an unknown status")


def _explained(message: str, error: str) -> str:
    meaning = cuda_errors.meaning(error)
    return f"{message}. {meaning}" if meaning else message


_CAPS = {
    Ending.WALL_LIMIT: (Verdict.TLE, "The program reached the time limit of its session."),
    Ending.CPU_LIMIT: (Verdict.TLE, "The program reached its limit of processor time."),
    Ending.MEMORY_LIMIT: (Verdict.MLE, "The program reached the memory limit."),
    Ending.OUTPUT_LIMIT: (Verdict.OLE, "The program wrote more output than is allowed."),
}


def _is_abort(outcome: Outcome) -> bool:
    if outcome.ending is Ending.SIGNALLED:
        return outcome.signal == signal.SIGABRT
    return outcome.exit_code == EXIT_DIAGNOSIS


def _of_signal(number: int, phase: Phase, written: str) -> RunnerFailure:
    if number == signal.SIGXFSZ:
        return RunnerFailure(Verdict.OLE, "The program wrote a larger file than is allowed.")
    if number == signal.SIGXCPU:
        return RunnerFailure(*_CAPS[Ending.CPU_LIMIT])
    try:
        known = signal.Signals(number)
    except ValueError:
        description = f"signal {number}"
    else:
        description = known.name
        if known in _SIGNALS:
            description += f", {_SIGNALS[known]}"
    message = f"The program crashed {phase.value} ({description})."
    return RunnerFailure(Verdict.RTE, _with_output(message, written))


def _of_exit(code: int, phase: Phase, written: str) -> RunnerFailure:
    if code == EXIT_DIAGNOSIS:
        diagnosis = _marked(written, _DIAGNOSIS_MARK)
        if diagnosis is not None:
            return RunnerFailure(Verdict.RTE, diagnosis)
    if code == EXIT_SETUP_FAILED and phase is Phase.STARTING:
        reason = _marked(written, _RUNNER_MARK)
        if reason is not None:
            return RunnerFailure(Verdict.RTE, f"The program could not be started: {reason}")
    message = f"The program exited {phase.value} (exit code {code})"
    message += " instead of returning." if phase is Phase.CALLING else "."
    return RunnerFailure(Verdict.RTE, _with_output(message, written))


def _marked(written: str, mark: str) -> str | None:
    for line in written.splitlines():
        if line.startswith(mark):
            return line.removeprefix(mark)
    return None


def _with_output(message: str, written: str) -> str:
    tail = written.strip()
    return f"{message} It wrote: {tail}" if tail else message


def _readable(raw: bytes) -> str:
    return _printable(raw.decode(errors="replace"))


def _printable(text: str) -> str:
    kept = "".join(c if c.isprintable() or c == "\n" else " " for c in text)
    return kept if len(kept) <= _SHOWN_CHARACTERS else kept[:_SHOWN_CHARACTERS] + " …"
