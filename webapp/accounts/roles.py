"""The group that makes a user a problem author; staff and superusers are Django's own.

The group is made by ``migrate``, since permissions exist only from then on. What an admin takes
from it or adds to it later stays as they left it.
"""

from __future__ import annotations

from typing import Any

AUTHORS = "problem authors"

#: By app label and codename.
_PERMISSIONS = (
    ("problems", "add_problem"),
    ("problems", "change_problem"),
    ("problems", "view_problem"),
    ("submissions", "submit_reference"),
)


def make_groups(**kwargs: Any) -> None:
    """Makes the group if there is none; a receiver of ``post_migrate``."""
    from django.contrib.auth.models import Group, Permission

    if Group.objects.filter(name=AUTHORS).exists():
        return
    found = [
        Permission.objects.filter(content_type__app_label=app, codename=codename).first()
        for app, codename in _PERMISSIONS
    ]
    if None in found:  # an earlier app of the same migrate; the last one comes again
        return
    group = Group.objects.create(name=AUTHORS)
    group.permissions.set([permission for permission in found if permission])
