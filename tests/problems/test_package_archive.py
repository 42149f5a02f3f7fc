"""Archives carry packages unchanged, and nothing else gets out of one."""

from __future__ import annotations

import io
import stat
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.problems.archive import MAX_ARCHIVE_BYTES, read_archive, write_archive
from judge.problems.content import REQUIRED_FILES, digest_of
from judge.problems.package import PackageError, load_package, pack, unpack


def zip_of(entries: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def entries_of(directory: Path) -> dict[str, bytes]:
    return {
        f"{directory.name}/{path.relative_to(directory).as_posix()}": path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


def test_a_package_survives_packing_and_unpacking(row_sum: Path, tmp_path: Path) -> None:
    example = row_sum / "submissions" / "accepted" / "naive.cu"
    example.parent.mkdir(parents=True)
    example.write_text("// naive\n")
    package = load_package(row_sum)
    copy = unpack(pack(package), tmp_path / "elsewhere")
    assert copy.digest == package.digest
    assert copy.problem == package.problem
    assert copy.directory == tmp_path / "elsewhere" / "row-sum"
    assert copy.reference_path.read_text() == package.reference_path.read_text()
    assert copy.examples[0].path.read_text() == "// naive\n"
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["row-sum"]


def test_equal_content_packs_to_equal_bytes(row_sum: Path, tmp_path: Path) -> None:
    first = pack(load_package(row_sum))
    again = unpack(first, tmp_path / "elsewhere")
    (again.directory / ".litter").write_text("x")
    assert pack(again) == first


def test_a_package_that_changed_since_it_was_loaded_is_not_packed(row_sum: Path) -> None:
    package = load_package(row_sum)
    (row_sum / "statement.md").write_text("Another task.\n")
    with pytest.raises(PackageError, match="changed on disk since it was loaded"):
        pack(package)


NAMES = st.one_of(
    st.sampled_from(REQUIRED_FILES),
    st.from_regex(r"submissions/(accepted|wrong_answer)/[a-z0-9_]{1,8}\.cu", fullmatch=True),
)


@given(st.dictionaries(NAMES, st.binary(max_size=300), min_size=1))
def test_any_files_a_package_may_hold_come_back_as_they_were(files: dict[str, bytes]) -> None:
    slug, read = read_archive(write_archive("some-slug", files))
    assert (slug, read) == ("some-slug", files)
    assert digest_of(read) == digest_of(files)


@given(st.dictionaries(NAMES, st.binary(max_size=20)), st.dictionaries(NAMES, st.binary()))
def test_digests_are_equal_only_for_equal_files(a: dict[str, bytes], b: dict[str, bytes]) -> None:
    assert (digest_of(a) == digest_of(b)) == (a == b)


@given(st.binary(max_size=400), st.integers(0, 400), st.integers(0, 400))
def test_damaged_archives_are_refused_or_harmless(junk: bytes, start: int, length: int) -> None:
    whole = write_archive("row-sum", {"statement.md": b"text " * 20})
    damaged = whole[:start] + junk + whole[start + length :]
    with tempfile.TemporaryDirectory() as folder:
        # Not a whole package, so whatever is still readable is refused as one.
        with pytest.raises(PackageError):
            unpack(damaged, Path(folder))
        assert list(Path(folder).iterdir()) == []


def test_an_ordinary_zip_of_the_folder_unpacks(row_sum: Path, tmp_path: Path) -> None:
    entries = {"row-sum/": b"", **entries_of(row_sum)}
    entries["__MACOSX/row-sum/._statement.md"] = b"x"
    entries["row-sum/.DS_Store"] = b"x"
    package = unpack(zip_of(entries), tmp_path / "in")
    assert package.digest == load_package(row_sum).digest


def test_an_existing_package_is_not_overwritten(row_sum: Path) -> None:
    with pytest.raises(PackageError, match="exists already"):
        unpack(pack(load_package(row_sum)), row_sum.parent)


@pytest.mark.parametrize(
    "name",
    [
        "../evil.cu",
        "row-sum/../../evil.cu",
        "row-sum/./statement.md",
        "/etc/cron.d/evil",
        "row-sum//statement.md",
        "row-sum\\..\\evil.cu",
        "C:/evil.cu",
        "row-sum/submissions/accepted/a\nb.cu",
        "row-sum/submissions/accepted/<script>.cu",
        "row-sum/submissions/accepted/\u202ecu.exe.cu",
    ],
)
def test_an_unsafe_name_is_refused_and_nothing_is_written(
    row_sum: Path, tmp_path: Path, name: str
) -> None:
    entries = {**entries_of(row_sum), name: b"x"}
    into = tmp_path / "deep" / "in"
    with pytest.raises(PackageError, match="has an unsafe name"):
        unpack(zip_of(entries), into)
    assert not into.exists()


def test_a_name_hidden_behind_a_nul_is_refused(row_sum: Path, tmp_path: Path) -> None:
    data = zip_of({**entries_of(row_sum), "row-sum/submissions/accepted/aXb.cu": b"x"})
    with pytest.raises(PackageError, match="has an unsafe name"):
        unpack(data.replace(b"aXb.cu", b"a\0b.cu"), tmp_path / "in")


def linked(entry: zipfile.ZipInfo) -> None:
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16


def piped(entry: zipfile.ZipInfo) -> None:
    entry.external_attr = (stat.S_IFIFO | 0o644) << 16


@pytest.mark.parametrize("disguise", [linked, piped])
def test_links_and_special_files_are_refused(
    row_sum: Path, tmp_path: Path, disguise: Callable[[zipfile.ZipInfo], None]
) -> None:
    entries = entries_of(row_sum)
    del entries["row-sum/statement.md"]
    buffer = io.BytesIO(zip_of(entries))
    entry = zipfile.ZipInfo("row-sum/statement.md")
    disguise(entry)
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr(entry, "/etc/hostname")
    with pytest.raises(PackageError, match="is a link or a special file"):
        unpack(buffer.getvalue(), tmp_path / "in")


def test_a_file_that_expands_past_the_limit_is_refused(row_sum: Path, tmp_path: Path) -> None:
    entries = {**entries_of(row_sum), "row-sum/statement.md": bytes(50 * 1024 * 1024)}
    data = zip_of(entries)
    assert len(data) < 100_000
    with pytest.raises(PackageError, match=r"row-sum/statement\.md: larger than 1048576 bytes"):
        unpack(data, tmp_path / "in")


def test_many_files_that_expand_past_the_total_are_refused(tmp_path: Path) -> None:
    entries = {f"bomb/submissions/accepted/{i}.cu": bytes(1024 * 1024) for i in range(9)}
    with pytest.raises(PackageError, match="the package is larger than"):
        unpack(zip_of(entries), tmp_path / "in")


def test_a_stated_size_is_not_believed(row_sum: Path, tmp_path: Path) -> None:
    size = 5 * 1024 * 1024
    data = zip_of({**entries_of(row_sum), "row-sum/statement.md": b"x" * size})
    lied = data.replace(size.to_bytes(4, "little"), (10).to_bytes(4, "little"))
    with pytest.raises(PackageError):
        unpack(lied, tmp_path / "in")


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({f"p/submissions/accepted/{i}.cu": b"" for i in range(201)}, "more than 200 files"),
        ({f"p/.{i}": b"" for i in range(801)}, "more than 800 entries"),
        ({"problem.toml": b""}, "zip the folder itself"),
        ({"Not A Slug/problem.toml": b""}, "zip the folder itself"),
        ({"a/problem.toml": b"", "b/problem.toml": b""}, "zip one problem at a time"),
        ({}, "holds no files"),
        ({"a/payload.sh": b""}, "not a file of a package"),
    ],
)
def test_an_archive_that_is_no_package_is_refused(
    tmp_path: Path, entries: dict[str, bytes], words: str
) -> None:
    with pytest.raises(PackageError, match=words):
        unpack(zip_of(entries), tmp_path / "in")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_that_is_there_twice_is_refused(row_sum: Path, tmp_path: Path) -> None:
    buffer = io.BytesIO(zip_of(entries_of(row_sum)))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("row-sum/reference.py", "import os")
    with pytest.raises(PackageError, match="in the archive twice"):
        unpack(buffer.getvalue(), tmp_path / "in")


def test_a_compression_that_could_bomb_is_refused(row_sum: Path, tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="a method other than deflate"):
        unpack(zip_of(entries_of(row_sum), zipfile.ZIP_LZMA), tmp_path / "in")


def test_an_oversized_archive_is_not_even_opened(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="larger than"):
        unpack(bytes(MAX_ARCHIVE_BYTES + 1), tmp_path / "in")


def test_an_invalid_package_is_refused_with_its_own_errors(row_sum: Path, tmp_path: Path) -> None:
    entries = {**entries_of(row_sum), "row-sum/problem.toml": b'slug = "row-sum"\n'}
    with pytest.raises(PackageError, match="title: missing") as caught:
        unpack(zip_of(entries), tmp_path / "in")
    assert caught.value.package == "row-sum"
    assert list((tmp_path / "in").iterdir()) == []
