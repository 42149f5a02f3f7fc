"""No body is read past the limit, whether it announces its size or comes in chunks."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIHandler

from webapp.bounded_body import BoundedBody
from webapp.middleware import MAX_BODY_BYTES

CHUNK = b"x" * 65536


class Sender:
    """The client's side: sends chunks for as long as the site reads."""

    def __init__(self, chunks: int) -> None:
        self.left = chunks
        self.sent = 0
        self.answer: list[MutableMapping[str, Any]] = []

    async def receive(self) -> MutableMapping[str, Any]:
        if self.left == 0:
            return {"type": "http.disconnect"}
        self.left -= 1
        self.sent += len(CHUNK)
        return {"type": "http.request", "body": CHUNK, "more_body": self.left > 0}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        self.answer.append(message)

    @property
    def status(self) -> int:
        return int(self.answer[0]["status"])

    @property
    def body(self) -> bytes:
        return b"".join(m.get("body", b"") for m in self.answer[1:])


def scope(path: str, *headers: tuple[bytes, bytes]) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"localhost"), *headers],
        "server": ("localhost", 80),
        "client": ("127.0.0.1", 1),
    }


async def echo_size(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
    """An application that reads all it is given and says how much that was."""
    size, more = 0, True
    while more:
        message = await receive()
        size, more = size + len(message["body"]), message["more_body"]
    announced = dict(scope["headers"])[b"content-length"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"%d of %b" % (size, announced)})


def ask(application: Any, request: dict[str, Any], sender: Sender) -> Sender:
    asyncio.run(application(request, sender.receive, sender.send))
    return sender


CHUNKED = (b"transfer-encoding", b"chunked")


def test_a_body_in_chunks_below_the_limit_arrives_whole() -> None:
    sender = ask(BoundedBody(echo_size), scope("/", CHUNKED), Sender(3))
    assert sender.body == b"%d of %d" % (3 * len(CHUNK), 3 * len(CHUNK))


def test_a_body_in_chunks_is_read_to_the_limit_and_no_further() -> None:
    sender = ask(BoundedBody(echo_size), scope("/", CHUNKED), Sender(10_000))
    assert sender.sent <= MAX_BODY_BYTES + len(CHUNK)
    assert (b"connection", b"close") in sender.answer[0]["headers"]
    size, announced = sender.body.split(b" of ")
    assert (int(size), int(announced) > MAX_BODY_BYTES) == (0, True)


def test_a_body_announced_as_too_large_is_not_read_at_all() -> None:
    announced = (b"content-length", b"%d" % (10_000 * len(CHUNK)))
    sender = ask(BoundedBody(echo_size), scope("/", announced), Sender(10_000))
    assert (sender.sent, sender.body.startswith(b"0 of")) == (0, True)


def test_a_client_that_leaves_in_the_middle_is_let_go() -> None:
    sender = Sender(0)
    ask(BoundedBody(echo_size), scope("/", CHUNKED), sender)
    assert sender.answer == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("path", "says"),
    [("/api/v1/submissions", b'"code": "too_large"'), ("/accounts/login/", b"A source may have")],
)
def test_the_site_answers_an_endless_body_with_413(path: str, says: bytes) -> None:
    sender = ask(BoundedBody(ASGIHandler()), scope(path, CHUNKED), Sender(10_000))
    assert sender.status == 413
    assert says in sender.body
    assert sender.sent <= MAX_BODY_BYTES + len(CHUNK)
