"""The locator knows on which line every key of a TOML file stands."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.problems.locator import KeyPath, key_lines, line_of

DOCUMENT = '''\
# a comment with [brackets] and = signs
plain = 1
"quoted key" = "a # no comment"
dotted.inner.deep = 'C:\\'
text = """
not = "a key"
[[nor.this]]
quotes at the end"""""
raw = \'\'\'
x = 1 \\\'\'\'
list = [ # comment ]
  "one",
  [2, 3],

  {four = 4, five.six = [
     7]},
]
[table] # comment
a = {b = 1, c = "}"}
[[array]]
x = 1
  [[array.inner]]
  y = 1
  [[array.inner]]
  y = 2979-05-27T07:32:00Z
[[array]]
x = 2
[[array.inner]]
y = 3
[array.table]
z = true
'''


def all_paths(value: Any, path: KeyPath = ()) -> list[KeyPath]:
    if isinstance(value, dict):
        items: list[tuple[str | int, Any]] = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    else:
        return []
    return [p for key, item in items for p in [(*path, key), *all_paths(item, (*path, key))]]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("plain",), 2),
        (("quoted key",), 3),
        (("dotted", "inner", "deep"), 4),
        (("text",), 5),
        (("raw",), 9),
        (("list",), 11),
        (("list", 0), 12),
        (("list", 1, 1), 13),
        (("list", 2, "four"), 15),
        (("list", 2, "five", "six", 0), 16),
        (("table",), 18),
        (("table", "a", "c"), 19),
        (("array", 0), 20),
        (("array", 0, "inner", 0, "y"), 23),
        (("array", 0, "inner", 1, "y"), 25),
        (("array", 1, "x"), 27),
        (("array", 1, "inner", 0, "y"), 29),
        (("array", 1, "table", "z"), 31),
    ],
)
def test_a_key_is_found_on_its_line(path: KeyPath, line: int) -> None:
    assert key_lines(DOCUMENT)[path] == line


def test_exactly_the_paths_of_the_document_are_found() -> None:
    assert set(key_lines(DOCUMENT)) == set(all_paths(tomllib.loads(DOCUMENT)))


def test_a_missing_key_is_placed_at_what_is_around_it() -> None:
    lines = key_lines(DOCUMENT)
    assert line_of(("array", 1, "missing"), lines) == 26
    assert line_of(("missing",), lines) is None


@given(st.text(alphabet="ab.=[]{}'\"#\\,\n 1", max_size=40))
def test_whatever_tomllib_accepts_the_locator_walks_to_the_end(text: str) -> None:
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    paths = {path for path in all_paths(document) if not any("\\" in str(part) for part in path)}
    assert paths <= set(key_lines(text)) or "\\" in text
