"""``domain.DType`` in torch's terms."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from judge.domain import DType

TORCH_DTYPES: Mapping[DType, torch.dtype] = {
    DType.FLOAT16: torch.float16,
    DType.BFLOAT16: torch.bfloat16,
    DType.FLOAT32: torch.float32,
    DType.FLOAT64: torch.float64,
    DType.INT8: torch.int8,
    DType.INT16: torch.int16,
    DType.INT32: torch.int32,
    DType.INT64: torch.int64,
    DType.UINT8: torch.uint8,
    DType.UINT32: torch.uint32,
    DType.UINT64: torch.uint64,
}
