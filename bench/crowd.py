"""A site after years of use: 200 problems, 10,000 entries on one board, 20,000 runs, in seconds.

For ``make bench-site`` and the tests that hold pages to their number of queries. Rows are written
in bulk, as the site would have left them; figures are drawn with a fixed seed.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Model
from django.utils import timezone

from judge.domain import Verdict
from judge.problems.package import load_package
from stack.local import ROOT
from webapp.accounts.models import ApiToken, Scope, User
from webapp.accounts.tokens import create_token
from webapp.leaderboards.models import Entry
from webapp.ops.models import Device, Worker
from webapp.problems.loading import store_package
from webapp.problems.models import Problem, ProblemVersion
from webapp.submissions.models import (
    CaseResult,
    CompetitorKind,
    Compilation,
    Run,
    Submission,
    WorkloadTiming,
)

PROBLEM = "transpose"
DEVICE = "emulated"
VIEWER = "ada"

_TAGS = ("memory", "reduction", "matmul", "attention", "scan", "sparse")
_SOURCE = "// one of many\n" + 'extern "C" void solve(const float* in, float* out) {}\n' * 8
_DAYS = 400


@dataclass(frozen=True)
class Crowd:
    """What pages are looked at with: the viewer, one of their runs, and tokens."""

    viewer: User
    staff: User
    #: An accepted Run of the viewer on the big board, and one that waits.
    run: Run
    waiting: Run
    token: ApiToken
    token_text: str


def fill(
    problems: int = 200,
    entries: int = 10_000,
    runs: int = 20_000,
    viewers_runs: int = 1_000,
    with_timings: bool = True,
) -> Crowd:
    """Fills an empty database. ``entries`` are on one board; further runs are on all others.

    ``with_timings`` gives every accepted Run its samples; without it takes a third less time.
    """
    rng = random.Random(0)
    now = timezone.now()
    versions = _problems(problems)
    devices = [
        Device.objects.create(name=DEVICE, kind="emulated"),
        Device.objects.create(name="h200", kind="cuda"),
    ]
    for device in devices:
        _worker(device, now)
    viewer = User.objects.create_user(VIEWER, "ada@example.org")
    staff = User.objects.create_user("grace", "grace@example.org", is_staff=True)
    crowd = User.objects.bulk_create(
        User(username=f"user{index:05}", password="!") for index in range(entries)
    )
    with _own_times(Submission, Run):
        big = [(user, "") for user in crowd[: entries - 9]]
        big.insert(entries // 3, (viewer, ""))
        big += [(staff, f"v{step:02}_step") for step in range(1, 9)]
        best = _judged(big, [versions[0]], devices[:1], [Verdict.AC], now, rng)
        others = [(viewer, "")] * viewers_runs
        others += [(rng.choice(crowd), "") for _ in range(runs - entries - viewers_runs)]
        mixed = [Verdict.AC, Verdict.AC, Verdict.WA, Verdict.CE, Verdict.RTE, Verdict.TLE]
        rest = _judged(others, versions[1:], devices, mixed, now, rng)
        waiting = Run.objects.create(
            submission=Submission.objects.create(
                owner=viewer, version=versions[0], source=_SOURCE, created_at=now
            ),
            device=devices[0],
            created_at=now,
        )
    if with_timings:
        WorkloadTiming.objects.bulk_create(
            (_timing(run, 0, run.score_ms, 12, rng) for run in best + rest if run.score_ms),
            batch_size=2_000,
        )
    _entries(best)
    _entries(_bests(rest))
    run = next(run for run in best if run.submission.owner_id == viewer.pk)
    _results(run, rng)
    token, text = create_token(viewer, "bench", list(Scope))
    return Crowd(viewer, staff, run, waiting, token, text)


def _problems(count: int) -> list[ProblemVersion]:
    """The transpose, and copies of it under other names."""
    store_package(load_package(ROOT / "problems" / PROBLEM))
    first = ProblemVersion.objects.get()
    slugs = [f"problem-{index:03}" for index in range(1, count)]
    Problem.objects.bulk_create(Problem(slug=slug) for slug in slugs)
    versions = ProblemVersion.objects.bulk_create(
        ProblemVersion(
            problem_id=slug,
            digest=hashlib.sha256(slug.encode()).hexdigest(),
            title=f"Problem {index}",
            difficulty=("easy", "medium", "hard")[index % 3],
            tags=[_TAGS[index % len(_TAGS)], _TAGS[index // 7 % len(_TAGS)]],
            definition={**first.definition, "slug": slug},
            statement=first.statement,
            starter=first.starter,
            signature=first.signature,
            archive=b"",
        )
        for index, slug in enumerate(slugs)
    )
    problems = [Problem(slug=v.problem_id, current=v) for v in versions]
    Problem.objects.bulk_update(problems, ["current"])
    return [first, *versions]


def _worker(device: Device, now: datetime) -> None:
    Worker.objects.create(
        name=f"worker-{device.name}",
        device=device,
        state="ready",
        sent_at=now,
        last_seen_at=now,
        environment={"hardware": "a device", "compiler": "nvcc 13.0"},
    )


def _judged(
    competitors: Sequence[tuple[User, str]],
    versions: Sequence[ProblemVersion],
    devices: Sequence[Device],
    verdicts: Sequence[Verdict],
    now: datetime,
    rng: random.Random,
) -> list[Run]:
    """One finished Run for each competitor: a user, and a step of a ladder or nothing."""
    submissions, runs = [], []
    for owner, step in competitors:
        made = now - timedelta(minutes=rng.randrange(90, 60 * 24 * _DAYS))
        submission = Submission(
            owner=owner,
            version=rng.choice(versions),
            source=_SOURCE,
            kind=CompetitorKind.REFERENCE if step else CompetitorKind.USER,
            reference=step,
            created_at=made,
        )
        verdict = rng.choice(verdicts)
        ms = rng.lognormvariate(0.0, 0.8) if verdict is Verdict.AC else None
        run = Run(
            submission=submission,
            device=rng.choice(devices),
            status="done",
            verdict=verdict.value,
            message="All cases passed." if ms else "output[3] is 1.0, expected 2.0.",
            created_at=made,
            dispatched_at=made,
            started_at=made,
            finished_at=made + timedelta(seconds=5),
            score_ms=ms,
            ci_low_ms=ms and ms * 0.998,
            ci_high_ms=ms and ms * 1.002,
            environment={"hardware": "a device", "compiler": "nvcc 13.0"},
        )
        submissions.append(submission)
        runs.append(run)
    Submission.objects.bulk_create(submissions, batch_size=2_000)
    Run.objects.bulk_create(runs, batch_size=2_000)
    return runs


def _timing(run: Run, index: int, ms: float, samples: int, rng: random.Random) -> WorkloadTiming:
    drawn = [[ms * rng.uniform(0.99, 1.02) for _ in range(samples // 3)] for _ in range(3)]
    return WorkloadTiming(
        run=run,
        index=index,
        workload=f"size {index}",
        sizes={"rows": 512, "cols": 512},
        basis="E",
        samples_ms=drawn,
        sample_count=samples,
        median_ms=ms,
        ci_low_ms=ms * 0.998,
        ci_high_ms=ms * 1.002,
        spread_pct=0.2,
        e_us=ms * 1e3,
        f_residual_us=1.5,
        flops=0.0,
        bytes=2.0 * 512 * 512 * 4,
    )


def _bests(runs: Sequence[Run]) -> list[Run]:
    """Each user's fastest accepted Run on each board."""
    best: dict[tuple[Any, ...], Run] = {}
    for run in runs:
        if run.score_ms is not None:
            key = (run.submission.version_id, run.device_id, run.submission.owner_id)
            best[key] = min(best.get(key, run), run, key=lambda run: run.score_ms or 0.0)
    return list(best.values())


