"""PTX and SASS: kept once, searchable, and private as the source is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from judge.domain import Listing, Verdict
from judge.events import Compiled, Finished
from webapp.submissions.device_code import search
from webapp.submissions.models import StoredEvent

pytestmark = pytest.mark.django_db

PTX = ".version 9.0\nfma.rn.f32 %f1, %f2;\nbar.sync 0;\nFMA.RN.F32 %f3; // <b>\n"


@pytest.fixture
def compiled(make_run: Callable[..., Any], kit: Any) -> Any:
    run = make_run()
    voice = kit.Speaker(run)
    listings = (Listing("ptx", PTX, 7), Listing("sass", "FFMA R1, R2;\n"))
    voice.say(Compiled(True, 0.5, False, "", 0, (), (), listings))
    voice.say(Finished(Verdict.WA, "wrong"))
    run.refresh_from_db()
    return run


def test_the_run_page_links_to_each_kind(signed_in: Client, compiled: Any) -> None:
    page = signed_in.get(f"/runs/{compiled.pk}/").content.decode()
    assert f"/runs/{compiled.pk}/code/ptx/" in page
    assert f"/runs/{compiled.pk}/code/sass/" in page


def test_a_search_shows_the_matching_lines_with_their_numbers(
    signed_in: Client, compiled: Any
) -> None:
    page = signed_in.get(f"/runs/{compiled.pk}/code/ptx/", {"q": "fma"}).content.decode()
    assert "2 of 4 lines" in page
    assert 'id="L2"' in page
    assert 'id="L4"' in page
    assert "bar.sync" not in page
    assert "7 more bytes" in page
    assert "<b>" not in page


def test_searching_for_nothing_shows_everything() -> None:
    assert (search(PTX, "").matching, search(PTX, "no such").matching) == (4, 0)


def test_device_code_is_as_private_as_the_source(client: Client, compiled: Any) -> None:
    assert client.get(f"/runs/{compiled.pk}/code/ptx/").status_code == 404
    assert client.get(f"/api/v1/runs/{compiled.pk}/code/ptx").status_code == 404


def test_an_unknown_kind_is_not_found(signed_in: Client, compiled: Any) -> None:
    assert signed_in.get(f"/runs/{compiled.pk}/code/llvm/").status_code == 404


def test_stored_events_do_not_repeat_it(compiled: Any) -> None:
    (event,) = StoredEvent.objects.filter(run=compiled, type="compiled")
    assert "listings" not in event.payload
