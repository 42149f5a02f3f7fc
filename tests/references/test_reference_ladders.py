"""The bundled ladders: what problem.toml names is there, is written by the rules, and compiles."""

from __future__ import annotations

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from judge.compiler.toolkit import INSTALL_NVCC, find_nvcc
from judge.problems.package import ProblemPackage, load_package
from judge.problems.prototype import detect_entry, header

ROOT = Path(__file__).resolve().parents[2]
LADDERS = ROOT / "reference_kernels"
SLUGS = sorted(folder.name for folder in LADDERS.iterdir() if any(folder.glob("v*.cu")))
STEPS = sorted(LADDERS.glob("*/v*.cu"))

#: "12 ms", "0.3 us", "280 µs", "1.5 seconds": a figure that belongs in results, not in a comment.
TIMING = re.compile(r"\d\s*(?:[mµun]s|milliseconds?|microseconds?|seconds?)\b")


def package_of(slug: str) -> ProblemPackage:
    return load_package(ROOT / "problems" / slug)


def header_comment(step: Path) -> list[str]:
    lines: list[str] = []
    for line in step.read_text("utf-8").splitlines():
        if not line.startswith("//"):
            break
        lines.append(line)
    return lines


def test_the_first_four_problems_have_a_ladder() -> None:
    assert {"matmul", "mnist-matmul", "transpose", "reduction"} <= set(SLUGS)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_ladder_of_a_problem_names_exactly_the_files_there_are(slug: str) -> None:
    named = [step.step for step in package_of(slug).problem.ladder]
    assert named == sorted(path.stem for path in (LADDERS / slug).glob("v*.cu"))


@pytest.mark.parametrize("slug", SLUGS)
def test_steps_are_numbered_from_one_without_a_gap(slug: str) -> None:
    names = sorted(path.stem for path in (LADDERS / slug).glob("v*.cu"))
    numbers = [int(re.fullmatch(r"v(\d\d)_[a-z0-9_]+", name)[1]) for name in names]  # type: ignore[index]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("step", STEPS, ids=lambda step: f"{step.parent.name}-{step.stem}")
def test_a_step_opens_with_a_short_comment_on_its_idea_without_timings(step: Path) -> None:
    comment = header_comment(step)
    assert 1 <= len(comment) <= 15
    text = "\n".join(comment)
    for part in ("From", "Why:", "Costs:"):
        assert f"// {part}" in text, f"the header says nothing under {part!r}"
    source = step.read_text("utf-8")
    assert not TIMING.search(source)
    assert max(map(len, source.splitlines())) <= 100


def test_every_step_and_starter_compiles_against_its_prototype(tmp_path: Path) -> None:
    toolkit = find_nvcc()
    if toolkit is None:
        pytest.skip(f"no nvcc: {INSTALL_NVCC}")
    nvcc = toolkit.root / "bin" / "nvcc"

    def errors_of(source: Path, slug: str) -> str:
        package = package_of(slug)
        text = source.read_text("utf-8")
        forced = tmp_path / f"{slug}-{source.stem}.h"
        forced.write_text(header(package.problem, detect_entry(text, package.problem)))
        done = subprocess.run(
            (
                *(str(nvcc), "-std=c++20", "-arch=sm_75", "-ptx"),
                *("-Werror", "all-warnings", "-include", str(forced)),
                *("-o", str(forced.with_suffix(".ptx")), str(source)),
            ),
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stderr if done.returncode else ""

    # PTX is enough to catch what the language forbids. The worklogs' own GPU is the oldest target.
    jobs = [(step, step.parent.name) for step in STEPS]
    jobs += [(ROOT / "problems" / slug / "starter.cu", slug) for slug in SLUGS]
    with ThreadPoolExecutor(max_workers=2) as pool:
        found = list(pool.map(lambda job: errors_of(*job), jobs))
    assert not [f"{job[0]}: {errors}" for job, errors in zip(jobs, found, strict=True) if errors]
