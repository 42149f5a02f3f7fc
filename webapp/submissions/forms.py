"""The submit form: a text area and an upload, of which one is used. The service has the rules."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from judge.source import MAX_SOURCE_BYTES
from webapp.ops.models import Device


class SubmitForm(forms.Form):
    device = forms.ModelChoiceField(
        Device.objects.all(),
        empty_label=None,
        label="Device",
        error_messages={"invalid_choice": "There is no such device here. Choose one of the list."},
    )
    source = forms.CharField(
        required=False,
        strip=False,
        label="Source",
        widget=forms.Textarea(
            attrs={"rows": 24, "cols": 100, "spellcheck": "false", "autocomplete": "off"}
        ),
        help_text="One .cu file, at most 256 KiB.",
    )
    file = forms.FileField(
        required=False,
        allow_empty_file=True,
        label="Or upload a file",
        help_text="A file is used instead of the text above.",
        widget=forms.ClearableFileInput(attrs={"accept": ".cu,.cuh,text/plain"}),
    )

    def source_field(self) -> str:
        """The name of the field that the source came from."""
        return "file" if self.cleaned_data.get("file") is not None else "source"

    def source_bytes(self) -> bytes:
        """The source as sent; one byte more than allowed at most, so that it is refused."""
        file: UploadedFile[bytes] | None = self.cleaned_data.get("file")
        if file is not None:
            return bytes(file.read(MAX_SOURCE_BYTES + 1))
        text: Any = self.cleaned_data["source"]
        return str(text).replace("\r\n", "\n").encode(errors="replace")
