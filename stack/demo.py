"""`make demo`: start everything, submit every reference kernel as a user would, have the library
calls timed that they compare with, show the boards.

Run as ``python -m stack.demo [--once]`` from the checkout. With ``--once`` it exits after the
boards are printed, with status 0 only if all of them were accepted; else it serves until
Ctrl-C.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from judge.cli.client import SiteClient
from judge.cli.output import board_table, print_rich
from judge.domain import AUTO, EMULATED_DEVICE
from stack.local import ROOT, LocalStack
from stack.processes import ChildFailed

VAR = ROOT / "var"
PORT = 8000
#: The user in whose name the ladder's steps are submitted.
REFERENCE_USER = "references"

console = Console(highlight=False)


class _Stop(Exception):
    """Ctrl-C or SIGTERM: leave, stopping every child on the way."""


def _raise_stop(signum: int, frame: FrameType | None) -> None:
    raise _Stop


def reference_kernels() -> list[tuple[str, Path]]:
    """Every (problem, file) of the ladders whose problem is in the checkout, in ladder order."""
    return [
        (ladder.name, step)
        for ladder in sorted((ROOT / "reference_kernels").iterdir())
        if (ROOT / "problems" / ladder.name).is_dir()
        for step in sorted(ladder.glob("v*.cu"))
    ]


def judge_references(stack: LocalStack, client: SiteClient) -> dict[str, list[dict[str, Any]]]:
    """Submit every step and follow all Runs to their verdicts; Runs by problem."""
    kernels = reference_kernels()
    runs: dict[str, tuple[str, str]] = {}
    for problem, file in kernels:
        answer = client.submit(problem, stack.device, file.read_text("utf-8"), reference=file.stem)
        runs[answer["run"]["id"]] = (problem, file.stem)
    done: dict[str, list[dict[str, Any]]] = {problem: [] for problem, _ in kernels}
    bar = Progress(
        TextColumn("{task.description:<48}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    )
    with bar:
        task = bar.add_task("judging the reference kernels", total=len(runs))
        for run_id, (problem, step) in runs.items():
            for run in client.follow(run_id):
                stack.children.check_alive()
                bar.update(task, description=f"{problem} {step}: {run['status']}")
            done[problem].append(run)
            bar.advance(task)
            if not console.is_terminal:
                console.print(f"{problem} {step}: {run['verdict']}")
    return done


def judge_baselines(stack: LocalStack, client: SiteClient) -> list[dict[str, Any]]:
    """Have each problem's library call timed; the Runs with their verdicts."""
    runs = []
    for line in stack.manage("request_baselines", "--device", stack.device, "--again").splitlines():
        run_id, problem, _ = line.split()
        seen = []
        for run in client.follow(run_id):
            stack.children.check_alive()
            seen.append(run)
        runs.append(seen[-1])
        console.print(f"{problem} {seen[-1]['name']}: {seen[-1]['verdict']}")
    return runs


def write_summary(device: str, boards: list[dict[str, Any]]) -> None:
    """var/demo.json, for scripts that want to know how the demo went."""
    keys = ("name", "kind", "verdict", "median_ms", "ci_low_ms", "ci_high_ms", "rank", "percentile")
    summary = {
        "device": device,
        "boards": [
            {
                "problem": board["problem"],
                "entries": [{key: entry[key] for key in keys} for entry in board["entries"]],
            }
            for board in boards
        ],
    }
    (VAR / "demo.json").write_text(json.dumps(summary, indent=2) + "\n")


def demo(once: bool) -> int:
    began = time.monotonic()
    console.print("starting Redis, the site, its event worker and one judge worker …")
    with LocalStack(VAR, PORT, AUTO) as stack:
        token = stack.create_token(REFERENCE_USER, "--scope", "submit", "--scope", "reference")
        client = SiteClient(stack.url, token)
        runs = judge_references(stack, client)
        baselines = judge_baselines(stack, client)
        boards = [client.board(problem, stack.device) for problem in runs]
        write_summary(stack.device, boards)
        for board in boards:
            print_rich(board_table(board))
        judged = [*(run for found in runs.values() for run in found), *baselines]
        failed = [run for run in judged if run["verdict"] != "AC"]
        for run in failed:
            console.print(f"{run['problem']}: {run['verdict']} {run['message']}", style="bold")
        console.print(
            f"{len(judged) - len(baselines)} reference kernels and {len(baselines)} library calls "
            f"judged on {stack.device}, {len(failed)} not accepted, "
            f"{time.monotonic() - began:.0f} s."
        )
        if stack.device == EMULATED_DEVICE:
            console.print("Emulated times are not GPU times.")
        if once:
            return 1 if failed else 0
        console.print(f"Warpboard is at {stack.url}; Ctrl-C stops it.")
        wake = threading.Event()
        while not wake.wait(1.0):
            stack.children.check_alive()
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--once", action="store_true", help="exit after printing the boards")
    once = parser.parse_args().once
    signal.signal(signal.SIGINT, _raise_stop)
    signal.signal(signal.SIGTERM, _raise_stop)
    try:
        return demo(once)
    except _Stop:
        console.print("stopped.")
        return 0 if not once else 130
    except ChildFailed as error:
        console.print(str(error), markup=False)
        return 3


if __name__ == "__main__":
    sys.exit(main())
