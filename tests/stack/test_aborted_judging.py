"""A run is aborted while a real worker judges it: the verdict is there at once, the device soon."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import httpx

from stack.local import LocalStack

PROBLEM, DEVICE = "transpose", "emulated"

#: Right, and so slow that its judging takes minutes.
SLOW = """
#include <unistd.h>
#include <cuda_runtime.h>
__global__ void transpose(const float* in, float* out, int rows, int columns) {
    int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row < rows && column < columns)
        out[(size_t)column * rows + row] = in[(size_t)row * columns + column];
}
extern "C" void solve(const float* input, float* output, int rows, int columns) {
    usleep(900000);
    dim3 block(16, 16), grid((columns + 15) / 16, (rows + 15) / 16);
    transpose<<<grid, block>>>(input, output, rows, columns);
}
"""


def until(what: str, condition: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen within {seconds:.0f} s"
        time.sleep(0.05)


def test_an_aborted_run_gives_its_device_to_the_next(stack: LocalStack) -> None:
    token = stack.create_token("impatient", "--scope", "submit")
    api = httpx.Client(
        base_url=f"{stack.url}/api/v1/",
        headers={"Authorization": f"Bearer {token}"},
        timeout=30,
    )

    def submit(source: str) -> str:
        body = {"problem": PROBLEM, "device": DEVICE, "source": source}
        answer = api.post("submissions", json=body)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["run"]["id"])

    def run(run_id: str) -> dict[str, Any]:
        found: dict[str, Any] = api.get(f"runs/{run_id}").json()
        return found

    with api:
        slow = submit(SLOW)
        until("judging", lambda: run(slow)["status"] in ("checking", "timing"))
        waiting = submit(SLOW + "// waits for the device\n")

        for run_id in (waiting, slow):
            aborted = api.post(f"runs/{run_id}/abort")
            assert aborted.status_code == 200, aborted.text
            assert (aborted.json()["status"], aborted.json()["verdict"]) == ("done", "AB")

        wrong = submit('extern "C" void solve(const float*, float*, int, int) {}\n')
        until("the next verdict", lambda: run(wrong)["status"] == "done")
        assert run(wrong)["verdict"] == "WA"
        assert [run(run_id)["verdict"] for run_id in (slow, waiting)] == ["AB", "AB"]
        again = api.post(f"runs/{slow}/abort")
        assert again.status_code == 409
        assert again.json()["error"]["code"] == "already_done"
