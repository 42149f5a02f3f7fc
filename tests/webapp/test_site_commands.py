"""The management commands an admin starts with."""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from judge.problems.package import ProblemPackage, unpack
from webapp.accounts.models import ApiToken, User
from webapp.accounts.tokens import find_token
from webapp.problems.models import Problem, ProblemVersion

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(tmp_path: Path, transpose: ProblemPackage) -> Path:
    """A folder of problems with a copy of the transpose."""
    shutil.copytree(transpose.directory, tmp_path / "problems" / "transpose")
    return tmp_path / "problems"


def run(*command: str) -> str:
    out = io.StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def test_loading_twice_changes_nothing_and_a_change_makes_a_version(root: Path) -> None:
    assert run("load_problems", str(root)).split()[2:] == ["new"]
    assert run("load_problems", str(root)).split()[2:] == ["unchanged"]
    first = Problem.objects.get().current
    statement = root / "transpose" / "statement.md"
    before = statement.read_text()
    statement.write_text(before + "\nOne more word.\n")
    assert "new version" in run("load_problems", str(root))
    assert Problem.objects.get().current != first
    statement.write_text(before)
    assert "back to an earlier version" in run("load_problems", str(root))
    assert Problem.objects.get().current == first
    assert ProblemVersion.objects.count() == 2


def test_what_a_worker_fetches_is_the_package_that_was_loaded(root: Path, tmp_path: Path) -> None:
    run("load_problems", str(root))
    version = ProblemVersion.objects.get()
    package = unpack(bytes(version.archive), tmp_path / "fetched")
    assert package.digest == version.digest
    assert package.problem == version.problem_definition


def test_a_broken_package_loads_nothing_and_says_where(root: Path) -> None:
    shutil.copytree(root / "transpose", root / "broken")
    (root / "broken" / "problem.toml").write_text('slug = "broken"\ntitle = \n')
    with pytest.raises(CommandError, match=r"broken/problem\.toml:2") as error:
        run("load_problems", str(root))
    assert "Nothing was loaded" in str(error.value)
    assert Problem.objects.count() == 0


def test_a_folder_without_problems_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="holds no problem package"):
        run("load_problems", str(tmp_path))
    with pytest.raises(CommandError, match="is not a directory"):
        run("load_problems", str(tmp_path / "nowhere"))


def test_a_token_is_printed_alone_and_works() -> None:
    text = run(
        "create_token", "curator", "--create-user", "--scope", "submit", "--scope", "reference"
    )
    token = find_token(text.strip())
    assert token is not None
    assert token.scopes == ["submit", "reference"]
    user = User.objects.get()
    assert user.has_perm("submissions.submit_reference")
    assert not user.has_usable_password()
    run("create_token", "curator")
    assert ApiToken.objects.filter(user=user).count() == 2


def test_a_token_is_for_somebody() -> None:
    with pytest.raises(CommandError, match="--create-user"):
        run("create_token", "nobody")
    with pytest.raises(ValidationError):
        run("create_token", "<b>", "--create-user")
    assert User.objects.count() == 0


def test_a_worker_token_gives_no_permission_to_its_user(alice: Any) -> None:
    run("create_token", "alice", "--scope", "worker")
    assert not User.objects.get().has_perm("submissions.submit_reference")
