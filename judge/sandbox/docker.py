"""Confinement by a Docker Engine: a container for every program, from a pinned image.

The program sees the image, a private bounded /tmp, Docker's usual harmless devices and what its
Command mounts. It runs as nobody in a container without network, capabilities, new privileges or a
writable root, under our system-call filter and the engine's caps on processes and memory. Our
launcher is process 1 there too (waiting.h): limits, output, the end and its report are supervised
as for every other back end (process.py).
"""

from __future__ import annotations

import os
import signal
import socket
import weakref
from pathlib import Path

from judge.execution import (
    Command,
    Ending,
    ExecutionLimits,
    Outcome,
    SandboxUnavailable,
)
from judge.sandbox import handed_over
from judge.sandbox.confinement import Account, Started
from judge.sandbox.docker_container import Container
from judge.sandbox.docker_engine import Engine
from judge.sandbox.docker_pool import Pool
from judge.sandbox.docker_shape import Shape
from judge.sandbox.docker_view import EngineView
from judge.sandbox.launcher import launcher_path
from judge.sandbox.limits import resource_limits
from judge.sandbox.process import SupervisedProcess

_MOST_BYTES = 120 * 1024
_NICENESS = 10
_PROBE = Command(
    argv=("/bin/true",), limits=ExecutionLimits(wall_seconds=30.0, cpu_seconds=10.0, processes=4)
)


class DockerSandbox:
    """The docker back end; implements ``judge.execution.Executor``.

    Constructing it runs a program, so that one who holds a sandbox holds one that works.
    """

    def __init__(
        self,
        image: str,
        shared: Path | None = None,
        *,
        launcher_cache: Path | None = None,
        ahead: bool = True,
    ) -> None:
        """``image`` is named by its digest or ID. ``shared`` is a folder that the engine sees under
        the same path, for a judge that runs in a container itself. ``ahead`` False keeps no
        containers ready. Raises ``SandboxUnavailable`` with what is missing.
        """
        engine = Engine()
        self._image = engine.pinned_image(image)
        if shared is not None and not shared.is_dir():
            raise SandboxUnavailable(f"WARPBOARD_SANDBOX_SHARED={shared} is not a folder")
        self.engine = engine
        self.pool = Pool(
            engine, self._image, launcher_path(launcher_cache), EngineView(shared), ahead=ahead
        )
        self._finalizer = weakref.finalize(self, self.pool.close)
        outcome = self.run(_PROBE)
        if outcome.ending is not Ending.EXITED or outcome.exit_code != 0:
            raise SandboxUnavailable(
                f"the sandbox image {image} does not work: /bin/true ended with {outcome}"
            )

    @property
    def name(self) -> str:
        return "docker"

    @property
    def image_digest(self) -> str:
        return self._image

    def spawn(self, command: Command) -> SupervisedProcess:
        """Start ``command`` in a container of its own.

        A writable mount is copied in and back: the program gets a folder that only it can fill,
        bounded, and its source has what was in that once the program is over. Raises
        ``SandboxUnavailable`` when it cannot be confined, FileNotFoundError for a mount whose
        source does not exist.
        """
        shape = Shape.of(command)
        message = _message(command)
        return SupervisedProcess(command, _DockerConfinement(command, shape, message, self))

    def run(self, command: Command) -> Outcome:
        """``spawn`` and wait to the end."""
        return self.spawn(command).wait()

    def ready(self, command: Command) -> int:
        """How many containers wait for a command like this one."""
        return self.pool.ready(Shape.of(command))

    def close(self) -> None:
        """End the containers that wait; no program may run any more. Also happens at exit."""
        self._finalizer()


class _DockerConfinement:
    """Implements ``judge.sandbox.confinement.Confinement``."""

    def __init__(
        self, command: Command, shape: Shape, message: bytes, sandbox: DockerSandbox
    ) -> None:
        self._command = command
        self._shape = shape
        self._message = message
        # Whole: its pool's folder must stay as long as a program uses part of it.
        self._sandbox = sandbox
        self._container: Container | None = None
        self._has_run = False

    @property
    def holds_memory(self) -> bool:
        """The engine's caps are rounded up; the exact limit is watched."""
        return False

    def start(self, out: int, err: int) -> Started:
        container = self._container = self._sandbox.pool.take(self._shape)
        writable = iter(container.folders)
        for mount in self._command.mounts:
            if mount.writable:
                handed_over.fill(next(writable), mount.source)
            elif not mount.lasting:
                container.put(mount.target, mount.source)
        control = container.control.dup()
        try:
            socket.send_fds(control, [self._message], [out, err])
            self._has_run = True
            return Started(control, os.dup(container.death_fd))
        except BaseException:
            control.close()
            raise

    def why_it_ended(self) -> str:
        return "its launcher went away"

    def on_hang_up(self) -> None:
        assert self._container is not None
        self._container.note_hang_up()

    def tear_down(self) -> None:
        if self._container is not None:
            self._sandbox.engine.remove(self._container.identifier)

    def account(self) -> Account:
        return Account(status=signal.SIGKILL)

    def ran_out_of_memory(self, reported_status: int | None) -> bool:
        assert self._container is not None
        if self._shape.memory_bytes is None or reported_status == 0:
            return False
        killed = reported_status is None or (
            os.WIFSIGNALED(reported_status) and os.WTERMSIG(reported_status) == signal.SIGKILL
        )
        return self._sandbox.engine.ran_out_of_memory(
            self._container.identifier, self._container.started_at, await_news=killed
        )

    def clean_up(self) -> None:
        container = self._container
        if container is None:
            return
        try:
            if self._has_run:
                container.end()
                self._bring_back(container)
        finally:
            container.discard()

    def _bring_back(self, container: Container) -> None:
        writable = [mount for mount in self._command.mounts if mount.writable]
        for mount, folder in zip(writable, container.folders, strict=True):
            handed_over.bring_back(folder, mount.source)


def _message(command: Command) -> bytes:
    """The command as further arguments of the launcher. Raises ValueError if it is too long."""
    arguments = ["--directory", str(command.working_directory)]
    limits = resource_limits(command.limits, cap_address_space=True)
    # It counts all of this user's processes on the host; the container has a count of its own.
    del limits["nproc"]
    for name, value in limits.items():
        arguments += ["--limit", f"{name}={value}"]
    for name, value in command.environment.items():
        arguments += ["--environment", f"{name}={value}"]
    if command.background:
        arguments += ["--nice", str(_NICENESS)]
    arguments += ["--", *command.argv]
    parts = [os.fsencode(argument) for argument in arguments]
    if any(b"\0" in part for part in parts):
        raise ValueError("a command cannot hold a NUL byte")
    message = b"".join(part + b"\0" for part in parts)
    if len(message) > _MOST_BYTES:
        raise ValueError(
            f"the command is {len(message):,} bytes long; {_MOST_BYTES:,} are possible"
        )
    return message
