"""Charts: well-formed, accessible, without anything inline, and true to their numbers."""

from __future__ import annotations

import itertools
import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp import charts
from webapp.charts import Bin, Mark, Period, Point, Role, Roof, RooflinePoint, Step, Svg
from webapp.charts.axes import Flag, arrange
from webapp.charts.svg import element

NASTY = "<script>alert(1)</script>\"'&"
TIMES = [3.0, 1.0, 2.0, 2.0, 8.0]
MARKS = [
    Mark(8.0, "v01_naive", Role.REFERENCE),
    Mark(2.5, "v02_tiled", Role.REFERENCE),
    Mark(1.5, "torch", Role.BASELINE),
    Mark(0.5, "floor", Role.FLOOR),
    Mark(3.0, "you", Role.YOU),
]

Draw = Callable[[str, int], Svg]


def timeline(ident: str, width: int) -> Svg:
    return charts.timeline(ident, width, TIMES, MARKS, title="All", between=(2.5, 8.0))


def distribution(ident: str, width: int) -> Svg:
    points = [Point(1.0, 100.0), Point(2.0, 62.5), Point(2.0, 62.5), Point(3.0, 25.0)]
    scale = charts.time_scale(width, TIMES, MARKS)
    return charts.distribution(
        ident, width, points, MARKS, title="Shares", across=scale, own=points[-1]
    )


def histogram(ident: str, width: int) -> Svg:
    return charts.histogram(ident, width, charts.log_bins(TIMES), MARKS[-1:], title="Bins")


def ladder(ident: str, width: int) -> Svg:
    steps = [
        Step("v01_naive", 8.0, 7.9, 8.1),
        Step("you", 3.0, 2.9, 3.2, Role.YOU),
        Step("torch", 1.0, 1.0, 1.0, Role.BASELINE),
    ]
    return charts.ladder(ident, width, steps, title="Ladder")


def roofline(ident: str, width: int) -> Svg:
    points = [
        RooflinePoint(900.0),
        RooflinePoint(400.0, "v01_naive", Role.REFERENCE),
        RooflinePoint(500.0, "you", Role.YOU),
    ]
    return charts.roofline(ident, width, Roof(2000.0, 100.0, "fp32"), 12.0, points, title="Roof")


def activity(ident: str, width: int) -> Svg:
    return charts.activity(
        ident, width, [Period("1 Jun", 0, 0), Period("8 Jun", 5, 2)], title="Weeks"
    )


ALL: list[Draw] = [timeline, distribution, histogram, ladder, roofline, activity]


def words_of(svg: str) -> list[str]:
    """The texts drawn, without title and description."""
    return ["".join(node.itertext()) for node in ET.fromstring(svg).iter("text")]


@pytest.mark.parametrize("draw", ALL, ids=lambda draw: draw.__name__)
@pytest.mark.parametrize("width", [charts.NARROW, charts.HALF, charts.WIDE])
def test_a_chart_is_a_named_and_described_image_within_its_frame(draw: Draw, width: int) -> None:
    root = ET.fromstring(draw("it", width))
    assert (root.get("role"), root.get("aria-labelledby")) == ("img", "it-title")
    assert root.get("aria-describedby") == "it-desc"
    titles = {node.get("id"): node.text for node in root if node.tag in ("title", "desc")}
    assert set(titles) == {"it-title", "it-desc"}
    assert all(titles.values())
    assert float(root.get("width") or 0) == width
    height = float(root.get("height") or 0)
    for node in root.iter():
        for name, most in (("x", width), ("x1", width), ("x2", width), ("cx", width)):
            assert -1 <= float(node.get(name) or 0) <= most + 1, ET.tostring(node)
        for name in ("y", "y1", "y2", "cy"):
            assert -1 <= float(node.get(name) or 0) <= height + 1, ET.tostring(node)


@pytest.mark.parametrize("draw", ALL, ids=lambda draw: draw.__name__)
def test_a_chart_has_no_inline_style_and_no_scripts(draw: Draw) -> None:
    svg = draw("it", charts.WIDE)
    assert not re.search(r"\b(style|fill|stroke|on\w+|href)=", svg)
    assert "nan" not in svg.lower().replace("distribution", "")
    assert "<script" not in svg


def test_names_are_escaped_wherever_they_stand() -> None:
    drawn = charts.timeline("it", 900, [1.0], [Mark(2.0, NASTY, Role.REFERENCE)], title=NASTY)
    drawn += charts.ladder("it", 900, [Step(NASTY, 1.0, 1.0, 1.0)], title=NASTY)
    drawn += element("text", NASTY, class_=NASTY)
    assert "<script" not in drawn
    assert "\"'" not in drawn


def test_both_widths_are_drawn_with_ids_of_their_own() -> None:
    both = charts.responsive("it", timeline)
    ids = re.findall(r' id="([^"]+)"', both)
    assert len(ids) == len(set(ids)) == 4
    assert both.__html__() is both


