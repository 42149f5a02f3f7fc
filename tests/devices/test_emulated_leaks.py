"""A worker opens sessions for months: closing one leaves nothing behind."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from judge.devices.interface import RunnerFailure


def held() -> tuple[int, int, int]:
    """Descriptors, memory mappings of memfds, and children of this process."""
    gc.collect()  # earlier tests' tracebacks hold their sessions in cycles
    me = Path("/proc/self")
    maps = [line for line in (me / "maps").read_text().splitlines() if "memfd:warpboard" in line]
    children = (me / "task" / str(os.getpid()) / "children").read_text().split()
    return len(list((me / "fd").iterdir())), len(maps), len(children)


def test_thirty_sessions_leave_no_descriptor_mapping_or_process(
    build_runner, open_session, helpers
):
    good = build_runner(helpers.SCALE)
    bad = build_runner("std::abort();")
    call = helpers.scale_call(64)

    def use(artifact) -> None:
        with open_session(artifact, call, slots=2) as session:
            session.stage(0, helpers.fresh(64))
            session.bracket([0])

    use(good)
    before = held()
    for _ in range(15):
        use(good)
        with pytest.raises(RunnerFailure):
            use(bad)
    assert held() == before


def test_closing_a_session_removes_its_folder(
    build_runner, open_session, helpers, tmp_path, monkeypatch
):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with open_session(build_runner(helpers.SCALE), helpers.scale_call(64)):
        assert list(tmp_path.glob("warpboard-run-*"))
    assert not list(tmp_path.glob("warpboard-run-*"))


def test_the_judge_s_affinity_and_threads_are_restored(build_runner, open_session, helpers):
    import torch

    before = os.sched_getaffinity(0), torch.get_num_threads()
    with open_session(build_runner(helpers.SCALE), helpers.scale_call(64)):
        pass
    assert (os.sched_getaffinity(0), torch.get_num_threads()) == before
