"""``manage.py load_problems DIR``: makes the packages under DIR the site's problems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from judge.problems.package import PackageError
from webapp.problems.loading import load_directory


class Command(BaseCommand):
    help = (
        "Load every problem package under a directory. Loading again changes nothing; "
        "a changed package becomes a new version with boards of its own."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("directory", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        directory: Path = options["directory"]
        if not directory.is_dir():
            raise CommandError(f"{directory} is not a directory.")
        try:
            loaded = load_directory(directory)
        except PackageError as error:
            raise CommandError(f"Nothing was loaded.\n{error}") from error
        if not loaded:
            raise CommandError(
                f"{directory} holds no problem package (a folder with problem.toml)."
            )
        for item in loaded:
            self.stdout.write(f"{item.slug} {item.digest[:12]} {item.change}")
