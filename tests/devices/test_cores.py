"""Dividing the cores of a machine between the runner and the judge."""

from __future__ import annotations

import pytest

from judge.devices.cores import share_cores


def test_the_runner_gets_all_cores_but_the_first():
    share = share_cores(frozenset({0, 1, 2, 3}), None)
    assert share.threads == 3
    assert share.runner == {1, 2, 3}
    assert share.judge == {0}


def test_fewer_threads_leave_more_cores_to_the_judge():
    share = share_cores(frozenset({4, 5, 6, 7}), 1)
    assert share.runner == {7}
    assert share.judge == {4, 5, 6}


@pytest.mark.parametrize(("available", "threads"), [({3}, None), ({0, 1}, 2), ({0, 1}, 5)])
def test_too_few_cores_are_not_divided(available, threads):
    share = share_cores(frozenset(available), threads)
    assert share.threads == (threads or 1)
    assert share.runner is None
    assert share.judge is None


def test_no_threads_at_all_is_refused():
    with pytest.raises(ValueError, match="at least one thread"):
        share_cores(frozenset({0, 1}), 0)
