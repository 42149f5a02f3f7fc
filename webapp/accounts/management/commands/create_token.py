"""``manage.py create_token USER``: prints a new API token, and nothing else, on stdout."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Permission
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from webapp.accounts.models import Scope, User
from webapp.accounts.tokens import create_token


class Command(BaseCommand):
    help = "Make an API token for a user and print it. It cannot be shown again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument(
            "--scope",
            action="append",
            choices=Scope.values,
            help="What the token may do; repeat for several. Default: submit. "
            "'reference' also gives the user the permission to submit references.",
        )
        parser.add_argument("--name", default="command line", help="Shown in the list of tokens.")
        parser.add_argument(
            "--create-user",
            action="store_true",
            help="Make the user, without a password, if there is none of that name.",
        )

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        username: str = options["username"]
        scopes = [Scope(value) for value in options["scope"] or [Scope.SUBMIT]]
        user = User.objects.filter(username=username).first()
        if user is None:
            if not options["create_user"]:
                raise CommandError(f"There is no user {username!r}. Add --create-user to make one.")
            User.username_validator(username)
            user = User.objects.create_user(username)
        if Scope.REFERENCE in scopes:
            user.user_permissions.add(
                Permission.objects.get(
                    content_type__app_label="submissions", codename="submit_reference"
                )
            )
        _, text = create_token(user, options["name"], scopes)
        self.stdout.write(text)
