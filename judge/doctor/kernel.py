"""What this kernel offers to confine programs with: namespaces, control groups, filters."""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Iterator
from pathlib import Path

from judge.doctor.finding import Finding, State

#: The same number on every architecture.
_LANDLOCK_CREATE_RULESET = 444
_LANDLOCK_CREATE_RULESET_VERSION = 1
_CONTROLLERS = ("memory", "pids")
_DELEGATE = "run the worker by systemd with Delegate=memory pids, or use the docker sandbox"


def kernel_findings(root: Path = Path("/")) -> Iterator[Finding]:
    """``root`` is where proc and sys are mounted."""
    yield Finding(State.OK, "kernel", f"{platform.system()} {platform.release()}")
    yield _user_namespaces(root)
    yield _control_groups(root)
    yield _seccomp(root)
    yield _landlock()


def _user_namespaces(root: Path) -> Finding:
    what = "user namespaces"
    for sysctl, refusal, value in (
        ("user/max_user_namespaces", "0", "above 0"),
        ("kernel/unprivileged_userns_clone", "0", "1"),
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "0"),
    ):
        setting = root / "proc/sys" / sysctl
        if not setting.exists() or setting.read_text().strip() != refusal:
            continue
        name = sysctl.replace("/", ".")
        # Root makes its namespaces itself, and both other settings are about everybody else.
        state = State.NOTE if os.geteuid() == 0 else State.WARNING
        to_do = f"set sysctl {name} to {value}, start the judge as root, or use the docker sandbox"
        return Finding(state, what, f"forbidden by sysctl {name}={refusal}", to_do)
    if not (root / "proc/self/ns/user").exists():
        to_do = "boot a kernel with CONFIG_USER_NS, or use the docker sandbox"
        return Finding(State.WARNING, what, "this kernel has none", to_do)
    return Finding(State.OK, what, "allowed by this kernel's settings")


def _control_groups(root: Path) -> Finding:
    what = "control groups"
    if not (root / "proc/self/mounts").exists():
        return Finding(State.WARNING, what, "/proc is not mounted", "mount /proc")
    kinds = {line.split()[2] for line in (root / "proc/self/mounts").read_text().splitlines()}
    if "cgroup2" not in kinds:
        found = "version 1" if "cgroup" in kinds else "none mounted"
        to_do = f"boot with systemd.unified_cgroup_hierarchy=1 for version 2, then {_DELEGATE}"
        return Finding(State.WARNING, what, f"{found}; memory is watched, not held", to_do)
    hybrid = ", beside version 1" if "cgroup" in kinds else ""
    return Finding(State.OK, what, f"version 2{hybrid}")


def _seccomp(root: Path) -> Finding:
    actions = root / "proc/sys/kernel/seccomp/actions_avail"
    if not actions.exists():
        to_do = "boot a kernel with CONFIG_SECCOMP_FILTER"
        return Finding(State.FAULT, "seccomp", "this kernel has no filters", to_do)
    return Finding(State.OK, "seccomp", f"filters may {', '.join(actions.read_text().split())}")


def _landlock() -> Finding:
    libc = ctypes.CDLL(None, use_errno=True)
    version = int(libc.syscall(_LANDLOCK_CREATE_RULESET, None, 0, _LANDLOCK_CREATE_RULESET_VERSION))
    if version < 1:
        why = os.strerror(ctypes.get_errno())
        to_do = (
            "boot Linux 5.13 or later with landlock in its lsm= list; in a container, "
            "the engine's seccomp profile must allow it"
        )
        return Finding(State.WARNING, "Landlock", f"not available: {why}", to_do)
    return Finding(State.OK, "Landlock", f"version {version} of its interface")
