"""The store finds exactly the version asked for: local, cached or fetched."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from judge.problems.package import PackageError, load_package, pack
from judge.problems.store import PackageMismatch, PackageStore, UnknownProblem, UnknownVersion


class Site:
    """Archives by slug and digest, as the site serves them; counts what it was asked."""

    def __init__(self, archives: dict[tuple[str, str], bytes]) -> None:
        self.archives = archives
        self.asked: list[tuple[str, str]] = []

    def fetch(self, slug: str, digest: str) -> bytes:
        self.asked.append((slug, digest))
        return self.archives[slug, digest]


@pytest.fixture
def old_and_new(row_sum: Path) -> tuple[str, str, Site]:
    """The digests of two versions, the newer on disk, the older at the site alone."""
    old = load_package(row_sum)
    site = Site({("row-sum", old.digest): pack(old)})
    (row_sum / "statement.md").write_text("A newer text.\n")
    return old.digest, load_package(row_sum).digest, site


def test_without_a_digest_the_local_version_is_meant(row_sum: Path, tmp_path: Path) -> None:
    store = PackageStore([tmp_path / "none", row_sum.parent], tmp_path / "cache")
    assert store.get("row-sum").directory == row_sum


def test_a_local_version_is_not_fetched(
    row_sum: Path, tmp_path: Path, old_and_new: tuple[str, str, Site]
) -> None:
    _, new, site = old_and_new
    store = PackageStore([row_sum.parent], tmp_path / "cache", site.fetch)
    assert store.get("row-sum", new).directory == row_sum
    assert site.asked == []


def test_another_version_is_fetched_once_and_cached(
    row_sum: Path, tmp_path: Path, old_and_new: tuple[str, str, Site]
) -> None:
    old, _, site = old_and_new
    store = PackageStore([row_sum.parent], tmp_path / "cache", site.fetch)
    first = store.get("row-sum", old)
    assert first.digest == old
    assert first.directory == tmp_path / "cache" / old / "row-sum"
    assert store.get("row-sum", old) == first
    assert site.asked == [("row-sum", old)]
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [old]


def test_a_worker_without_any_local_problem_fetches(
    tmp_path: Path, old_and_new: tuple[str, str, Site]
) -> None:
    old, _, site = old_and_new
    assert PackageStore([], tmp_path / "cache", site.fetch).get("row-sum", old).digest == old


def test_a_package_other_than_the_one_asked_for_is_refused(
    row_sum: Path, tmp_path: Path, old_and_new: tuple[str, str, Site]
) -> None:
    old, _, site = old_and_new
    site.archives["row-sum", old] = pack(load_package(row_sum))
    store = PackageStore([], tmp_path / "cache", site.fetch)
    with pytest.raises(PackageMismatch, match=f"asked for version {old[:12]} of row-sum"):
        store.get("row-sum", old)
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_damaged_cache_heals(tmp_path: Path, old_and_new: tuple[str, str, Site]) -> None:
    old, _, site = old_and_new
    store = PackageStore([], tmp_path / "cache", site.fetch)
    package = store.get("row-sum", old)
    package.reference_path.write_text("def reference(x): return x\n")
    assert store.get("row-sum", old).digest == old
    shutil.rmtree(package.directory / "submissions", ignore_errors=True)
    (package.directory / "problem.toml").unlink()
    assert store.get("row-sum", old) == package
    assert len(site.asked) == 3


def test_a_broken_local_folder_does_not_hide_a_version_that_can_be_fetched(
    row_sum: Path, tmp_path: Path, old_and_new: tuple[str, str, Site]
) -> None:
    old, new, site = old_and_new
    (row_sum / "problem.toml").write_text("slug = ")
    store = PackageStore([row_sum.parent], tmp_path / "cache", site.fetch)
    assert store.get("row-sum", old).digest == old
    with pytest.raises(PackageError):
        store.get("row-sum")
    with pytest.raises(UnknownVersion) as caught:
        PackageStore([row_sum.parent], tmp_path / "cache").get("row-sum", new)
    assert isinstance(caught.value.__cause__, PackageError)


def test_rivals_that_fetch_the_same_version_all_get_it(
    tmp_path: Path, old_and_new: tuple[str, str, Site]
) -> None:
    old, _, site = old_and_new
    store = PackageStore([], tmp_path / "cache", site.fetch)
    with ThreadPoolExecutor(8) as pool:
        packages = list(pool.map(lambda _: store.get("row-sum", old), range(16)))
    assert len(set(map(str, packages))) == 1
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [old]


def test_an_unknown_problem_says_where_it_was_looked_for(row_sum: Path, tmp_path: Path) -> None:
    store = PackageStore([row_sum.parent], tmp_path / "cache")
    with pytest.raises(UnknownProblem, match=f'no problem "col-sum" .looked in {row_sum.parent}'):
        store.get("col-sum")
    with pytest.raises(UnknownVersion, match="no site to fetch it from"):
        store.get("row-sum", "0" * 64)


@pytest.mark.parametrize("slug", ["../row-sum", "/etc", "", "row_sum", "a/b", "x" * 65])
def test_a_slug_that_is_none_never_becomes_a_path(tmp_path: Path, slug: str) -> None:
    with pytest.raises(UnknownProblem, match="is not a problem's slug"):
        PackageStore([tmp_path], tmp_path / "cache").get(slug)


@pytest.mark.parametrize("digest", ["", "../..", "A" * 64, "0" * 63, "0" * 65])
def test_a_digest_that_is_none_never_becomes_a_path(tmp_path: Path, digest: str) -> None:
    with pytest.raises(UnknownVersion, match="64 hex digits expected"):
        PackageStore([tmp_path], tmp_path / "cache").get("row-sum", digest)
