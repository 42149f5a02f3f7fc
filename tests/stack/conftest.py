"""A whole Warpboard, started once for these tests: every process real, on free ports."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from judge.cli.client import SiteClient
from judge.execution import SandboxUnavailable
from judge.sandbox import default_executor
from stack.local import ROOT, LocalStack, free_port


def reference(problem: str, step: str) -> str:
    """The source of a bundled step, by the beginning of its file's name."""
    (found,) = (ROOT / "reference_kernels" / problem).glob(f"{step}_*.cu")
    return found.read_text("utf-8")


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalStack]:
    try:
        default_executor()
    except SandboxUnavailable as error:
        pytest.skip(str(error))
    with LocalStack(tmp_path_factory.mktemp("stack"), free_port()) as running:
        yield running


@pytest.fixture(scope="session")
def client(stack: LocalStack) -> SiteClient:
    """The API as the ladder's owner uses it."""
    token = stack.create_token("ladder", "--scope", "submit", "--scope", "reference")
    return SiteClient(stack.url, token)
