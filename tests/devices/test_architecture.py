"""Names of boards and of what nvcc compiles for."""

from __future__ import annotations

import pytest

from judge.devices.architecture import architecture, board_name


@pytest.mark.parametrize(
    ("product", "board"),
    [
        ("NVIDIA H200", "h200"),
        ("Tesla T4", "t4"),
        ("NVIDIA A100-SXM4-80GB", "a100-sxm4-80gb"),
        ("NVIDIA H100 80GB HBM3", "h100-80gb-hbm3"),
        ("NVIDIA GeForce RTX 4090", "rtx-4090"),
        ("NVIDIA RTX 6000 Ada Generation", "rtx-6000-ada"),
        ("Quadro RTX 8000", "rtx-8000"),
        ("NVIDIA", "gpu"),
    ],
)
def test_a_board_is_named_after_the_chip(product, board):
    assert board_name(product) == board


@pytest.mark.parametrize(
    ("capability", "full", "plain"),
    [
        ((7, 5), "sm_75", "sm_75"),
        ((8, 9), "sm_89", "sm_89"),
        ((9, 0), "sm_90a", "sm_90"),
        ((10, 0), "sm_100a", "sm_100"),
        ((12, 0), "sm_120a", "sm_120"),
    ],
)
def test_architectures_with_instructions_of_their_own_get_them(capability, full, plain):
    assert architecture(*capability) == full
    assert architecture(*capability, own_instructions=False) == plain
