"""A board's page: what is asked for by URL is what is shown, and what is exported."""

from __future__ import annotations

import csv
import html
import io
import json
import math
import re
import uuid
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest
from django.test import Client

from judge.domain import DeviceKind, DevicePeaks, DType, Verdict
from judge.events import Finished
from webapp.accounts.models import User
from webapp.leaderboards.boards import read_board, read_rankings
from webapp.leaderboards.models import Entry
from webapp.leaderboards.queries import PAGE, BoardQuery, select
from webapp.leaderboards.rates import work_of
from webapp.ops.models import Device, Worker
from webapp.ops.peaks import Peaks, read_peaks
from webapp.problems.models import ProblemVersion
from webapp.submissions.models import Run, Submission

pytestmark = pytest.mark.django_db

BOARD = "/boards/transpose/emulated/"
MakeRun = Callable[..., Any]
Times = Callable[..., None]


@pytest.fixture
def enter(version: Any, device: Any) -> Times:
    """``enter({"name": ms, …}, device)``: an entry for each; names like v01_x are references."""

    def make(times: dict[str, float], on: Any = None, kind: str = "") -> None:
        on = on or device
        users = {
            user.username: user
            for user in User.objects.bulk_create(
                [User(username=name) for name in times], ignore_conflicts=True
            )
        }
        users = {user.username: user for user in User.objects.filter(username__in=users)}
        made: tuple[list[Submission], list[Run], list[Entry]] = ([], [], [])
        for name, ms in times.items():
            what = kind or ("reference" if re.match(r"v\d\d_", name) else "user")
            submission = Submission(
                owner=None if what == "baseline" else users[name],
                version=version,
                source="x",
                kind=what,
                reference=name if what == "reference" else "",
            )
            run = Run(
                submission=submission,
                device=on,
                status="done",
                verdict="AC",
                score_ms=ms,
                ci_low_ms=ms * 0.999,
                ci_high_ms=ms * 1.001,
                finished_at="2026-01-02T03:04:05Z",
            )
            entry = Entry(
                version=version,
                device=on,
                kind=what,
                competitor=str(users[name].pk) if what == "user" else name,
                owner=users[name] if what == "user" else None,
                run=run,
                score_ms=ms,
                ci_low_ms=ms * 0.999,
                ci_high_ms=ms * 1.001,
            )
            for rows, row in zip(made, (submission, run, entry), strict=True):
                rows.append(row)  # type: ignore[attr-defined]
        Submission.objects.bulk_create(made[0])
        Run.objects.bulk_create(made[1])
        Entry.objects.bulk_create(made[2])

    return make


def page_of(client: Client, query: str = "", status: int = 200) -> str:
    answer = client.get(BOARD + query)
    assert answer.status_code == status
    return html.unescape(answer.content.decode())


def names_on(page: str) -> list[str]:
    """Competitors in the board's table, in order."""
    table = page[page.index('<table class="board">') :]
    return re.findall(r'<tr class="kind-.*?<th scope="row"><a[^>]*>([^<]+)</a>', table, re.DOTALL)


def exported(client: Client, query: str = "") -> list[str]:
    text = client.get(f"{BOARD}entries.csv{query}").content.decode()
    return [row["name"] for row in csv.DictReader(io.StringIO(text))]


def test_filters_order_and_page_come_from_the_url_and_exports_follow(
    client: Client, enter: Times
) -> None:
    enter({"v01_naive": 8.0, "v02_tiled": 2.0, "carol": 4.0, "caspar": 1.0, "dora": 5.0})
    for query, names in {
        "": ["caspar", "v02_tiled", "carol", "dora", "v01_naive"],
        "?kind=user": ["caspar", "carol", "dora"],
        "?kind=reference": ["v02_tiled", "v01_naive"],
        "?kind=baseline": [],
        "?name=CA": ["caspar", "carol"],
        "?name=ca&kind=reference": [],
        "?order=desc": ["v01_naive", "dora", "carol", "v02_tiled", "caspar"],
        "?sort=name": ["carol", "caspar", "dora", "v01_naive", "v02_tiled"],
        "?sort=kind&order=desc": ["caspar", "carol", "dora", "v02_tiled", "v01_naive"],
        "?sort=nonsense&kind=x&page=-3&mine=1&order=up": [],
    }.items():
        assert names_on(page_of(client, query)) == names, query
        assert exported(client, query) == names, query
    assert "users (2)" in page_of(client, "?name=ca")
    assert "references (0)" in page_of(client, "?name=ca")


