"""The corpus of attacks is well formed; judging all of it is `make attacks`."""

from __future__ import annotations

import dataclasses
import threading
from pathlib import Path

import pytest

from bench.attack_corpus import WITH_TWINS, CorpusError, load_corpus, package_of
from bench.attacks import try_one
from judge.domain import Verdict
from judge.machine import Machine, emulated_machine
from judge.problems.package import load_package

KINDS = ("clock", "not-computing", "host", "compiler")


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return emulated_machine(tmp_path_factory.mktemp("builds"))


SOUND = {
    "tries": '"something"',
    "threat": '"Work on another stream"',
    "verdict": '["WA"]',
    "devices": '["emulated"]',
    "no_twin": '"none"',
}


def test_every_kind_of_threat_has_its_attacks_and_there_are_many():
    attacks = [attack for attack in load_corpus() if not attack.twin_of]
    assert {attack.kind for attack in attacks} == set(KINDS)
    assert len(attacks) >= 60
    assert all(attack.threat for attack in attacks)


def test_every_cheat_of_clock_or_work_has_an_honest_twin_or_a_reason_to_have_none():
    for attack in load_corpus():
        if attack.kind in WITH_TWINS and not attack.twin_of:
            assert attack.twin or attack.no_twin, attack.slug


def test_every_program_goes_to_a_sound_problem():
    places = {package_of(attack) for attack in load_corpus()}
    assert all(load_package(place).problem.slug == place.name for place in places)


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"tries": "7"}, "clock/cheat.toml: tries: expected a str"),
        ({"verdict": "[]"}, "verdict: expected a list that is not empty"),
        ({"verdict": '["RE"]'}, "verdict: 'RE' is none of AC"),
        ({"verdict": '["AC"]'}, "harmless: AC needs the reason"),
        ({"devices": '["gpu"]'}, "devices: 'gpu' is none of emulated, cuda"),
        ({"threat": None}, "threat: expected the clause"),
        ({"no_twin": None}, "twin: expected an honest twin"),
        ({"twin": '"nobody"'}, "twin: there is no 'nobody'"),
        ({"harmles": '"a typo"'}, "harmles: no such key; there are tries"),
        ({"tries": '"unclosed'}, "not TOML"),
    ],
)
def test_a_bad_sidecar_is_refused_with_its_file_and_key(
    tmp_path: Path, changed: dict[str, str | None], complaint: str
):
    folder = tmp_path / "clock"
    folder.mkdir()
    (folder / "cheat.cu").write_text("")
    said = {key: value for key, value in {**SOUND, **changed}.items() if value is not None}
    lines = [f"{key} = {value}\n" for key, value in said.items()]
    (folder / "cheat.toml").write_text("".join(lines))
    with pytest.raises(CorpusError) as refusal:
        load_corpus(tmp_path)
    assert complaint in str(refusal.value)


def test_a_source_that_nobody_expects_anything_of_is_refused(tmp_path: Path):
    (tmp_path / "host").mkdir()
    (tmp_path / "host" / "alone.cu").write_text("")
    with pytest.raises(CorpusError, match=r"no alone\.toml says what it must get"):
        load_corpus(tmp_path)


@pytest.mark.parametrize(
    "slug",
    [
        "clock/forges_on_descriptors",
        "not-computing/every_64th_element",
        "host/forged_success_text",
        "compiler/includes_passwd",
    ],
)
def test_an_attack_of_each_kind_gets_its_due(slug: str, machine: Machine):
    (attack,) = [attack for attack in load_corpus() if attack.slug == slug]
    tried = try_one(machine, attack, threading.Lock())
    assert tried.complaint == ""
    assert tried.report.verdict is not Verdict.AC


def test_a_verdict_that_is_not_its_due_is_told(machine: Machine):
    (attack,) = [one for one in load_corpus() if one.slug == "host/forged_success_text"]
    expecting = dataclasses.replace(attack, verdicts=(Verdict.TLE,))
    tried = try_one(machine, expecting, threading.Lock())
    assert tried.complaint.startswith("TLE is its due, it got WA")


def test_what_must_never_be_said_is_found_in_what_was_said(machine: Machine):
    (attack,) = [one for one in load_corpus() if one.slug == "host/forged_success_text"]
    leaking = dataclasses.replace(attack, never="C[0]")
    assert "contains 'C[0]'" in try_one(machine, leaking, threading.Lock()).complaint
