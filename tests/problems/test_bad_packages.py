"""Every mistake an author can make is named with its file, its line and what to do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from judge.problems.package import PackageError, PackageProblem, load_package, load_packages


def problems_of(directory: Path) -> tuple[PackageProblem, ...]:
    with pytest.raises(PackageError) as caught:
        load_package(directory)
    for problem in caught.value.problems:
        assert str(problem) in str(caught.value)
    return caught.value.problems


def edit(path: Path, old: str, new: str) -> int:
    """Replace the first ``old`` by ``new``; the line (from 1) where the change begins."""
    text = path.read_text()
    assert old in text, f"{old!r} is not in {path.name}"
    path.write_text(text.replace(old, new, 1))
    return text[: text.index(old)].count("\n") + 1


# (what stands in problem.toml, what it becomes, on which line of the change the error is, words)
TOML_MISTAKES = [
    ('entry = "solve"', 'entyr = "solve"', 0, 'entyr: unknown key; did you mean "entry"?'),
    ('difficulty = "easy"', 'difficulty = "esy"', 0, 'did you mean "easy"?'),
    ('title = "Scaled row sums"', "title = 3", 0, "title: expected a string, found the number 3"),
    ('title = "Scaled row sums"', "", None, "title: missing; expected a string"),
    ('slug = "row-sum"', 'slug = "Row Sum"', 0, "must be lower-case letters and digits"),
    ('slug = "row-sum"', 'slug = "col-sum"', None, 'the folder is "row-sum"; make them the same'),
    ('tags = ["reduction"]', 'tags = ["Big Sums"]', 0, 'tags: "Big Sums" must be lower-case'),
    ('tags = ["reduction"]', "tags = [1]", 0, "tags[0]: expected a string, found the number 1"),
    ('entry = "solve"', 'entry = "2fast"', 0, "is not a C identifier"),
    ('dtype = "float32"', 'dtype = "flot32"', 0, 'parameters[0].dtype: "flot32" is not known here'),
    ('role = "in"', 'role = "input"', 0, '"input" is not known here; did you mean "in'),
    ('name = "alpha"', 'name = "x"', 0, '"x" is taken by parameters[0]'),
    ('name = "alpha"', 'name = "register"', 0, "is a reserved word of C++, CUDA, Python"),
    ('name = "alpha"', 'name = "lambda"', 0, "is a reserved word of C++, CUDA, Python"),
    ('name = "alpha"', 'name = "solve"', 0, "is the entry point's name"),
    ('shape = ["M", "N"]', 'shape = ["M", "Q"]', 0, '"Q": unknown size "Q"'),
    ('shape = ["M", "N"]', 'shape = ["M",\n "alpha"]', 1, '"alpha" is a scalar; only sizes may'),
    ('shape = ["M", "N"]', 'shape = ["M", "N/2"]', None, "use // or ceil() instead of /"),
    ('shape = ["M", "N"]', 'shape = ["M", "N-1"]', None, "an extent must be at least 1"),
    ('shape = ["M", "N"]', 'shape = ["M", "N +"]', 0, "is not an arithmetic expression"),
    ('shape = ["M", "N"]', 'shape = ["open(N)"]', 0, "calls open(); the functions are ceil"),
    ('shape = ["M", "N"]', "shape = []", 0, 'a single value is shape = ["1"]'),
    ('shape = ["M", "N"]', "", None, "parameters[0].shape: missing"),
    ('role = "scalar"', 'role = "scalar"\nshape = ["M"]', 1, "has no shape; remove it"),
    ('role = "out"', 'role = "in"', None, 'no output: give at least one parameter role = "out"'),
    ('role = "size"', 'role = "size"\ndtype = "float32"', 1, "expected one of: int32, int64"),
    ('flops = "M*N + M"', 'flops = "M*K"', 0, 'unknown size "K"'),
    ('bytes = "4*(M*N + M)"', 'bytes = "0*M"', None, "bytes is 0 at these sizes, must be at least"),
    ('rule = "reduction"', 'rule = "relative"', 0, '"relative" is not known here'),
    ('rule = "reduction"', 'rule = "exact"', 1, "tolerance.length: unknown key"),
    ("constant = 1.0", "constant = -1.0", 0, "tolerance.constant: expected a positive number"),
    ("constant = 1.0", "", None, "tolerance.constant: missing"),
    ('precision = "float32"', 'precision = "int32"', 0, '"int32" is not known here'),
    ('length = "N"', 'length = "N - 1"', None, "tolerance.length is 0 at these sizes"),
    (
        'rule = "reduction"\nlength = "N"\nconstant = 1.0\nprecision = "float32"',
        'rule = "elementwise"\nrtol = -1e-3\natol = 0.0',
        1,
        "tolerance.rtol: expected a number of at least 0, found -0.001",
    ),
    (
        'rule = "reduction"\nlength = "N"\nconstant = 1.0\nprecision = "float32"',
        'rule = "elementwise"\nrtol = 0.0\natol = 0.0',
        0,
        'rtol and atol are both 0; say rule = "exact" instead',
    ),
    ("call_seconds = 2.0", "call_second = 2.0", 0, 'did you mean "call_seconds"?'),
    ("call_seconds = 2.0", "call_seconds = 0", 0, "expected a positive number, found 0"),
    ("memory_mib = 1024", "memory_mib = 128", None, "the buffers take 257 MiB"),
    ("memory_mib = 1024", "memory_mib = true", 0, "expected an integer from 1"),
    ('name = "primes"', 'name = "ragged"', None, '"ragged" is taken by tests[1]'),
    ("sizes = {M = 31, N = 257}", "sizes = {M = 31}", 0, "tests[1].sizes: missing size: N"),
    ("sizes = {M = 31, N = 257}", "sizes = {M = 31, N = 257, O = 1}", 0, 'unknown size "O"'),
    (
        "sizes = {M = 31, N = 257}",
        "sizes = {M = 31, N = 2.5}",
        0,
        "N must be an integer of at least",
    ),
    ("sizes = {M = 31, N = 257}", "sizes = {M = 31, N = 0}", 0, "N must be an integer of at least"),
    ("sizes = {M = 31, N = 257}", "sizes = {M = 31, N = 3000000000}", 0, "does not fit int32"),
    ("scalars = {alpha = -0.5}", "", None, "tests[1].scalars: missing scalar: alpha"),
    ("scalars = {alpha = -0.5}", 'scalars = {alpha = "1"}', 0, "expected a finite number"),
    ("scalars = {alpha = -0.5}", "scalars = {alpha = nan}", 0, "expected a finite number"),
    ('"cancelling"', '"canceling"', 0, 'did you mean "cancelling"?'),
    ("seeds = 2", "seeds = 1", None, '4 seeds in all for devices of kind "cuda", at least 5'),
    ("seeds = 2", "seeds = 0", 0, "expected an integer from 1 to 100, found 0"),
    ("hidden = true", "hidden = 1", 0, "expected true or false, found the number 1"),
    ('devices = ["cuda"]', 'devices = ["gpu"]', 0, '"gpu" is no kind of device'),
    ('devices = ["cuda"]', "devices = []", 0, "expected some of: cuda, emulated"),
    (
        'devices = ["cuda"]',
        'devices = ["emulated"]',
        None,
        'no workload for devices of kind "cuda"',
    ),
    ("published_ms = 1.25", "published_ms = -1", 0, "expected a number of at least 0, found -1"),
    ('published_device = "T4"', "", None, "needs published_device: on what was it measured?"),
    ("[tolerance]", "[tolerances]", 0, 'tolerances: unknown key; did you mean "tolerance"?'),
    ("[tolerance]", "[tolerance", 0, "not valid TOML"),
]


@pytest.mark.parametrize(("old", "new", "offset", "words"), TOML_MISTAKES)
def test_a_mistake_in_problem_toml_is_named_with_its_line(
    row_sum: Path, old: str, new: str, offset: int | None, words: str
) -> None:
    line = edit(row_sum / "problem.toml", old, new)
    found = [problem for problem in problems_of(row_sum) if words in problem.message]
    assert found, "\n".join(map(str, problems_of(row_sum)))
    assert found[0].file == "problem.toml"
    if offset is not None:
        assert found[0].line == line + offset


def test_all_mistakes_are_reported_at_once(row_sum: Path) -> None:
    edit(row_sum / "problem.toml", 'difficulty = "easy"', 'difficulty = "trivial"')
    edit(row_sum / "problem.toml", "hidden = true", 'hiden = "yes"')
    (row_sum / "statement.md").write_text("\n")
    (row_sum / "starter.cu").unlink()
    messages = "\n".join(map(str, problems_of(row_sum)))
    for words in ("difficulty", "hiden", "statement.md: empty", "starter.cu: missing"):
        assert words in messages


# (what stands in reference.py, what it becomes, line of the change, words)
REFERENCE_MISTAKES = [
    ("def reference(", "def refrence(", None, "no function; define def reference(x, alpha, M, N)"),
    ("def magnitude(", "def magnitudes(", None, 'rule = "reduction" needs def magnitude'),
    ("def reference(x:", "def reference(X:", 0, 'unknown argument "X"; did you mean "x"?'),
    ("alpha: float) ->", "alpha: float, /) ->", 0, "remove the /"),
    ("return alpha", "return return", 0, "not valid Python"),
    ("def reference(", "def make_inputs(case): ...\ndef reference(", 0, "(case, generator)"),
]


@pytest.mark.parametrize(("old", "new", "offset", "words"), REFERENCE_MISTAKES)
def test_a_mistake_in_reference_py_is_found_without_running_it(
    row_sum: Path, old: str, new: str, offset: int | None, words: str
) -> None:
    line = edit(row_sum / "reference.py", old, new)
    found = [problem for problem in problems_of(row_sum) if words in problem.message]
    assert found, "\n".join(map(str, problems_of(row_sum)))
    assert found[0].file == "reference.py"
    assert found[0].line == (None if offset is None else line + offset)


def test_loading_never_runs_the_reference(row_sum: Path) -> None:
    source = (row_sum / "reference.py").read_text()
    (row_sum / "reference.py").write_text(source + "\nraise SystemExit('was run')\n")
    assert load_package(row_sum).problem.slug == "row-sum"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("notes.txt", "not a file of a package"),
        ("submissions/wrong_anwser/a.cu", '"wrong_anwser" is no verdict folder'),
        ("submissions/accepted/readme.md", "must be a .cu file"),
        ("submissions/accepted/deep/a.cu", "only submissions/<verdict>/*.cu may lie in folders"),
        ("data/a.cu", "only submissions/<verdict>/*.cu may lie in folders"),
    ],
)
def test_a_misplaced_file_is_named(row_sum: Path, name: str, words: str) -> None:
    (row_sum / name).parent.mkdir(parents=True, exist_ok=True)
    (row_sum / name).write_text("x")
    (problem,) = problems_of(row_sum)
    assert problem.file == name
    assert words in problem.message


def test_hidden_files_and_caches_are_no_part_of_a_package(row_sum: Path) -> None:
    digest = load_package(row_sum).digest
    (row_sum / ".DS_Store").write_text("x")
    (row_sum / "__pycache__").mkdir()
    (row_sum / "__pycache__" / "reference.cpython-311.pyc").write_bytes(b"x")
    (row_sum / "starter.cu~").write_text("x")
    assert load_package(row_sum).digest == digest


def test_a_link_is_refused_lest_it_carry_a_file_of_the_host(row_sum: Path) -> None:
    (row_sum / "statement.md").unlink()
    (row_sum / "statement.md").symlink_to("/etc/hostname")
    (problem,) = problems_of(row_sum)
    assert (problem.file, problem.message) == (
        "statement.md",
        "is a link; put the file itself here",
    )


def test_a_pipe_is_refused_rather_than_read(row_sum: Path) -> None:
    os.mkfifo(row_sum / "submissions")
    assert "is not a regular file" in str(problems_of(row_sum)[0])


def test_text_that_is_not_utf8_is_named_with_its_line(row_sum: Path) -> None:
    (row_sum / "statement.md").write_bytes(b"fine\nna\xefve\n")
    problem = problems_of(row_sum)[0]
    assert (problem.file, problem.line) == ("statement.md", 2)
    assert "not UTF-8" in problem.message


def test_a_starter_that_only_mentions_the_entry_point_is_refused(row_sum: Path) -> None:
    (row_sum / "starter.cu").write_text("// void solve(int) { }\n__global__ void solve(int) {}\n")
    (problem,) = problems_of(row_sum)
    assert problem.file == "starter.cu"
    assert 'extern "C" void solve(const float* x, float* y, float alpha' in problem.message


def test_a_file_over_the_limit_is_named(row_sum: Path) -> None:
    (row_sum / "statement.md").write_text("x" * (1024 * 1024 + 1))
    assert "larger than 1048576 bytes" in str(problems_of(row_sum)[0])


def test_a_folder_that_does_not_exist_is_an_error_of_its_own(tmp_path: Path) -> None:
    assert "no such folder" in str(problems_of(tmp_path / "nothing")[0])


def test_the_problems_of_all_packages_are_reported_together(row_sum: Path) -> None:
    (row_sum.parent / "empty").mkdir()
    (row_sum / "statement.md").write_text("")
    with pytest.raises(PackageError) as caught:
        load_packages(row_sum.parent)
    files = {problem.file for problem in caught.value.problems}
    assert {"empty/problem.toml", "row-sum/statement.md"} <= files


def test_packages_load_by_slug_with_their_examples(row_sum: Path) -> None:
    example = row_sum / "submissions" / "wrong_answer" / "zeros.cu"
    example.parent.mkdir(parents=True)
    example.write_text("// zeros\n")
    packages = load_packages(row_sum.parent)
    (loaded,) = packages["row-sum"].examples
    assert (loaded.path, loaded.expected) == (example, "WA")


def test_any_change_of_content_changes_the_digest_and_a_move_does_not(
    row_sum: Path, tmp_path: Path
) -> None:
    digest = load_package(row_sum).digest
    moved = row_sum.rename(tmp_path / "row-sum")
    assert load_package(moved).digest == digest
    (moved / "statement.md").write_text("Sum every row!\n")
    assert load_package(moved).digest != digest
