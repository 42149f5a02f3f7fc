"""From problem packages on disk to Problems and ProblemVersions. Owns the transaction."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from django.db import transaction

from judge.problems.package import ProblemPackage, load_packages, pack
from judge.problems.prototype import signature
from webapp.problems.models import Problem, ProblemVersion, definition_to_json
from webapp.problems.signals import version_published


class Change(StrEnum):
    """What loading a package did to its problem."""

    NEW = "new"
    NEW_VERSION = "new version"
    OLD_VERSION = "back to an earlier version"
    UNCHANGED = "unchanged"


@dataclass(frozen=True)
class Loaded:
    slug: str
    digest: str
    change: Change


def load_directory(root: Path) -> list[Loaded]:
    """Loads every package under ``root``, or none: ``PackageError`` leaves the site as it was."""
    packages = load_packages(root)
    with transaction.atomic():
        return [store_package(package) for _, package in sorted(packages.items())]


@transaction.atomic
def store_package(package: ProblemPackage) -> Loaded:
    """Makes ``package`` the current version of its problem; safe to repeat."""
    definition = package.problem
    problem, created = Problem.objects.select_for_update().get_or_create(slug=definition.slug)
    version = ProblemVersion.objects.filter(digest=package.digest).first()
    is_known = version is not None
    if version is None:
        version = ProblemVersion.objects.create(
            problem=problem,
            digest=package.digest,
            title=definition.title,
            difficulty=definition.difficulty,
            tags=list(definition.tags),
            definition=definition_to_json(definition),
            statement=package.statement,
            starter=package.starter,
            signature=signature(definition),
            archive=pack(package),
        )
    if problem.current_id == version.pk:
        return Loaded(definition.slug, package.digest, Change.UNCHANGED)
    Problem.objects.filter(pk=problem.pk).update(current=version)
    version_published.send(sender=ProblemVersion, version=version)
    if created:
        return Loaded(definition.slug, package.digest, Change.NEW)
    change = Change.OLD_VERSION if is_known else Change.NEW_VERSION
    return Loaded(definition.slug, package.digest, change)
