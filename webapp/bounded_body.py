"""An ASGI layer that lets no request body past ``MAX_BODY_BYTES``, announced or not.

Django reads a body to its end, to memory and then to disk, before any middleware runs. So the
size is settled here: a body announced as too large is not read at all, and one that announces
nothing (chunked transfer) is read up to the limit and no further. Either way Django then sees an
empty body under the size that was found, and ``webapp.middleware`` answers 413 in the site's words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from webapp.middleware import MAX_BODY_BYTES

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
#: Django's and Starlette's types of the same thing differ.
Application = Callable[[Any, Any, Any], Awaitable[None]]


class BoundedBody:
    """Wraps an ASGI application. Other than HTTP passes through untouched."""

    def __init__(self, application: Application, limit: int = MAX_BODY_BYTES) -> None:
        self._application = application
        self._limit = limit

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        headers = dict(scope["headers"])
        announced = headers.get(b"content-length", b"")
        size = int(announced) if announced.isdigit() else 0
        if not announced and b"transfer-encoding" in headers:
            body = await self._read(receive)
            if body is None:
                return
            size = len(body)
            scope = {**scope, "headers": [*scope["headers"], (b"content-length", b"%d" % size)]}
            receive = _after(body, receive)
        if size > self._limit:
            receive, send = _after(b"", _nothing_more), _closing(send)
        await self._application(scope, receive, send)

    async def _read(self, receive: Receive) -> bytes | None:
        """The whole body; a little more than the limit of a larger one; None of one broken off."""
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            if not message.get("more_body", False) or len(body) > self._limit:
                return bytes(body)


def _after(body: bytes, receive: Receive) -> Receive:
    """``receive`` with a whole body before what it has to say."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message


async def _nothing_more() -> Message:
    """Waits until the answer is out and the server cancels the wait; reads nothing meanwhile."""
    never: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
    return await never


def _closing(send: Send) -> Send:
    """``send`` that ends the connection with the answer: its rest is body that nobody will read."""

    async def send_and_close(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], (b"connection", b"close")]}
        await send(message)

    return send_and_close
