"""CUDA's errors in words, and the verdicts they lead to."""

from __future__ import annotations

import pytest

from judge.domain import Verdict
from judge.runner import autopsy, cuda_errors
from judge.runner.protocol import Status


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("cudaErrorIllegalAddress: an illegal memory access was encountered", "memory that is not"),
        ("cudaErrorMisalignedAddress: misaligned address", "16 bytes"),
        ("cudaErrorInvalidValue: invalid argument", "grid or block of size 0"),
        ("cudaErrorAssert", "assert() in the kernel failed"),
    ],
)
def test_a_device_error_is_a_runtime_error_with_its_name_and_its_meaning(error, words):
    failure = autopsy.of_status(Status.DEVICE_ERROR, error)
    assert failure is not None
    assert failure.verdict is Verdict.RTE
    assert error in failure.message
    assert words in failure.message


def test_an_error_nobody_has_words_for_is_named_all_the_same():
    assert cuda_errors.meaning("cudaErrorFancyNewThing: oh") == ""
    failure = autopsy.of_status(Status.DEVICE_ERROR, "cudaErrorFancyNewThing: oh")
    assert failure is not None
    assert failure.message.endswith("cudaErrorFancyNewThing: oh")


def test_code_for_another_device_is_unsupported():
    failure = autopsy.of_status(
        Status.UNSUPPORTED, "cudaErrorNoKernelImageForDevice: no kernel image is available"
    )
    assert failure is not None
    assert failure.verdict is Verdict.UNS
    assert "cudaErrorNoKernelImageForDevice" in failure.message
