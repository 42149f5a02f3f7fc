"""How the API reads a request's body: JSON in UTF-8, and a word about where it is not."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja.parser import Parser

from webapp.api import errors
from webapp.text import STAND_IN, clean


class Utf8JsonParser(Parser):
    """JSON as ninja reads it, with a word about where a body stops being UTF-8."""

    def parse_body(self, request: HttpRequest) -> Any:
        body = request.body
        try:
            body.decode()
        except UnicodeDecodeError as error:
            raise errors.ApiError(
                422,
                "not_utf8",
                f"The request's body is not UTF-8: byte 0x{body[error.start]:02x} at offset "
                f"{error.start}. Save the source as UTF-8 and send it again.",
                "source",
            ) from error
        parsed = super().parse_body(request)
        for name, value in parsed.items() if isinstance(parsed, dict) else ():
            if isinstance(value, str) and clean(value) != value.replace("\x00", STAND_IN):
                raise errors.ApiError(
                    422,
                    "not_utf8",
                    f"The text of {name!r} holds half a surrogate pair, which no UTF-8 can hold.",
                    name,
                )
        return parsed