def _entries(runs: Sequence[Run]) -> None:
    Entry.objects.bulk_create(
        (
            Entry(
                version_id=run.submission.version_id,
                device_id=run.device_id,
                kind=run.submission.kind,
                competitor=run.submission.reference or str(run.submission.owner_id),
                owner_id=None if run.submission.reference else run.submission.owner_id,
                run=run,
                score_ms=run.score_ms or 0.0,
                ci_low_ms=run.ci_low_ms or 0.0,
                ci_high_ms=run.ci_high_ms or 0.0,
            )
            for run in runs
        ),
        batch_size=2_000,
    )


def _results(run: Run, rng: random.Random) -> None:
    """A Run as full as they come: 40 cases, three workloads of 600 samples, compiler output."""
    run.timings.all().delete()
    WorkloadTiming.objects.bulk_create(
        _timing(run, index, run.score_ms or 1.0, 600, rng) for index in range(3)
    )
    CaseResult.objects.bulk_create(
        CaseResult(
            run=run,
            index=index,
            case=f"case {index}",
            verdict="AC",
            sizes={"rows": 31, "cols": 33},
            distribution="normal",
            hidden=index % 3 == 0,
            max_abs_error=0.0,
            max_rel_error=0.0,
        )
        for index in range(40)
    )
    Compilation.objects.create(
        run=run, ok=True, seconds=1.0, cached=False, output="warning: unused\n" * 40
    )


@contextmanager
def _own_times(*models: type[Model]) -> Iterator[None]:
    """Lets rows be made at a time other than now."""
    fields = [model._meta.get_field("created_at") for model in models]
    for field in fields:
        field.auto_now_add = False  # type: ignore[union-attr]
    try:
        yield
    finally:
        for field in fields:
            field.auto_now_add = True  # type: ignore[union-attr]
