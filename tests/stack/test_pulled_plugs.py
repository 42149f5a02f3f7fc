"""Parts fail while work is in hand: nothing is lost, nothing is judged into two verdicts."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from judge.cli.client import SiteClient
from judge.messages import LEASE_SECONDS
from stack.local import LocalStack, free_port

PROBLEM, DEVICE = "transpose", "emulated"

NAIVE = """
#include <cuda_runtime.h>
__global__ void transpose(const float* in, float* out, int rows, int columns) {
    int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row < rows && column < columns)
        out[(size_t)column * rows + row] = in[(size_t)row * columns + column];
}
extern "C" void solve(const float* input, float* output, int rows, int columns) {
    dim3 block(16, 16), grid((columns + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, columns);
}
"""


def last(runs: Any) -> dict[str, Any]:
    *_, finished = runs
    return dict(finished)


def until(what: str, condition: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen within {seconds:.0f} s"
        time.sleep(0.05)


def test_a_submission_made_while_redis_is_down_is_judged_once_it_is_back(
    stack: LocalStack, client: SiteClient
) -> None:
    stack.children.stop("redis")
    answer = client.submit(PROBLEM, DEVICE, NAIVE)
    assert answer["run"]["status"] == "queued"

    stack.start_redis()

    assert last(client.follow(answer["run"]["id"]))["verdict"] == "AC"


def test_a_run_whose_worker_was_killed_is_judged_again_to_one_verdict(
    stack: LocalStack, client: SiteClient
) -> None:
    run_id = client.submit(PROBLEM, DEVICE, NAIVE + "// killed in the middle\n")["run"]["id"]
    until("judging", lambda: client.run(run_id)["status"] in ("checking", "timing"), 60)
    stack.children.kill("worker")

    stack.start_worker()

    until("the second attempt", lambda: client.run(run_id)["attempt"] == 2, 3 * LEASE_SECONDS)
    finished = last(client.follow(run_id))
    assert finished["verdict"] == "AC"
    names = [case["name"] for case in finished["cases"]]
    assert len(finished["workloads"]) == len({w["workload"] for w in finished["workloads"]})
    assert [case["index"] for case in finished["cases"]] == list(range(len(names)))


def test_sigterm_lets_a_worker_finish_what_it_has_in_hand(
    stack: LocalStack, client: SiteClient
) -> None:
    run_id = client.submit(PROBLEM, DEVICE, NAIVE + "// drained\n")["run"]["id"]
    until("judging", lambda: client.run(run_id)["status"] in ("checking", "timing"), 60)

    stack.children.stop("worker")

    until("the verdict", lambda: client.run(run_id)["status"] == "done", 60)
    finished = client.run(run_id)
    assert (finished["verdict"], finished["attempt"]) == ("AC", 1)
    stack.start_worker()


def test_stopping_the_stack_leaves_no_process_behind(tmp_path: Path) -> None:
    with LocalStack(tmp_path, free_port()) as running:
        groups = [running.children.pid(name) for name in ("redis", "site", "events", "worker")]
    listed = subprocess.run(
        ["ps", "-eo", "pgid="], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {str(group) for group in groups} & set(listed)
