"""Containers made ahead of their programs, so that a program need not wait for one.

A kind of container (a ``Shape``) that is asked for a second time is worth keeping ready; a single
thread makes them, one after another. A judge that dies takes its containers with it, as their
launchers notice; what may still be left is swept by the next judge.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import queue
import shutil
import tempfile
import threading
from collections import OrderedDict, deque
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import structlog

from judge.execution import SandboxUnavailable
from judge.sandbox.docker_container import Container
from judge.sandbox.docker_engine import Engine
from judge.sandbox.docker_shape import LAUNCHER_INSIDE, Shape, configuration
from judge.sandbox.docker_view import EngineView

#: On every container: the folder of the judge that it belongs to.
LABEL = "org.warpboard.judge"

_FOLDER_PREFIX = "warpboard-docker-"
_LOCK_NAME = "lock"
_READY_OF_A_SHAPE = 2
_MOST_READY = 12
_SHAPES_REMEMBERED = 64

log = structlog.get_logger(__name__)


class Pool:
    """Hands out containers, each once. Safe to use from several threads."""

    def __init__(
        self, engine: Engine, image: str, launcher: Path, view: EngineView, *, ahead: bool
    ) -> None:
        """``ahead`` False makes every container when it is asked for."""
        self._engine = engine
        self._image = image
        self._view = view
        self._launcher = view.visible(launcher)
        self._ahead = ahead
        self._lock = threading.Lock()
        self._ready: OrderedDict[Shape, deque[Container]] = OrderedDict()
        self._asked: OrderedDict[Shape, int] = OrderedDict()
        self._wanted: queue.SimpleQueue[Shape | None] = queue.SimpleQueue()
        self._maker: threading.Thread | None = None
        self._closed = False
        sweep(engine, view.workshop)
        self._folder = Path(tempfile.mkdtemp(prefix=_FOLDER_PREFIX, dir=view.workshop))
        self._lock_fd = os.open(self._folder / _LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
        fcntl.flock(self._lock_fd, fcntl.LOCK_EX)

    def take(self, shape: Shape) -> Container:
        """A container of ``shape`` that waits; the caller ends it.

        Raises ``SandboxUnavailable`` when one cannot be made.
        """
        with self._lock:
            ready = self._pop(shape)
            self._remember(shape)
        return ready if ready is not None else self._make(shape)

    def ready(self, shape: Shape) -> int:
        """How many of ``shape`` wait."""
        with self._lock:
            return len(self._ready.get(shape, ()))

    def close(self) -> None:
        """End all that wait, and forget them (idempotent)."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._wanted.put(None)
            waiting = [container for kind in self._ready.values() for container in kind]
            self._ready.clear()
        if self._maker is not None:
            self._maker.join()
        for container in waiting:
            container.discard()
        os.close(self._lock_fd)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _pop(self, shape: Shape) -> Container | None:
        kind = self._ready.get(shape)
        while kind:
            container = kind.popleft()
            if container.is_waiting:
                return container
            container.discard()  # killed from outside
        return None

    def _remember(self, shape: Shape) -> None:
        """Count how often it was asked for, and have it made if that is worth it."""
        self._asked[shape] = self._asked.pop(shape, 0) + 1
        if len(self._asked) > _SHAPES_REMEMBERED:
            self._asked.popitem(last=False)
        if self._ahead and self._asked[shape] > 1 and not self._closed:
            self._wanted.put(shape)
            if self._maker is None:
                self._maker = threading.Thread(
                    target=self._make_ahead, name="sandbox-pool", daemon=True
                )
                self._maker.start()

    def _make_ahead(self) -> None:
        while (shape := self._wanted.get()) is not None:
            try:
                while self.ready(shape) < _READY_OF_A_SHAPE and not self._closed:
                    self._keep(shape, self._make(shape))
            except SandboxUnavailable as error:
                # Whoever asks for one next makes it, and is told if that fails again.
                log.warning("no container made ahead", reason=str(error))

    def _keep(self, shape: Shape, container: Container) -> None:
        surplus: list[Container] = []
        with self._lock:
            if self._closed:
                surplus.append(container)
            else:
                self._ready.setdefault(shape, deque()).append(container)
                self._ready.move_to_end(shape)
                while sum(map(len, self._ready.values())) > _MOST_READY:
                    oldest, kind = next(iter(self._ready.items()))
                    surplus.append(kind.popleft())
                    if not kind:
                        del self._ready[oldest]
        for container in surplus:
            container.discard()

    def _make(self, shape: Shape) -> Container:
        return Container(shape, self._folder, self._engine, partial(self._start, shape))

    def _start(self, shape: Shape, own: Mapping[Path, Path]) -> str:
        binds = {
            Path(LAUNCHER_INSIDE): self._launcher,
            **{mount.target: self._view.visible(mount.source) for mount in shape.lasting},
            **own,
        }
        labels = {LABEL: str(self._folder)}
        return self._engine.start(configuration(shape, self._image, binds, labels))


def sweep(engine: Engine, workshop: Path) -> None:
    """Remove what judges that are dead have left in ``workshop`` and in the engine."""
    for folder in workshop.glob(f"{_FOLDER_PREFIX}*"):
        with contextlib.suppress(FileNotFoundError, PermissionError):  # just going, or another's
            if folder.stat().st_uid == os.geteuid() and _is_abandoned(folder):
                for container, owner in engine.labelled(LABEL).items():
                    if owner == str(folder):
                        engine.remove(container)
                shutil.rmtree(folder)


def _is_abandoned(folder: Path) -> bool:
    """A living judge holds the lock; one without a lock file is about to make it."""
    with (folder / _LOCK_NAME).open("rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True
