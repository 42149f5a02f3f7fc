"""Sizes and scalars reach the runner in C's representation, or are refused."""

from __future__ import annotations

import struct

import pytest
import torch

from judge.devices.setup_message import value_bytes
from judge.domain import DType, Parameter, Role


def scalar(dtype: DType) -> Parameter:
    return Parameter("alpha", dtype, Role.SCALAR)


@pytest.mark.parametrize(
    ("dtype", "value", "expected"),
    [
        (DType.INT32, -5, struct.pack("<i", -5)),
        (DType.UINT64, 2**63, struct.pack("<Q", 2**63)),
        (DType.FLOAT32, 0.1, struct.pack("<f", 0.1)),
        (DType.FLOAT64, 0.1, struct.pack("<d", 0.1)),
        (DType.FLOAT16, 1.5, struct.pack("<e", 1.5)),
        (DType.INT8, -128, b"\x80"),
    ],
)
def test_values_have_c_s_representation(dtype, value, expected):
    assert value_bytes(scalar(dtype), value) == expected


@pytest.mark.parametrize("value", [0.0, 1.0, -1.00390625, 3.14159, 1e38, float("inf"), 1e-40])
def test_bfloat16_rounds_as_torch_does(value):
    expected = torch.tensor(value, dtype=torch.bfloat16).view(torch.int16).item()
    assert value_bytes(scalar(DType.BFLOAT16), value) == struct.pack("<h", expected)


def test_bfloat16_keeps_not_a_number():
    raw = value_bytes(scalar(DType.BFLOAT16), float("nan"))
    assert torch.frombuffer(bytearray(raw), dtype=torch.bfloat16).isnan().all()


@pytest.mark.parametrize(
    ("dtype", "value"),
    [(DType.INT32, 2**31), (DType.UINT32, -1), (DType.INT8, 200), (DType.FLOAT16, 1e6)],
)
def test_a_value_that_does_not_fit_is_refused_by_name(dtype, value):
    with pytest.raises(ValueError, match="alpha"):
        value_bytes(scalar(dtype), value)
