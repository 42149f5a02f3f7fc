"""Who uses the site, and the tokens that let programs act for them."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, ClassVar

from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models
from django.utils import timezone

if TYPE_CHECKING:
    from datetime import datetime


#: Plain ASCII, so that no name looks like another one or turns the text around it, and none is a
#: step of a path.
validate_username = RegexValidator(
    r"^[A-Za-z0-9][A-Za-z0-9_.+@-]{0,63}\Z",
    "Use up to 64 of the letters A to Z, digits and _ . + @ -, with a letter or digit first.",
)


class User(AbstractUser):
    """An account. The username is public: boards show it."""

    username_validator = validate_username  # type: ignore[assignment]  # of another class
    username = models.CharField(
        max_length=150,
        unique=True,
        validators=[validate_username],
        error_messages={"unique": "A user with that username already exists."},
        help_text="Letters, digits and _ . + @ -; everybody sees it.",
    )


class Scope(models.TextChoices):
    """What a token may do beyond reading what is public."""

    SUBMIT = "submit", "submit and read one's own runs"
    REFERENCE = "reference", "submit reference kernels"
    WORKER = "worker", "fetch problem packages, for judge workers"


class ApiToken(models.Model):
    """A token of one user. Only its SHA-256 is stored; the text is shown once, when made."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=64)
    #: The first characters of the text, so that its owner can tell tokens apart.
    prefix = models.CharField(max_length=16)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.prefix}… ({self.name})"

    def has_scope(self, scope: Scope) -> bool:
        return scope.value in self.scopes

    def is_expired(self, now: datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= now

    @property
    def state(self) -> str:
        """``works``, ``expired`` or ``revoked``."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.is_expired(timezone.now()) else "works"

    @property
    def scope_labels(self) -> list[str]:
        """What the token may do, in words."""
        return [Scope(value).label for value in self.scopes]
