"""What bubblewrap shows of this machine's system to a compiler and to a runner: very little."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from judge.execution import (
    MIB,
    Command,
    ExecutionLimits,
    Mount,
    Outcome,
    Purpose,
    SandboxUnavailable,
)
from judge.sandbox.bubblewrap import BubblewrapSandbox

#: Parts of this machine's system that are neither compiler, standard header nor library.
NO_BUSINESS_OF_ANYBODY = [
    Path("/usr/bin/env"),
    Path("/usr/bin/ls"),
    Path("/usr/sbin"),
    Path("/usr/share"),
    Path("/usr/lib/os-release"),
    Path("/usr/local"),
    Path("/etc/passwd"),
    Path("/proc/1/environ"),
    Path(sys.executable).resolve(),
    Path(os.__file__),
    Path(__file__),
]
LIMITS = ExecutionLimits(wall_seconds=30.0, cpu_seconds=20.0, memory_bytes=512 * MIB)
MAIN = "int main() { return 0; }\n"


@pytest.fixture(scope="module")
def sandbox() -> BubblewrapSandbox:
    try:
        return BubblewrapSandbox()
    except SandboxUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture
def compile_text(sandbox, tmp_path):
    """Compiles and links one source as a submission would be; the product is in ``out``."""
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()

    def compiled(source: str, *options: str) -> Outcome:
        (tmp_path / "in" / "a.cpp").write_text(source)
        return sandbox.run(
            Command(
                argv=("/usr/bin/g++", *options, "/in/a.cpp", "-o", "/out/a"),
                limits=LIMITS,
                mounts=(
                    Mount(tmp_path / "in", Path("/in")),
                    Mount(tmp_path / "out", Path("/out"), writable=True),
                ),
                environment={"PATH": "/usr/bin"},
                purpose=Purpose.COMPILER,
            )
        )

    return compiled


def test_a_compiler_finds_headers_libraries_and_its_own_parts(compile_text):
    source = "#include <bits/stdc++.h>\n#include <pthread.h>\n#include <sys/mman.h>\n" + MAIN
    outcome = compile_text(source, "-fsyntax-only")
    assert outcome.exit_code == 0, outcome.stderr
    outcome = compile_text(f"#include <thread>\n#include <vector>\n{MAIN}", "-shared", "-fPIC")
    assert outcome.exit_code == 0, outcome.stderr


def test_nothing_else_can_be_told_to_be_there(compile_text):
    asks = "".join(
        f'#if __has_include("{path}")\n#error {path} seen\n#endif\n'
        for path in NO_BUSINESS_OF_ANYBODY
        if path != Path("/proc/1/environ")
    )
    outcome = compile_text(asks + MAIN, "-fsyntax-only")
    assert outcome.exit_code == 0, outcome.stderr


@pytest.mark.parametrize("path", NO_BUSINESS_OF_ANYBODY, ids=str)
def test_nothing_else_can_be_assembled_in(compile_text, path):
    outcome = compile_text(f'asm(".incbin \\"{path}\\"");\n{MAIN}', "-c")
    assert outcome.exit_code != 0


@pytest.mark.parametrize(
    "directive",
    [
        '#include "/in/../etc/passwd"',
        '#include "../../proc/self/root/usr/share/common-licenses/GPL-3"',
        "#include </usr/share/common-licenses/GPL-3>",
        '#line 1 "/usr/share/x.h"\n#include "common-licenses/GPL-3"',
        '#pragma GCC dependency "/usr/bin/env"',
        '#include "/dev/zero"',
        '#include "/dev/urandom"',
    ],
)
def test_no_directive_leads_out(compile_text, directive):
    assert compile_text(f"{directive}\n{MAIN}", "-fsyntax-only").exit_code != 0


def test_a_source_cannot_bring_options_or_libraries_along(compile_text):
    source = (
        '#pragma comment(lib, "curl")\n'
        '#pragma comment(linker, "-lcurl")\n'
        '#pragma GCC push_options\n#pragma GCC optimize("wrapper=/usr/bin/env,-i")\n'
        'asm(".section .drectve,\\"\\"\\n.ascii \\"-lcurl\\"\\n.text");\n'
        'asm(".section .deplibs,\\"\\"\\n.asciz \\"curl\\"\\n.text");\n'
    )
    # What of it is no error has no effect: curl's library is not even there to be found.
    assert b"curl" not in compile_text(source + MAIN).stderr


@pytest.mark.parametrize("argument", ["@/in/options", "-wrapper", "-fplugin=/in/a.so"])
def test_a_source_named_like_an_option_is_only_a_source(compile_text, argument):
    outcome = compile_text(f'#include "{argument}"\n{MAIN}')
    assert f"fatal error: {argument}: No such file".encode() in outcome.stderr


@pytest.fixture(scope="module")
def probe(tmp_path_factory) -> Path:
    """A program, dynamically linked as a runner is, that prints what of its arguments it opens."""
    folder = tmp_path_factory.mktemp("probe")
    (folder / "probe.cpp").write_text(
        "#include <fcntl.h>\n#include <iostream>\n"
        "int main(int count, char** paths) {\n"
        "  for (int i = 1; i < count; ++i)\n"
        "    if (open(paths[i], O_RDONLY) >= 0) std::cout << paths[i] << '\\n';\n"
        "}\n"
    )
    program = folder / "probe"
    subprocess.run(["g++", str(folder / "probe.cpp"), "-o", str(program)], check=True)
    return program


def test_a_runner_finds_libraries_and_no_program_or_header(sandbox, probe):
    wanted = [*map(str, NO_BUSINESS_OF_ANYBODY), "/usr/include/stdio.h", "/bin/sh", "/usr/bin/g++"]
    outcome = sandbox.run(
        Command(
            argv=("/probe", *wanted, "/dev/null", "/probe"),
            limits=LIMITS,
            mounts=(Mount(probe, Path("/probe")),),
            purpose=Purpose.RUNNER,
        )
    )
    assert outcome.exit_code == 0, outcome.stderr
    assert outcome.stdout.split() == [b"/dev/null", b"/probe"]
