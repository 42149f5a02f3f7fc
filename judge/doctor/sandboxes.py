"""Which sandbox back ends work on this machine, by running a program in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge.doctor.finding import Finding, State
from judge.execution import SandboxUnavailable
from judge.sandbox import default_executor
from judge.sandbox.bubblewrap import BubblewrapSandbox, Identity

_BACK_ENDS = ("bubblewrap", "docker")


def sandbox_findings(environment: Mapping[str, str]) -> Iterator[Finding]:
    """One line for each back end, and one for what a worker with ``environment`` would use."""
    works = []
    for name in _BACK_ENDS:
        try:
            executor = default_executor({**environment, "WARPBOARD_SANDBOX": name})
        except SandboxUnavailable as error:
            # Only the choice below can be wrong: one back end is enough.
            yield Finding(State.NOTE, f"sandbox {name}", "does not work", str(error))
            continue
        works.append(name)
        yield Finding(State.OK, f"sandbox {name}", _how(executor))
        if isinstance(executor, BubblewrapSandbox):
            yield _memory(executor)
    yield _choice(environment.get("WARPBOARD_SANDBOX") or "auto", works)


def _how(executor: object) -> str:
    if not isinstance(executor, BubblewrapSandbox):
        return f"ran a program in image {getattr(executor, 'image_digest', '')}"
    if executor.identity is Identity.ROOT_TO_NOBODY:
        return f"ran a program ({executor.identity}; all sandboxes share one count of processes)"
    return f"ran a program ({executor.identity})"


def _memory(sandbox: BubblewrapSandbox) -> Finding:
    what = "delegated group"
    if sandbox.has_control_groups:
        return Finding(State.OK, what, "the kernel holds each sandbox to its memory")
    found = "none: memory is watched ten times a second, and memfds go uncounted"
    to_do = "run the worker by systemd with Delegate=memory pids, or use the docker sandbox"
    return Finding(State.WARNING, what, found, to_do)


def _choice(chosen: str, works: list[str]) -> Finding:
    what = "sandbox"
    if chosen not in (*_BACK_ENDS, "auto"):
        to_do = f"set it to {', '.join(_BACK_ENDS)} or auto"
        return Finding(State.FAULT, what, f"WARPBOARD_SANDBOX={chosen} names none", to_do)
    usable = [name for name in works if chosen in (name, "auto")]
    if not usable:
        which = "none works" if chosen == "auto" else f"{chosen}, which was chosen, does not work"
        to_do = "nothing is ever judged unconfined: see the lines on each sandbox above"
        return Finding(State.FAULT, what, which, to_do)
    return Finding(State.OK, what, f"{usable[0]} is used (WARPBOARD_SANDBOX={chosen})")