def test_the_exports_have_the_pages_numbers_unrounded(client: Client, enter: Times) -> None:
    enter({"v01_naive": 8.0, "alba": 8 / 3})
    answer = client.get(f"{BOARD}entries.json")
    board = json.loads(answer.content)
    assert (board["time_label"], board["naive"]) == ("emulated, not a GPU time", "v01_naive")
    first = board["rows"][0]
    assert (first["name"], first["rank"], first["percentile"]) == ("alba", 1, 100.0)
    assert math.isclose(first["speedup_over_naive"], 3.0)
    assert first["finished_at"] == "2026-01-02T03:04:05+00:00"
    assert first["percent_of_peak"] is None
    (row,) = [
        row
        for row in csv.DictReader(io.StringIO(client.get(f"{BOARD}entries.csv").content.decode()))
        if row["name"] == "alba"
    ]
    assert float(row["gbyte_per_s"]) == first["gbyte_per_s"]
    page = page_of(client)
    assert f"{first['gbyte_per_s']:.4g}" in page
    assert "3.00×" in page


def test_the_own_row_is_pinned_where_the_page_lacks_it(
    signed_in: Client, client: Client, enter: Times
) -> None:
    enter({f"p{index:03d}": 1.0 + index * 0.02 for index in range(2 * PAGE + 5)} | {"alice": 9.0})
    first = names_on(page_of(signed_in))
    assert first[0] == "alice"
    assert first[1:] == [f"p{index:03d}" for index in range(PAGE)]
    last = page_of(signed_in, "?page=3")
    assert names_on(last) == [
        *(f"p{index:03d}" for index in range(2 * PAGE, 2 * PAGE + 5)),
        "alice",
    ]
    assert f"{2 * PAGE + 1} to {2 * PAGE + 6} of {2 * PAGE + 6}" in last
    assert names_on(page_of(signed_in, "?page=99")) == names_on(last)
    assert names_on(page_of(signed_in, "?name=p001"))[0] == "alice"
    assert names_on(page_of(signed_in, "?mine=1")) == ["alice"]
    assert exported(signed_in, "?mine=1") == ["alice"]
    assert "alice" not in names_on(page_of(client))
    assert len(exported(client)) == 2 * PAGE + 6


def test_ties_share_a_rank_and_say_so(client: Client, enter: Times) -> None:
    enter({"one": 1.0, "two": 1.0005, "three": 2.0})
    page = page_of(client)
    assert page.count('title="shared with 1"') == 2
    assert re.findall(r'<tr class="kind-user">\s*<td class="number">(\d+)', page) == ["1", "1", "3"]


def test_the_page_says_which_rung_is_beaten_and_which_is_next(
    signed_in: Client, enter: Times
) -> None:
    enter({"v01_naive": 8.0, "v02_tiled": 2.0, "v03_fast": 1.0, "alice": 3.0})
    page = re.sub(r"<[^>]+>", "", page_of(signed_in))
    assert "You: 3.000 ms, rank 3, percentile 33.3." in page
    assert "You beat v01_naive (8.000 ms)." in page
    assert "Next to beat: v02_tiled (2.000 ms), 1.50× as fast." in page
    assert "you are here" in page


def test_every_picture_stands_beside_a_table_with_its_numbers(
    signed_in: Client, enter: Times
) -> None:
    enter({"v01_naive": 8.0, "v02_tiled": 2.0, "alice": 3.0, "bert": 5.0})
    page = page_of(signed_in)
    for picture in ("timeline", "distribution", "histogram", "ladder"):
        assert f'aria-labelledby="{picture}-wide-title"' in page
        assert f'aria-labelledby="{picture}-narrow-title"' in page
    assert page.count("<summary>As a table</summary>") == 3
    assert "4.00×" in page  # v02 over v01, in the ladder's table
    assert "<style" not in page
    assert not re.search(r'<[^>]+ style="', page)


