"""Sites, tokens and devices as the command line finds them, and what a watcher is drawn."""

from __future__ import annotations

import io
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from judge.cli.config import Config, load_config, save_config
from judge.cli.exits import NotSignedIn
from judge.cli.main import main
from judge.cli.options import signed_in, site_or_default
from judge.cli.sight import Samples, Sight
from judge.cli.watch import Watch
from judge.domain import Status, Verdict

HERE, THERE = "https://here.example", "https://there.example"


@pytest.fixture(autouse=True)
def config_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "warpboard" / "config.json"
    monkeypatch.setenv("WARPBOARD_CONFIG", str(path))
    for name in ("WARPBOARD_SITE", "WARPBOARD_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return path


def test_only_its_owner_can_read_a_stored_token(config_file: Path) -> None:
    save_config(Config().with_token(HERE, "wb_secret"))

    assert stat.S_IMODE(config_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(config_file.parent.stat().st_mode) == 0o700
    assert load_config() == Config(site=HERE, tokens={HERE: "wb_secret"})


def test_a_stored_token_goes_to_its_own_site_only() -> None:
    save_config(Config().with_token(THERE, "wb_there").with_token(HERE, "wb_here"))

    assert site_or_default(None) == HERE
    assert signed_in(None, None).url == HERE
    with pytest.raises(NotSignedIn, match="warpboard login"):
        signed_in("https://elsewhere.example", None)


def test_signing_out_forgets_one_site_and_keeps_the_other(config_file: Path) -> None:
    save_config(Config().with_token(THERE, "wb_there").with_token(HERE, "wb_here"))

    done = CliRunner().invoke(main, ["logout", "--site", HERE])

    assert done.exit_code == 0
    assert load_config().tokens == {THERE: "wb_there"}
    assert CliRunner().invoke(main, ["logout", "--site", HERE]).exit_code == 4


def test_a_broken_configuration_is_said_to_be_broken(config_file: Path) -> None:
    config_file.parent.mkdir()
    config_file.write_text("site = here")

    done = CliRunner().invoke(main, ["whoami"])

    assert done.exit_code == 2
    assert "Delete it and sign in again" in done.output


def test_an_address_that_is_none_is_refused() -> None:
    done = CliRunner().invoke(main, ["problems", "--site", "localhost:8000"])

    assert done.exit_code == 2
    assert "should be like https://host" in done.output


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_completion_script_calls_the_command_back(shell: str) -> None:
    done = CliRunner().invoke(main, ["completion", shell])

    assert done.exit_code == 0
    assert "_WARPBOARD_COMPLETE" in done.output


def test_an_unreachable_site_completes_nothing_and_breaks_nothing() -> None:
    environment = {
        "_WARPBOARD_COMPLETE": "fish_complete",
        "COMP_WORDS": "warpboard board ",
        "COMP_CWORD": "",
        "WARPBOARD_SITE": "http://127.0.0.1:9",
    }
    done = CliRunner().invoke(main, [], env=environment, prog_name="warpboard")

    assert (done.exit_code, done.output.strip()) == (0, "")


class Clock:
    """Time that passes when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def drawn(watch: Watch) -> str:
    console = Console(file=io.StringIO(), width=100)
    with console.capture() as capture:
        console.print(watch.frame())
    return capture.get()


def test_a_watcher_sees_stages_cases_and_samples() -> None:
    clock = Clock()
    watch = Watch("emulated, not a GPU time", Console(file=io.StringIO()), clock)
    watch.show(Sight(Status.COMPILING, "Compiling."))
    clock.now = 1.5
    cases = (("one row", Verdict.AC), ("ragged", Verdict.AC))
    watch.show(Sight(Status.CHECKING, total=2, cases=cases))
    clock.now = 2.0
    samples = Samples("square", 2, 3, 40, 1.25)
    watch.show(Sight(Status.TIMING, total=2, cases=cases, timed=(("wide", 0.5),), samples=samples))

    frame = drawn(watch)

    assert "✓ compiling   1.5 s" in frame
    assert "2/2 cases" in frame
    assert "wide: 0.5 ms" in frame
    assert "square: process 2/3, 40 samples, median 1.25 ms" in frame
    assert "emulated, not a GPU time" in frame


def test_a_watcher_sees_where_a_run_failed() -> None:
    watch = Watch("", Console(file=io.StringIO()), Clock())
    cases = (("one row", Verdict.AC), ("ragged", Verdict.WA))
    watch.show(Sight(Status.CHECKING, total=9, cases=cases))
    watch.show(Sight(Status.DONE, verdict=Verdict.WA, cases=cases))

    frame = drawn(watch)

    assert "✗ checking" in frame
    assert "2/9 cases, WA in ragged" in frame
    assert "timing" not in frame


def test_a_run_that_lost_its_worker_starts_over_before_the_watchers_eyes() -> None:
    watch = Watch("", Console(file=io.StringIO()), Clock())
    watch.show(Sight(Status.CHECKING, total=3, cases=(("one row", Verdict.AC),)))
    watch.show(Sight(Status.QUEUED, "Queued. Attempt 2: an earlier worker was lost."))

    frame = drawn(watch)

    assert "an earlier worker was lost" in frame
    assert "✓" not in frame
