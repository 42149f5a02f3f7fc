"""The form that makes a token."""

from __future__ import annotations

from django import forms


class TokenForm(forms.Form):
    name = forms.CharField(
        max_length=64,
        label="Name",
        help_text="What will use it: a machine, a course, a script.",
    )