def test_the_baseline_is_marked_and_speed_ups_are_over_it_too(client: Client, enter: Times) -> None:
    enter({"v01_naive": 8.0, "alba": 1.0})
    enter({"torch.transpose": 2.0}, kind="baseline")
    page = page_of(client)
    assert "chart-baseline" in page
    assert "over torch.transpose, the library's call" in page
    assert "Over library" in page
    assert "2.00×" in page
    row = page[page.index('<tr class="kind-baseline') :]
    assert row.index("–") < row.index("torch.transpose")


def test_roofline_and_floor_appear_once_a_worker_has_measured_peaks(
    client: Client, enter: Times, version: Any
) -> None:
    h200 = Device.objects.create(name="h200", kind="cuda")
    enter({"v01_naive": 8.0, "alba": 1.0}, on=h200)
    board = "/boards/transpose/h200/"
    page = client.get(board).content.decode()
    assert "No worker has measured" in page
    assert "% of peak" not in page
    peaks = {"copy_bytes_per_s": 4e12, "flops_per_s": {"fp32": 5e13}}
    Worker.objects.create(
        name="w1",
        device=h200,
        state="ready",
        sent_at="2026-01-01T00:00:00Z",
        last_seen_at="2026-01-01T00:00:00Z",
        environment={"peaks": peaks},
    )
    page = client.get(board).content.decode()
    assert "No worker has measured" not in page
    assert "chart-wall" in page
    assert "% of peak" in page
    definition = version.problem_definition
    work = work_of(definition, DeviceKind.CUDA, read_peaks(peaks, DType.FLOAT32))
    assert work.ideal_ms
    assert f"{100 * work.ideal_ms:.1f}" in page  # alba's percent: 1 ms
    worker = Worker.objects.get()
    worker.environment = {"peaks": {**peaks, "copy_bytes_per_s": 4e15}}
    worker.save()
    page = client.get(board).content.decode()
    assert "nothing can be faster" in page  # said
    assert "chart-wall" not in page  # but too far off to draw


def test_rates_are_geometric_means_over_the_workloads(version: Any) -> None:
    definition = version.problem_definition
    work = work_of(definition, DeviceKind.EMULATED, None)
    workloads = definition.workloads_for(DeviceKind.EMULATED)
    times = [2.0 + index for index in range(len(workloads))]
    moved = [8.0 * math.prod(workload.sizes.values()) for workload in workloads]
    score = math.prod(times) ** (1 / len(times))
    rates = [b / t / 1e6 for b, t in zip(moved, times, strict=True)]
    assert math.isclose(work.gbyte_per_s(score) or 0, math.prod(rates) ** (1 / len(rates)))
    assert work.percent_of_peak(score) is None


@pytest.mark.parametrize(
    "reported",
    [
        None,
        [],
        "x",
        {},
        {"copy_bytes_per_s": "NaN"},
        {"copy_bytes_per_s": -1.0},
        {"copy_bytes_per_s": True},
    ],
)
def test_peaks_that_make_no_sense_are_no_peaks(reported: Any) -> None:
    assert read_peaks(reported, DType.FLOAT32) is None


def test_the_ideal_is_of_the_problems_precision_and_the_floor_of_the_fastest() -> None:
    rates = {"fp32": 1e13, "bf16": 1e14}
    reported = {"copy_bytes_per_s": 1e12, "flops_per_s": rates, "cache_bytes": 1e6}
    peaks = read_peaks(reported, DType.FLOAT32)
    assert peaks is not None
    assert math.isclose(peaks.ideal_ms(1e10, 2e6), 1.0)
    assert math.isclose(peaks.floor_ms(1e10, 2e6), 0.1)
    assert math.isclose(peaks.ideal_ms(1e3, 2e9), 2.0)
    assert math.isclose(peaks.floor_ms(1e3, 2e9 + 1e6), 2.0)
    assert peaks.floor_ms(0.0, 1e6) == 0.0  # all of it may stay in the cache
    integers = read_peaks(reported, DType.INT32)
    assert integers is not None
    assert integers.flops_per_s is None


def test_peaks_are_read_as_workers_report_them() -> None:
    peaks = read_peaks(asdict(DevicePeaks(4e12, {"fp32": 5e13}, 50_000_000)), DType.FLOAT32)
    assert peaks == Peaks(4e12, 5e13, "fp32", 5e13, 5e7)


