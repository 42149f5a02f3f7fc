"""Problems and their immutable versions, as loaded from packages."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from pydantic import TypeAdapter

from judge import domain

_DEFINITION = TypeAdapter(domain.Problem)


class Problem(models.Model):
    """A task by its slug; what is judged is its current ProblemVersion."""

    slug = models.SlugField(primary_key=True, max_length=64)
    current = models.ForeignKey(
        "ProblemVersion", null=True, on_delete=models.PROTECT, related_name="+"
    )
    #: Accepted sources are open to whoever has an accepted Run of their own (``visibility``).
    opens_sources = models.BooleanField(
        "open sources after own AC",
        default=False,
        help_text="Whoever solved the problem may read every accepted source for it.",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["slug"]

    def __str__(self) -> str:
        return self.slug


class ProblemVersion(models.Model):
    """The content of a problem's folder at one time; boards never mix versions."""

    problem = models.ForeignKey(Problem, on_delete=models.CASCADE, related_name="versions")
    #: SHA-256 over the package's files, as ``judge.problems`` computes it.
    digest = models.CharField(max_length=64, unique=True)
    title = models.CharField(max_length=200)
    difficulty = models.CharField(max_length=32)
    tags = models.JSONField(default=list)
    definition = models.JSONField()
    statement = models.TextField()
    starter = models.TextField()
    signature = models.TextField()
    #: The package as workers fetch it (zip).
    archive = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.problem_id}@{self.digest[:12]}"

    @property
    def problem_definition(self) -> domain.Problem:
        """The package's ``problem.toml`` as the judge sees it."""
        return _DEFINITION.validate_python(self.definition)


def definition_to_json(problem: domain.Problem) -> dict[str, Any]:
    """The stored form of a problem's definition."""
    stored: dict[str, Any] = _DEFINITION.dump_python(problem, mode="json")
    return stored
