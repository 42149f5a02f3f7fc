"""Real compilers in a real sandbox, with the build cache that this machine's judge uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.compiler.cache import BuildCache
from judge.execution import Executor, SandboxUnavailable
from judge.machine import cache_directory
from judge.sandbox import default_executor


@pytest.fixture(scope="session")
def executor() -> Executor:
    try:
        return default_executor()
    except SandboxUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def support_cache() -> BuildCache:
    """Where the emulation's shared parts are kept: building them takes seconds."""
    return BuildCache(Path(cache_directory()) / "builds")