def test_boards_of_earlier_versions_stay_readable(
    client: Client, enter: Times, version: Any
) -> None:
    enter({"alba": 1.0})
    newer = ProblemVersion.objects.get(pk=version.pk)
    newer.pk, newer.digest = None, "1" * 64
    newer.save()
    version.problem.current = newer
    version.problem.save()
    page = page_of(client)
    assert "Nobody is on this board yet" in page
    assert f'<option value="{version.digest}"' in page
    assert '<option value="" selected' in page
    old = page_of(client, f"?version={version.digest}")
    assert names_on(old) == ["alba"]
    assert "an earlier version" in old
    assert exported(client, f"?version={version.digest}") == ["alba"]
    page_of(client, "?version=0123", status=404)
    assert client.get("/boards/nothing/emulated/").status_code == 404
    assert client.get("/boards/transpose/nothing/entries.csv").status_code == 404


def test_a_step_without_a_time_is_listed_with_its_verdict(
    client: Client, make_run: MakeRun, enter: Times, kit: Any
) -> None:
    enter({"alba": 1.0})
    kit.Speaker(make_run(reference="v09_tma")).say(Finished(Verdict.UNS, "Needs TMA."))
    page = page_of(client)
    assert names_on(page) == ["alba", "v09_tma"]
    assert "not supported by this device" in page
    assert names_on(page_of(client, "?sort=spread&order=desc"))[-1] == "v09_tma"


def test_a_board_is_ranked_anew_once_it_changes_and_not_before(
    enter: Times, version: Any, device: Any
) -> None:
    enter({"alba": 2.0, "bert": 3.0})
    key = (version.pk, device.pk)
    first = read_rankings([key])[key]
    assert read_rankings([key])[key] is first
    bert = Entry.objects.get(owner__username="bert")
    bert.score_ms = bert.ci_low_ms = bert.ci_high_ms = 1.0
    bert.save()
    assert [row.name for row in read_board(version, device).rows] == ["bert", "alba"]
    bert.delete()
    assert [row.name for row in read_board(version, device).rows] == ["alba"]
    Entry.objects.all().delete()
    assert read_board(version, device).rows == ()


def test_several_boards_are_read_in_two_queries(
    enter: Times, version: Any, device: Any, django_assert_max_num_queries: Any
) -> None:
    h200 = Device.objects.create(name="h200", kind="cuda")
    enter({"alba": 2.0})
    enter({"bert": 1.0}, on=h200)
    keys = [(version.pk, device.pk), (version.pk, h200.pk), (version.pk, "none")]
    with django_assert_max_num_queries(2):
        rankings = read_rankings(keys)
    assert [[row.name for row in rankings[key].rows] for key in keys] == [["alba"], ["bert"], []]


def test_a_page_takes_few_queries_however_many_entries(
    signed_in: Client, enter: Times, django_assert_max_num_queries: Any
) -> None:
    enter({f"p{index}": 1.0 + index for index in range(300)} | {"v01_naive": 400.0})
    for query in ("", "?page=2", "entries.csv", "entries.json"):
        with django_assert_max_num_queries(10):
            assert signed_in.get(BOARD + query).status_code == 200


def test_the_urls_of_a_query_say_only_what_is_not_default() -> None:
    query = BoardQuery.parse({"kind": "user", "name": " ada ", "page": "3", "sort": "age"})
    assert query.url() == "?kind=user&name=ada&sort=age&page=3"
    assert query.url(page=1, kind="") == "?name=ada&sort=age"
    assert query.sorted_by("age") == "?kind=user&name=ada&sort=age&order=desc"
    assert query.sorted_by("rank") == "?kind=user&name=ada"
    assert BoardQuery().url() == "?"


def test_an_anonymous_reader_has_nothing_that_is_mine(version: Any, device: Any) -> None:
    rows = read_board(version, device).rows
    assert select(rows, BoardQuery(mine=True), None).rows == ()
    assert uuid.uuid4() not in {row.run_id for row in rows}


def test_markup_in_a_filter_is_shown_as_text(client: Client, enter: Times) -> None:
    enter({"alba": 1.0})
    answer = client.get(BOARD, {"name": "<script>alert(1)</script>"}).content.decode()
    assert "<script>alert" not in answer
    assert "No entry matches" in answer
