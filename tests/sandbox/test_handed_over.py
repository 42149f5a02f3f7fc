"""What comes out of a sandbox's folder: plain files and folders, and nothing through a link."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from judge.sandbox.handed_over import bring_back, fill


@pytest.fixture
def inside(tmp_path: Path):
    folder = tmp_path / "inside"
    folder.mkdir()
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    yield folder, descriptor
    os.close(descriptor)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


def test_files_and_folders_go_in_and_come_back_changed(inside, outside):
    folder, descriptor = inside
    (outside / "sub").mkdir()
    (outside / "sub" / "old").write_text("before")
    (outside / "gone").write_text("")
    fill(descriptor, outside)
    (folder / "sub" / "old").write_text("after")
    (folder / "new").write_text("made")
    (folder / "gone").unlink()
    bring_back(descriptor, outside)
    found = {str(p.relative_to(outside)): p.read_text() for p in outside.rglob("*") if p.is_file()}
    assert found == {"sub/old": "after", "new": "made"}


def test_links_pipes_and_sockets_are_left_behind(inside, outside, tmp_path):
    folder, descriptor = inside
    secret = tmp_path / "secret"
    secret.write_text("secret")
    (folder / "link").symlink_to(secret)
    (folder / "up").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")
    bring_back(descriptor, outside)
    assert list(outside.iterdir()) == []


def test_nothing_is_written_through_a_link_that_was_there_before(inside, outside, tmp_path):
    folder, descriptor = inside
    victim = tmp_path / "victim"
    victim.write_text("whole")
    (outside / "product").symlink_to(victim)
    (folder / "product").write_text("new")
    bring_back(descriptor, outside)
    assert victim.read_text() == "whole"
    assert (outside / "product").read_text() == "new"


def test_a_file_of_holes_takes_no_room(inside, outside):
    folder, descriptor = inside
    with (folder / "sparse").open("wb") as file:
        file.truncate(1 << 40)
        file.seek(1 << 30)
        file.write(b"data")
    bring_back(descriptor, outside)
    brought = outside / "sparse"
    assert brought.stat().st_size == 1 << 40
    assert brought.stat().st_blocks * 512 < 1 << 20


def test_set_user_bits_are_not_kept(inside, outside):
    folder, descriptor = inside
    (folder / "program").write_text("")
    (folder / "program").chmod(0o6755)
    bring_back(descriptor, outside)
    assert (outside / "program").stat().st_mode & 0o7777 == 0o755


def test_folders_nested_without_end_are_cut_off(inside, outside):
    folder, descriptor = inside
    deep = folder
    for _ in range(40):
        deep /= "d"
    deep.mkdir(parents=True)
    bring_back(descriptor, outside)
    assert sum(1 for _ in outside.rglob("d")) == 32


def test_a_pipe_cannot_be_handed_over(inside, outside):
    _, descriptor = inside
    os.mkfifo(outside / "pipe")
    with pytest.raises(ValueError, match="pipe cannot be in a writable mount"):
        fill(descriptor, outside)
