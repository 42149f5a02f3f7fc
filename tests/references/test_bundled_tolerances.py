"""Where the bundled problems draw the line: honest fp32 passes, the next lower precision fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import torch

from judge.checking import check_case
from judge.domain import DeviceKind, TestCase
from judge.problems.inputs import make_inputs
from judge.problems.oracle import load_oracle
from judge.problems.package import ProblemPackage, load_package

ROOT = Path(__file__).resolve().parents[2]
PRODUCTS = ("matmul", "mnist-matmul")
Inputs = Mapping[str, torch.Tensor]
Kernel = Callable[[Inputs], torch.Tensor]


def fused_running_sum(inputs: Inputs) -> torch.Tensor:
    """A product as one thread an element forms it: float32, ascending, a rounding a term.

    float64 holds a float32 product exactly, so adding there and rounding once is an FMA (but for
    double rounding, about once in 2**29).
    """
    left, right = inputs.values()
    sums = torch.zeros(left.shape[0], right.shape[1])
    for term in range(left.shape[1]):
        column, row = left[:, term : term + 1].double(), right[term : term + 1].double()
        sums = (sums.double() + column * row).float()
    return sums


def running_sum(inputs: Inputs) -> torch.Tensor:
    """A sum as a single thread forms it, the least accurate honest order there is."""
    (values,) = inputs.values()
    total = torch.zeros(1)
    sums = []
    for value in values:
        total = total + value
        sums.append(total)
    return sums[-1]


def tree_sum(inputs: Inputs) -> torch.Tensor:
    (values,) = inputs.values()
    while len(values) > 1:
        half = (len(values) + 1) // 2
        right = torch.nn.functional.pad(values[half:], (0, 2 * half - len(values)))
        values = values[:half] + right
    return values


def with_tf32_inputs(kernel: Kernel) -> Kernel:
    def rounded(values: torch.Tensor) -> torch.Tensor:
        bits = values.view(torch.int32)
        return ((bits + 0x0FFF + ((bits >> 13) & 1)) & ~0x1FFF).view(torch.float32)

    return lambda inputs: kernel({name: rounded(values) for name, values in inputs.items()})


def with_half_inputs(kernel: Kernel) -> Kernel:
    return lambda inputs: kernel({name: values.half().float() for name, values in inputs.items()})


def failures(package: ProblemPackage, kernel: Kernel, tests: list[TestCase], seed: int) -> int:
    """How many of ``tests`` find the kernel's output wrong."""
    generator = torch.Generator().manual_seed(seed)
    oracle = load_oracle(package)
    output = package.problem.outputs[0].name
    count = 0
    for test in tests:
        inputs = make_inputs(package, test, generator)
        check = check_case(
            package.problem,
            {output: kernel(inputs)},
            oracle.reference(inputs, test.sizes, test.scalars),
            oracle.magnitude(inputs, test.sizes, test.scalars),
            test.sizes,
        )
        count += not check.ok
    return count


def small_tests(package: ProblemPackage) -> list[TestCase]:
    return list(package.problem.tests_for(DeviceKind.EMULATED))


@pytest.mark.parametrize("slug", PRODUCTS)
def test_a_product_with_one_running_sum_passes_everywhere(slug: str) -> None:
    package = load_package(ROOT / "problems" / slug)
    for seed in range(5):
        assert failures(package, fused_running_sum, small_tests(package), seed) == 0


@pytest.mark.parametrize("slug", PRODUCTS)
@pytest.mark.parametrize("lowered", [with_tf32_inputs, with_half_inputs])
def test_a_product_of_rounded_inputs_fails_nearly_everywhere(
    slug: str, lowered: Callable[[Kernel], Kernel]
) -> None:
    package = load_package(ROOT / "problems" / slug)
    tests = small_tests(package)
    # Small integers survive the rounding; every other case must notice.
    assert failures(package, lowered(fused_running_sum), tests, seed=1) == len(tests) - 1


def test_a_sum_passes_by_tree_and_as_one_running_sum() -> None:
    package = load_package(ROOT / "problems" / "reduction")
    tests = small_tests(package)
    short = [test for test in tests if test.sizes["n"] <= 11_000]
    for seed in range(20):
        assert failures(package, tree_sum, tests, seed) == 0
    assert failures(package, running_sum, short, seed=1) == 0


@pytest.mark.parametrize("lowered", [with_tf32_inputs, with_half_inputs])
def test_a_sum_of_rounded_inputs_fails_with_any_seed(lowered: Callable[[Kernel], Kernel]) -> None:
    package = load_package(ROOT / "problems" / "reduction")
    for seed in range(15):
        assert failures(package, lowered(tree_sum), small_tests(package), seed) >= 2


def test_a_sum_that_loses_one_element_fails() -> None:
    package = load_package(ROOT / "problems" / "reduction")

    def lossy(inputs: Inputs) -> torch.Tensor:
        (values,) = inputs.values()
        return values[:-1].sum().reshape(1)

    assert failures(package, lossy, small_tests(package), seed=1) >= 8
