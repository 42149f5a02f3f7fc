"""The stream of a Run: the present first, then changes, over a real Redis and the ASGI handler."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.test import AsyncClient

from judge.domain import CaseResult, Status, Verdict
from judge.events import CaseJudged, Finished, SamplesTaken, StageEntered
from webapp.submissions import live
from webapp.submissions.abort import abort

pytestmark = pytest.mark.django_db(transaction=True)

MakeRun = Callable[..., Any]
DEADLINE_SECONDS = 20


@dataclass
class ServerSent:
    """One event as a browser would see it."""

    name: str = "message"
    id: str = ""
    data: dict[str, Any] = field(default_factory=dict)


#: The streams behind the responses of a test: Django's test client wraps them and closes none.
_opened: list[Any] = []


@pytest.fixture(autouse=True)
def _remember_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    open_stream = live.stream

    def remember(*arguments: Any) -> Any:
        _opened.append(open_stream(*arguments))
        return _opened[-1]

    _opened.clear()
    monkeypatch.setattr(live, "stream", remember)


class Watcher:
    """Reads a stream the way EventSource does."""

    def __init__(self, response: Any) -> None:
        assert response.status_code == 200
        assert response["Content-Type"] == "text/event-stream"
        self.comments = 0
        self._stream = _opened[-1]
        self._events = self._read(response)

    async def _read(self, response: Any) -> AsyncIterator[ServerSent]:
        async for chunk in response.streaming_content:
            event = ServerSent()
            for line in chunk.decode().splitlines():
                name, _, value = line.partition(": ")
                if line.startswith(":"):
                    self.comments += 1
                elif name == "event":
                    event.name = value
                elif name == "id":
                    event.id = value
                elif name == "data":
                    event.data = json.loads(value)
            if event.data or event.name != "message":
                yield event

    async def next(self) -> ServerSent:
        return await asyncio.wait_for(anext(self._events), DEADLINE_SECONDS)  # type: ignore[arg-type]

    async def until(self, true: Callable[[ServerSent], bool]) -> ServerSent:
        while not true(event := await self.next()):
            pass
        return event

    async def ends(self) -> bool:
        try:
            await self.next()
        except StopAsyncIteration:
            return True
        return False

    async def close(self) -> None:
        """What the ASGI handler does once the browser has gone."""
        await self._stream.aclose()


def scenario(play: Callable[[], Awaitable[None]]) -> None:
    async_to_sync(play)()


async def watch(run: Any, viewer: Any = None, seen: str = "", **headers: str) -> Watcher:
    client = AsyncClient()
    if viewer is not None:
        await client.aforce_login(viewer)
    query = f"?seen={seen}" if seen else ""
    return Watcher(await client.get(f"/runs/{run.pk}/events/{query}", headers=headers))


def test_a_page_gets_the_present_then_each_change_and_the_end(
    make_run: MakeRun, alice: Any, redis_server: Any, kit: Any
) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    say = sync_to_async(voice.say)

    async def play() -> None:
        page = await watch(run, alice)
        first = await page.next()
        assert (first.name, first.data["status"]) == ("state", "queued")
        assert set(first.data["parts"]) == set(live.NAMES)

        await say(StageEntered(Status.CHECKING, total=2))
        await say(CaseJudged(0, 2, CaseResult("small", Verdict.AC, {"rows": 3}, "normal")))
        second = await page.until(lambda e: "small" in e.data["parts"].get("cases", ""))
        assert second.data["progress"] == "Checking: 1 of 2 cases judged."
        assert "environment" not in second.data["parts"], "only what changed is sent"

        await say(StageEntered(Status.TIMING, total=1))
        await say(SamplesTaken("square", 1, 3, 34, 1.25))
        third = await page.until(lambda e: "1.250" in e.data["parts"].get("workloads", ""))
        assert "process 2 of 3" in third.data["parts"]["workloads"]

        await say(kit.accepted(1.5))
        last = await page.until(lambda e: e.data["verdict"] == "AC")
        assert "1.500 ms" in last.data["parts"]["score"]
        assert await page.ends()

    scenario(play)


def test_a_page_opened_late_gets_everything_at_once_and_is_let_go(
    make_run: MakeRun, alice: Any, redis_server: Any, kit: Any
) -> None:
    run = make_run()
    kit.judge_accepted(run, 2.0)

    async def play() -> None:
        page = await watch(run, alice)
        only = await page.next()
        assert only.data["verdict"] == "AC"
        assert "2.000 ms" in only.data["parts"]["score"]
        assert await page.ends()

    scenario(play)


@pytest.mark.parametrize("how", ["header", "query"])
def test_a_page_that_comes_back_is_sent_only_what_changed_meanwhile(
    how: str, make_run: MakeRun, alice: Any, redis_server: Any, kit: Any
) -> None:
    run = make_run()
    voice = kit.Speaker(run)
    voice.say(StageEntered(Status.CHECKING, total=2))

    async def play() -> None:
        page = await watch(run, alice)
        last_id = (await page.next()).id
        await page.close()
        case = CaseJudged(0, 2, CaseResult("missed it", Verdict.AC, {}, "normal"))
        await sync_to_async(voice.say)(case)
        if how == "header":
            page = await watch(run, alice, **{"Last-Event-ID": last_id})
        else:
            page = await watch(run, alice, seen=last_id)
        again = await page.next()
        assert "missed it" in again.data["parts"]["cases"]
        assert not {"score", "environment", "compiler"} & set(again.data["parts"])
        await page.close()

    scenario(play)


def test_a_nonsense_last_event_id_means_everything_is_sent(
    make_run: MakeRun, alice: Any, redis_server: Any
) -> None:
    run = make_run()

    async def play() -> None:
        page = await watch(run, alice, **{"Last-Event-ID": "x.y<script>"})
        assert set((await page.next()).data["parts"]) == set(live.NAMES)
        await page.close()

    scenario(play)


def test_an_abort_reaches_the_page(make_run: MakeRun, alice: Any, redis_server: Any) -> None:
    run = make_run()

    async def play() -> None:
        page = await watch(run, alice)
        await page.next()
        await sync_to_async(abort)(alice, run)
        last = await page.until(lambda e: bool(e.data["verdict"]))
        assert last.data["verdict"] == "AB"
        assert "Aborted by its owner" in last.data["parts"]["outcome"]
        assert await page.ends()

    scenario(play)


def test_a_waiting_page_hears_that_it_moved_up(
    make_run: MakeRun, alice: Any, redis_server: Any, kit: Any, device: Any
) -> None:
    from django.utils import timezone

    from webapp.ops.models import Worker

    now = timezone.now()
    Worker.objects.create(
        name="w", device=device, state="ready", sent_at=now, last_seen_at=now, environment={}
    )
    before, run = make_run(dispatched_at=now), make_run(dispatched_at=now)

    async def play() -> None:
        page = await watch(run, alice)
        assert "1 before it" in (await page.next()).data["progress"]
        await sync_to_async(kit.Speaker(before).say)(StageEntered(Status.COMPILING))
        await page.until(lambda e: "0 before it" in e.data["progress"])
        await page.close()

    scenario(play)


def test_silence_is_filled_with_comments_and_looked_through(
    make_run: MakeRun, alice: Any, redis_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.05)
    run = make_run()

    async def play() -> None:
        page = await watch(run, alice)
        await page.next()
        # Changed behind Redis's back: a message that was lost.
        await sync_to_async(type(run).objects.filter(pk=run.pk).update)(
            status="done", verdict="WA", message="lost and found"
        )
        found = await page.until(lambda e: e.data["verdict"] == "WA")
        assert "lost and found" in found.data["parts"]["outcome"]
        assert page.comments >= 1

    scenario(play)


def test_a_stranger_gets_no_stream_and_no_private_part(
    make_run: MakeRun, bob: Any, redis_server: Any, kit: Any
) -> None:
    run = make_run(source="// secret")
    voice = kit.Speaker(run)
    voice.say(CaseJudged(0, 1, CaseResult("small", Verdict.AC, {}, "normal")))

    async def refused() -> None:
        client = AsyncClient()
        await client.aforce_login(bob)
        assert (await client.get(f"/runs/{run.pk}/events/")).status_code == 404
        assert (await AsyncClient().get(f"/runs/{run.pk}/events/")).status_code == 404

    scenario(refused)
    voice.say(kit.accepted(1.0))

    async def play() -> None:
        page = await watch(run, bob)
        parts = (await page.next()).data["parts"]
        assert "1.000 ms" in parts["score"]
        assert parts["cases"] == parts["compiler"] == ""
        assert "All cases passed" not in parts["outcome"]

    scenario(play)


def test_more_pages_than_one_person_may_hold_are_sent_to_polling(
    make_run: MakeRun, alice: Any, bob: Any, redis_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MOST_STREAMS_OF_ONE", 2)
    run, other = make_run(), make_run(owner=bob)

    async def play() -> None:
        pages = [await watch(run, alice) for _ in range(2)]
        for page in pages:
            assert (await page.next()).name == "state"
        refused = await watch(run, alice)
        assert (await refused.next()).name == "away"
        assert await refused.ends()
        of_another = await watch(other, bob)
        assert (await of_another.next()).name == "state"
        await of_another.close()
        for page in pages:
            await page.close()
        assert live.seats._taken.total() == 0, "closed pages give their seats back"

    scenario(play)


def test_without_redis_a_page_is_sent_to_polling(make_run: MakeRun, alice: Any) -> None:
    run = make_run()

    async def play() -> None:
        page = await watch(run, alice)
        assert (await page.next()).name == "away"
        assert await page.ends()

    scenario(play)


def test_a_redis_that_goes_away_ends_the_stream(
    make_run: MakeRun, alice: Any, redis_server: Any
) -> None:
    run = make_run()

    async def play() -> None:
        page = await watch(run, alice)
        assert (await page.next()).name == "state"
        await sync_to_async(redis_server.stop)()
        assert (await page.next()).name == "away"

    scenario(play)


def test_markup_in_what_the_judge_says_stays_text(
    make_run: MakeRun, alice: Any, redis_server: Any, kit: Any
) -> None:
    run = make_run()
    attack = "<img src=x onerror=alert(1)>\n\ndata: {}\n\n"
    kit.Speaker(run).say(Finished(Verdict.WA, attack))

    async def play() -> None:
        page = await watch(run, alice)
        parts = (await page.next()).data["parts"]
        assert "<img" not in parts["outcome"]
        assert "&lt;img" in parts["outcome"]
        assert await page.ends()

    scenario(play)