def test_the_line_of_time_says_everything_in_words_too() -> None:
    root = ET.fromstring(timeline("it", charts.WIDE))
    description = root.findtext("desc") or ""
    assert "5 entries from 1 to 8 ms." in description
    for words in ("you: 3 ms", "torch: 1.5 ms", "floor: 0.5 ms", "v01_naive: 8 ms"):
        assert words in description


def test_the_line_of_time_names_rungs_and_on_a_phone_their_numbers() -> None:
    assert {"v01_naive", "v02_tiled", "torch", "floor", "you"} <= set(
        words_of(timeline("it", charts.WIDE))
    )
    assert {"v01", "v02", "torch", "floor", "you"} <= set(words_of(timeline("it", charts.NARROW)))


def test_ten_thousand_entries_are_drawn_small() -> None:
    times = [0.5 * 1.0005**index for index in range(10_000)]
    svg = charts.timeline("it", charts.WIDE, times, [], title="Many")
    assert len(svg) < 20_000
    points = [Point(value, 100 - index / 100) for index, value in enumerate(times)]
    scale = charts.time_scale(charts.WIDE, times, [])
    curve = charts.distribution("it", charts.WIDE, points, [], title="Many", across=scale)
    assert len(curve) < 25_000


def test_one_entry_is_enough_for_every_picture() -> None:
    assert charts.timeline("it", 500, [1.0], [], title="One")
    scale = charts.time_scale(500, [1.0], [])
    assert charts.distribution("it", 500, [Point(1.0, 100.0)], [], title="One", across=scale)
    assert charts.histogram("it", 500, charts.log_bins([1.0]), title="One")


NAMES = st.text("abcdefgh_", min_size=1, max_size=26)


@given(st.lists(st.tuples(st.floats(0, 1000), NAMES), max_size=12))
def test_flags_cover_neither_each_other_nor_a_pole(found: list[tuple[float, str]]) -> None:
    flags = arrange([Flag(x, words, "") for x, words in found])
    assert len(flags) == len(found)
    for one, other in itertools.permutations(flags, 2):
        if one.x <= other.x < one.end:
            # The other's pole rises to its own row: it must end below this flag.
            assert one.row != other.row
            assert one.row > other.row or one.x == other.x


@given(st.lists(st.floats(1e-5, 1e5), min_size=1, max_size=300))
def test_bins_hold_every_value_once_and_adjoin(values: list[float]) -> None:
    bins = charts.log_bins(values)
    assert sum(bin_.count for bin_ in bins) == len(values)
    assert 6 <= len(bins) <= 30
    for one, following in itertools.pairwise(bins):
        assert one.high == following.low
        assert math.isclose(one.high / one.low, following.high / following.low, rel_tol=1e-6)
    for bin_ in bins[1:-1]:
        assert bin_.count == sum(bin_.low <= value < bin_.high for value in values)


def test_the_histogram_points_at_the_bar_that_holds_ones_own() -> None:
    bins = [Bin(1.0, 2.0, 3), Bin(2.0, 4.0, 1)]
    svg = charts.histogram("it", 500, bins, [Mark(3.0, "You", Role.YOU)], title="Bins")
    assert "you are here" in words_of(svg)
    assert svg.count("chart-bar-own") == 1
    assert "You: 3 ms." in (ET.fromstring(svg).findtext("desc") or "")


def test_the_percentile_is_read_off_the_curve_at_ones_own_point() -> None:
    svg = distribution("it", charts.WIDE)
    assert "you: 25.0" in words_of(svg)
    circle = next(ET.fromstring(svg).iter("circle"))
    scale = charts.time_scale(charts.WIDE, TIMES, MARKS)
    assert math.isclose(float(circle.get("cx") or 0), scale(3.0), abs_tol=0.1)
    # The curve's stroke comes down to the same height at the same place.
    curve = next(p.get("d") or "" for p in ET.fromstring(svg).iter("path"))
    assert f"H{round(scale(3.0))}V{circle.get('cy')}" in curve


def test_a_roof_is_the_lower_of_memory_and_arithmetic() -> None:
    roof = Roof(2000.0, 100.0, "fp32")
    assert (roof.ridge, roof.attainable(10.0), roof.attainable(50.0)) == (20.0, 1000.0, 2000.0)
    description = ET.fromstring(roofline("it", 500)).findtext("desc") or ""
    assert "At 12 FLOP/B the device can do 1200 GFLOP/s" in description
    assert "75.0 % of it" in description


def test_the_ladder_keeps_the_order_it_is_given() -> None:
    words = [word for word in words_of(ladder("it", 500)) if word in ("v01_naive", "you", "torch")]
    assert words == ["v01_naive", "you", "torch"]


def test_drawing_is_pure() -> None:
    assert all(draw("it", 500) == draw("it", 500) for draw in ALL)
