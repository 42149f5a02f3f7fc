"""Confinement of untrusted programs: one interface (judge.execution), bubblewrap behind it.

There is no way to run a program unconfined: where no back end works, ``default_executor`` says
what to install. Nothing here knows compilers, devices or what the programs are for.
"""

from __future__ import annotations

from judge.execution import Executor
from judge.sandbox.bubblewrap import BubblewrapSandbox

__all__ = ["default_executor"]


def default_executor() -> Executor:
    """The sandbox of this machine, proved by running a program in it.

    Raises ``SandboxUnavailable`` saying what is missing and what to install.
    """
    return BubblewrapSandbox()
