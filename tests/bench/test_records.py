"""How results of a GPU are recorded: files, counts and the table of the document."""

from __future__ import annotations

import json

import pytest

from bench import recording
from bench.gpu_tests import read_outcome
from bench.timing import replace_table, table

ROW = {
    "kernel": "null",
    "limited_by": "launch",
    "ours_us": 3.02,
    "basis": "E",
    "e_us": 3.02,
    "t_us": 3.1,
    "f_residual_us": -5.6,
    "spread_pct": 2.0,
    "nvbench_us": 3.0,
    "do_bench_us": None,
}


def test_rows_are_written_one_a_line_and_read_back(tmp_path):
    document = {"environment": {"device": "h200"}, "rows": [ROW, ROW]}
    recording.write(tmp_path / "new" / "out.json", document)
    text = (tmp_path / "new" / "out.json").read_text()
    assert json.loads(text) == document
    assert sum('"kernel"' in line for line in text.splitlines()) == 2


def test_a_record_without_rows_is_written_too(tmp_path):
    recording.write(tmp_path / "out.json", {"environment": {}})
    assert json.loads((tmp_path / "out.json").read_text()) == {"environment": {}, "rows": []}


def test_a_copy_without_history_names_its_commit_by_the_environment(monkeypatch):
    monkeypatch.setenv("WARPBOARD_COMMIT", "0123abc")
    assert recording.commit() == "0123abc"


def test_outcomes_are_counted_from_pytest_s_report(tmp_path):
    report = tmp_path / "report.xml"
    report.write_text(
        "<testsuites><testsuite>"
        '<testcase classname="a" name="one" time="0.5"/>'
        '<testcase classname="a" name="two" time="1"><failure message="no"/></testcase>'
        '<testcase classname="a" name="three" time="0"><skipped/></testcase>'
        "</testsuite></testsuites>"
    )
    outcome = read_outcome(report)
    counts = {key: outcome[key] for key in ("tests", "passed", "failure", "error", "skipped")}
    assert counts == {"tests": 3, "passed": 1, "failure": 1, "error": 0, "skipped": 1}


def test_a_table_replaces_the_one_of_its_device_and_nothing_else(tmp_path):
    document = tmp_path / "doc.md"
    document.write_text(
        "before\n<!-- bench-timing h200 -->\nold\n<!-- end of bench-timing h200 -->\nafter\n"
    )
    text = table({"rows": [ROW]})
    replace_table(document, "h200", text)
    replace_table(document, "h200", text)
    assert document.read_text() == (
        f"before\n<!-- bench-timing h200 -->\n{text}\n<!-- end of bench-timing h200 -->\nafter\n"
    )


@pytest.mark.parametrize(("ours_us", "spread"), [(3.0, "0.06 µs"), (100.0, "2.00 %")])
def test_the_spread_of_short_times_is_told_in_microseconds(ours_us, spread):
    assert f"| {spread} |" in table({"rows": [{**ROW, "ours_us": ours_us}]})
