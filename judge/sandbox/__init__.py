"""Confinement of untrusted programs: one interface (judge.execution), two back ends behind it.

There is no way to run a program unconfined: where no back end works, ``default_executor`` says
what to install. Nothing here knows compilers, devices or what the programs are for.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from judge.execution import Executor, SandboxUnavailable
from judge.sandbox.bubblewrap import BubblewrapSandbox

__all__ = ["default_executor"]


def default_executor(environment: Mapping[str, str] = os.environ) -> Executor:
    """The sandbox of this machine, proved by running a program in it.

    ``WARPBOARD_SANDBOX`` chooses the back end: ``bubblewrap``, ``docker``, or ``auto``, which is
    bubblewrap and, where that does not work, docker. Raises ``SandboxUnavailable`` saying what is
    missing and what to install.
    """
    chosen = environment.get("WARPBOARD_SANDBOX") or "auto"
    if chosen == "docker":
        return _docker(environment)
    if chosen == "bubblewrap":
        return BubblewrapSandbox()
    if chosen != "auto":
        raise SandboxUnavailable(
            f"WARPBOARD_SANDBOX={chosen} names no sandbox; set it to bubblewrap, docker or auto"
        )
    try:
        return BubblewrapSandbox()
    except SandboxUnavailable as without_bubblewrap:
        try:
            return _docker(environment)
        except SandboxUnavailable as without_docker:
            raise SandboxUnavailable(
                f"no sandbox works here. bubblewrap: {without_bubblewrap}. docker: {without_docker}"
            ) from without_docker


def _docker(environment: Mapping[str, str]) -> Executor:
    # Imported here: docker-py is slow to load, and most judges never need it.
    from judge.sandbox.docker import DockerSandbox

    shared = environment.get("WARPBOARD_SANDBOX_SHARED")
    return DockerSandbox(
        environment.get("WARPBOARD_SANDBOX_IMAGE", ""), Path(shared) if shared else None
    )
