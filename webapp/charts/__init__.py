"""Charts as SVG, drawn on the server: pure functions from typed data to accessible markup.

Each chart says in words what it shows (``<title>``, ``<desc>``), takes its colours from classes in
``static/css/charts.css`` (no inline style, so that the site's Content-Security-Policy holds), tells
marks apart by shape as well as by colour, and stands beside a table with the same numbers.

Knows nothing of Django, boards or problems: what to draw comes as numbers and names.
"""

from __future__ import annotations

from webapp.charts.activity import Period, activity
from webapp.charts.distribution import Point, distribution
from webapp.charts.histogram import Bin, histogram, log_bins
from webapp.charts.ladder import Step, ladder
from webapp.charts.marks import Mark, Role
from webapp.charts.roofline import Roof, RooflinePoint, roofline
from webapp.charts.svg import HALF, NARROW, WIDE, Svg, responsive
from webapp.charts.timeline import time_scale, timeline

__all__ = [
    "HALF",
    "NARROW",
    "WIDE",
    "Bin",
    "Mark",
    "Period",
    "Point",
    "Role",
    "Roof",
    "RooflinePoint",
    "Step",
    "Svg",
    "activity",
    "distribution",
    "histogram",
    "ladder",
    "log_bins",
    "responsive",
    "roofline",
    "time_scale",
    "timeline",
]
