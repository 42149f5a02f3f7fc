"""Parts fail while work is in hand: nothing is lost, nothing is judged into two verdicts."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from judge.cli.client import SiteClient
from stack.local import LocalStack

PROBLEM, DEVICE = "transpose", "emulated"


def last(runs: Any) -> dict[str, Any]:
    *_, finished = runs
    return dict(finished)


def until(what: str, condition: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen within {seconds:.0f} s"
        time.sleep(0.05)


def expire_leases(stack: LocalStack) -> None:
    """As if a lease's time had passed since a worker last spoke."""
    with closing(sqlite3.connect(stack.database, timeout=30)) as database, database:
        database.execute(
            "UPDATE submissions_run SET lease_expires_at = '2000-01-01' "
            "WHERE lease_expires_at IS NOT NULL"
        )


def test_a_submission_made_while_redis_is_down_is_judged_once_it_is_back(
    stack: LocalStack, client: SiteClient, kernels: dict[str, Path]
) -> None:
    stack.children.stop("redis")
    answer = client.submit(PROBLEM, DEVICE, kernels["slow"].read_text())
    assert answer["run"]["status"] == "queued"

    stack.start_redis()

    assert last(client.follow(answer["run"]["id"]))["verdict"] == "AC"


def test_a_run_whose_worker_was_killed_is_judged_again_to_one_verdict(
    stack: LocalStack, client: SiteClient, kernels: dict[str, Path]
) -> None:
    run_id = client.submit(PROBLEM, DEVICE, kernels["slow"].read_text())["run"]["id"]
    until("judging", lambda: client.run(run_id)["status"] in ("checking", "timing"), 60)
    stack.children.kill("worker")

    stack.start_worker()

    def given_up() -> bool:
        expire_leases(stack)
        return bool(client.run(run_id)["attempt"] == 2)

    until("the second attempt", given_up, 60)
    finished = last(client.follow(run_id))
    assert finished["verdict"] == "AC"
    names = [case["name"] for case in finished["cases"]]
    assert len(finished["workloads"]) == len({w["workload"] for w in finished["workloads"]})
    assert [case["index"] for case in finished["cases"]] == list(range(len(names)))


def test_sigterm_lets_a_worker_finish_what_it_has_in_hand(
    stack: LocalStack, client: SiteClient, kernels: dict[str, Path]
) -> None:
    run_id = client.submit(PROBLEM, DEVICE, kernels["slow"].read_text())["run"]["id"]
    until("judging", lambda: client.run(run_id)["status"] in ("checking", "timing"), 60)

    stack.children.stop("worker")

    until("the verdict", lambda: client.run(run_id)["status"] == "done", 60)
    finished = client.run(run_id)
    assert (finished["verdict"], finished["attempt"]) == ("AC", 1)
    stack.start_worker()
