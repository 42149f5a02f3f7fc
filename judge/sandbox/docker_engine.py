"""What the docker back end asks of a Docker Engine, and its refusals in words.

The engine is the one that DOCKER_HOST names, or the default socket's. Nothing here knows what the
containers are for.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from docker.api import APIClient
from docker.errors import APIError, DockerException, NotFound
from docker.utils import kwargs_from_env

from judge.execution import SandboxUnavailable

_CALL_SECONDS = 60
_END_SECONDS = 10
#: How long the news that the kernel killed for memory may take to arrive here.
_NEWS_SECONDS = 1.0
_INSTALL_HINT = (
    "install Docker Engine (`apt-get install docker.io`), start it, let this user reach its "
    "socket, or point DOCKER_HOST at it"
)
_IMAGE_HINT = (
    "build it (`docker build --tag warpboard/sandbox docker/sandbox`) and set "
    "WARPBOARD_SANDBOX_IMAGE to what `docker image inspect --format '{{.Id}}' warpboard/sandbox` "
    "prints"
)


class Engine:
    """A Docker Engine that answers. Safe to use from several threads."""

    def __init__(self) -> None:
        """Raises ``SandboxUnavailable`` if there is none."""
        self._version = "auto"
        try:
            with self._connected() as client:
                self._version = client.api_version
        except DockerException as error:
            raise SandboxUnavailable(
                f"no Docker Engine answers: {error}; {_INSTALL_HINT}"
            ) from error

    @contextmanager
    def _connected(self) -> Iterator[APIClient]:
        """A client for one call: docker-py keeps a connection for every address it ever asked."""
        client = APIClient(version=self._version, timeout=_CALL_SECONDS, **kwargs_from_env())
        try:
            yield client
        finally:
            client.close()

    def pinned_image(self, reference: str) -> str:
        """The ID of the image that ``reference`` names by a digest or by its ID.

        Raises ``SandboxUnavailable`` for a name that could come to mean another image.
        """
        if not reference:
            raise SandboxUnavailable(f"no sandbox image is named: {_IMAGE_HINT}")
        try:
            with self._connected() as client:
                found = str(client.inspect_image(reference)["Id"])
        except NotFound:
            raise SandboxUnavailable(
                f"the engine has no image {reference}: pull it, or {_IMAGE_HINT}"
            ) from None
        except DockerException as error:
            raise SandboxUnavailable(f"cannot look at image {reference}: {error}") from error
        if "sha256:" not in reference:
            raise SandboxUnavailable(
                f"WARPBOARD_SANDBOX_IMAGE={reference} is a tag, which may come to mean another "
                f"image; name it by its hash: {found}"
            )
        return found

    def start(self, configuration: Mapping[str, Any]) -> str:
        """Create and start a container; its ID. Raises ``SandboxUnavailable`` if it cannot."""
        container: str | None = None
        try:
            with self._connected() as client:
                container = client.create_container_from_config(dict(configuration))["Id"]
                client.start(container)
        except (DockerException, OSError) as error:
            if container is not None:
                self.remove(container)
            text = error.explanation if isinstance(error, APIError) else error
            raise SandboxUnavailable(f"the sandbox could not be set up: {text}") from error
        return str(container)

    def remove(self, container: str) -> None:
        """Kill and remove it, if it is still there."""
        try:
            with self._connected() as client:
                client.remove_container(container, force=True, v=True)
        except NotFound:
            return
        except APIError as error:
            if error.status_code != 409:  # its removal is under way already
                raise

    def is_running(self, container: str) -> bool:
        try:
            with self._connected() as client:
                return bool(client.inspect_container(container)["State"]["Running"])
        except NotFound:
            return False

    def await_end(self, container: str) -> None:
        """Wait until everything in it is dead. Raises TimeoutError if that takes over 10 s."""
        deadline = time.monotonic() + _END_SECONDS
        while self.is_running(container):
            if time.monotonic() >= deadline:
                raise TimeoutError(f"container {container[:12]} does not end")
            time.sleep(0.01)

    def ran_out_of_memory(self, container: str, since: float, *, await_news: bool) -> bool:
        """Whether the kernel has killed a process of it for memory since that time.

        ``await_news``: something was killed only just now, so it may not be known yet.
        """
        until = time.time() + (_NEWS_SECONDS if await_news else 0.0)
        with self._connected() as client:
            events = client.events(
                since=f"{since:.9f}",
                until=f"{until:.9f}",
                filters={"container": [container], "event": ["oom"]},
                decode=True,
            )
            return any(True for _ in events)

    def labelled(self, label: str) -> dict[str, str]:
        """Containers that bear ``label``, running or not: ID to the label's value."""
        with self._connected() as client:
            found = client.containers(all=True, filters={"label": [label]})
        return {container["Id"]: container["Labels"][label] for container in found}
