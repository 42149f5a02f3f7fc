"""What control groups add where they are delegated to the judge."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

from judge.execution import MIB, Command, Ending, ExecutionLimits, SandboxUnavailable
from judge.sandbox.bubblewrap import BubblewrapSandbox
from judge.sandbox.cgroup import ControlGroups

MEMFD_FLOOD = """
import os
for n in range(20):
    fd = os.memfd_create("flood")
    for _ in range(20):
        os.write(fd, b"x" * (1 << 20))
"""


def python(program: str, **limits: object) -> Command:
    chosen: dict[str, object] = {"wall_seconds": 30.0, "memory_bytes": 100 * MIB}
    return Command(
        argv=("/usr/bin/env", "python3", "-c", program),
        limits=ExecutionLimits(**(chosen | limits)),
        environment={"PATH": "/usr/local/bin:/usr/bin:/bin"},
    )


def test_memory_that_no_process_has_mapped_counts_too(group):
    outcome = BubblewrapSandbox(groups=ControlGroups(group)).run(python(MEMFD_FLOOD))
    assert outcome.ending is Ending.MEMORY_LIMIT


def test_address_space_is_free_where_a_group_holds_memory(group):
    program = "import mmap; mmap.mmap(-1, 16 << 30); print('reserved')"
    outcome = BubblewrapSandbox(groups=ControlGroups(group)).run(python(program))
    assert outcome.stdout == b"reserved\n"


def test_every_sandboxs_group_goes_with_it(group):
    sandbox = BubblewrapSandbox(groups=ControlGroups(group))
    process = sandbox.spawn(python("import time; time.sleep(1000)"))
    assert len([path for path in group.iterdir() if path.is_dir()]) == 1
    process.kill()
    assert [path for path in group.iterdir() if path.is_dir()] == []


def test_a_delegation_without_its_controllers_is_refused(group):
    (group / "inner").mkdir()
    try:
        with pytest.raises(SandboxUnavailable, match="Delegate=memory pids"):
            ControlGroups(group / "inner")
    finally:
        (group / "inner").rmdir()


def test_a_group_marked_as_delegated_is_found_and_used(group):
    os.setxattr(group, "trusted.delegate", b"1")
    judge = textwrap.dedent(
        """
        import os, sys
        from pathlib import Path
        group = Path(sys.argv[1])
        (group / "cgroup.procs").write_text(str(os.getpid()))
        from judge.sandbox.bubblewrap import BubblewrapSandbox
        from judge.sandbox.cgroup import find_delegated
        assert find_delegated() is not None
        BubblewrapSandbox()
        print(Path("/proc/self/cgroup").read_text().strip())
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", judge, str(group)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith(f"/{group.name}/judge")
    (group / "judge").rmdir()


def test_a_group_that_is_not_marked_is_left_alone(group):
    judge = (
        "import os, sys; from pathlib import Path\n"
        "Path(sys.argv[1], 'cgroup.procs').write_text(str(os.getpid()))\n"
        "from judge.sandbox.cgroup import find_delegated\n"
        "assert find_delegated() is None\n"
    )
    subprocess.run([sys.executable, "-c", judge, str(group)], check=True)
