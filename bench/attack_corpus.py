"""The attack corpus under tests/attacks: what each program tries, and the verdicts that are right.

Every ``<kind>/<name>.cu`` has a ``<name>.toml`` beside it. An honest twin uses an attack's
technique for an honest end; it must be accepted. Nothing here judges anything.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge.domain import DeviceKind, Verdict
from stack.local import ROOT

CORPUS = ROOT / "tests" / "attacks"
#: Where the packages that the programs are submitted to may be.
PROBLEMS = (CORPUS / "problems", ROOT / "tests" / "data" / "problems", ROOT / "problems")
DEVICE_KINDS = (DeviceKind.EMULATED, DeviceKind.CUDA)
#: Kinds of attack whose defence could be paid for by honest programs.
WITH_TWINS = ("clock", "not-computing")
_NOT_KINDS = ("problems", "results")

_REQUIRED: Mapping[str, type] = {"tries": str, "verdict": list, "devices": list}
_OPTIONAL: Mapping[str, type] = {
    "threat": str,
    "problem": str,
    "message": str,
    "never": str,
    "harmless": str,
    "twin": str,
    "twin_of": str,
    "no_twin": str,
}


class CorpusError(Exception):
    """A sidecar says something that cannot be; the text names file, key and what was expected."""


@dataclass(frozen=True)
class Attack:
    """One program of the corpus; a twin has ``twin_of``, an attack ``threat``.

    Any of ``verdicts`` is right. ``message`` must be part of what the user reads (the verdict's
    sentence or the compiler's output), ``never`` must be nowhere in what the judge says.
    """

    kind: str
    name: str
    source_path: Path
    tries: str
    threat: str
    problem: str
    verdicts: tuple[Verdict, ...]
    devices: tuple[str, ...]
    message: str
    never: str
    harmless: str
    twin: str
    twin_of: str
    no_twin: str

    @property
    def slug(self) -> str:
        """``kind/name``, as tables and results call it."""
        return f"{self.kind}/{self.name}"

    @property
    def source(self) -> str:
        """The program as it would arrive: bytes that are not UTF-8 stay what they are."""
        return self.source_path.read_text("utf-8", errors="surrogateescape")


def load_corpus(root: Path = CORPUS) -> tuple[Attack, ...]:
    """All of the corpus, attacks and twins, by kind and name. Raises CorpusError."""
    corpus = tuple(
        _read(sidecar)
        for folder in sorted(root.iterdir())
        if folder.is_dir() and folder.name not in _NOT_KINDS
        for sidecar in sorted(folder.glob("*.toml"))
    )
    for fault in _faults(root, corpus):
        raise CorpusError(fault)
    return corpus


def package_of(attack: Attack) -> Path:
    """The folder of the problem that ``attack`` is submitted to. Raises CorpusError."""
    for place in PROBLEMS:
        if (place / attack.problem / "problem.toml").is_file():
            return place / attack.problem
    looked = ", ".join(str(place.relative_to(ROOT)) for place in PROBLEMS)
    raise CorpusError(f"{attack.slug}: problem: no package {attack.problem!r} in {looked}")


def _read(sidecar: Path) -> Attack:
    where = f"{sidecar.parent.name}/{sidecar.name}"
    try:
        said = tomllib.loads(sidecar.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CorpusError(f"{where}: not TOML: {error}") from error
    for key, kind in _REQUIRED.items():
        if not isinstance(said.get(key), kind):
            raise CorpusError(f"{where}: {key}: expected a {kind.__name__}, found {said.get(key)}")
    for key, value in said.items():
        expected = {**_REQUIRED, **_OPTIONAL}.get(key)
        if expected is None:
            known = ", ".join((*_REQUIRED, *_OPTIONAL))
            raise CorpusError(f"{where}: {key}: no such key; there are {known}")
        if not isinstance(value, expected) or not value:
            raise CorpusError(f"{where}: {key}: expected a {expected.__name__} that is not empty")
    for device in said["devices"]:
        if device not in DEVICE_KINDS:
            raise CorpusError(f"{where}: devices: {device!r} is none of {', '.join(DEVICE_KINDS)}")
    source = sidecar.with_suffix(".cu")
    if not source.is_file():
        raise CorpusError(f"{where}: there is no {source.name} beside it")
    texts: dict[str, Any] = {key: said.get(key, "") for key in _OPTIONAL}
    texts["problem"] = texts["problem"] or "vector-add"
    return Attack(
        kind=sidecar.parent.name,
        name=sidecar.stem,
        source_path=source,
        tries=said["tries"],
        verdicts=tuple(_verdict(where, text) for text in said["verdict"]),
        devices=tuple(said["devices"]),
        **texts,
    )


def _verdict(where: str, text: str) -> Verdict:
    try:
        return Verdict(text)
    except ValueError:
        known = ", ".join(Verdict)
        raise CorpusError(f"{where}: verdict: {text!r} is none of {known}") from None


def _faults(root: Path, corpus: tuple[Attack, ...]) -> Iterator[str]:
    """What is wrong between the files of the corpus."""
    known = {attack.slug: attack for attack in corpus}
    for source in sorted(root.glob("*/*.cu")):
        if f"{source.parent.name}/{source.stem}" not in known:
            yield f"{source.parent.name}/{source.name}: no {source.stem}.toml says what it must get"
    for attack in corpus:
        if attack.twin_of:
            other = known.get(f"{attack.kind}/{attack.twin_of}")
            if other is None or other.twin != attack.name:
                yield f"{attack.slug}: twin_of: no {attack.twin_of!r} names it as its twin"
            if attack.verdicts != (Verdict.AC,):
                yield f"{attack.slug}: verdict: a twin must be accepted, nothing else"
            continue
        if not attack.threat:
            yield f"{attack.slug}: threat: expected the clause of the list of threats"
        if Verdict.AC in attack.verdicts and not attack.harmless:
            yield f"{attack.slug}: harmless: AC needs the reason why it harms nobody"
        if attack.twin and f"{attack.kind}/{attack.twin}" not in known:
            yield f"{attack.slug}: twin: there is no {attack.twin!r}"
        if attack.kind in WITH_TWINS and not (attack.twin or attack.no_twin):
            yield f"{attack.slug}: twin: expected an honest twin, or no_twin with the reason"
