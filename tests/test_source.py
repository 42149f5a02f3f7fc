"""What is refused before anything is compiled, and in which words."""

from __future__ import annotations

import pytest

from judge.source import MAX_SOURCE_BYTES, SourceRejected, decode_source


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b" \n\t\n", "empty"),
        (b"int x;\n// caf\xe9\n", "not UTF-8: byte 0xe9 on line 2"),
        (b"int x;\n\nint\0y;", "NUL byte on line 3"),
        (b"x" * (MAX_SOURCE_BYTES + 1), "the limit is 262,144 (256 KiB)"),
    ],
)
def test_a_file_that_cannot_be_a_submission_is_refused_with_the_reason(
    data: bytes, says: str
) -> None:
    with pytest.raises(SourceRejected, match=r".") as refused:
        decode_source(data)
    assert says in str(refused.value)


def test_a_byte_order_mark_is_not_part_of_the_source() -> None:
    assert decode_source("\ufeff// größe\n".encode()) == "// größe\n"


def test_a_source_of_exactly_the_limit_is_taken() -> None:
    assert len(decode_source(b"x" * MAX_SOURCE_BYTES)) == MAX_SOURCE_BYTES
