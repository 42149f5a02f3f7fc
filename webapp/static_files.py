"""WhiteNoise for an ASGI server: the files are few and small, so each is sent whole, compressed.

WhiteNoise's own answers stream from a synchronous iterator, which Django under ASGI warns about
and reads in one go anyway.
"""

from __future__ import annotations

import gzip
import re
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]
from whitenoise.responders import StaticFile  # type: ignore[import-untyped]

_TEXTS = ("text/", "application/javascript", "application/json", "image/svg+xml")
_GZIP = re.compile(r"\bgzip\b")


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]  # it is untyped
    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        body = b""
        if found.file is not None:
            with found.file:
                body = found.file.read()
        response = HttpResponse(body, status=int(found.status))
        # WhiteNoise has named the type and length that belong to the file.
        del response["Content-Type"]
        for name, value in found.headers:
            response[name] = value
        if found.status == 200 and body and response["Content-Type"].startswith(_TEXTS):
            patch_vary_headers(response, ["Accept-Encoding"])
            if _GZIP.search(request.headers.get("Accept-Encoding", "")):
                response.content = _compressed(body)
                response["Content-Encoding"] = "gzip"
                response["Content-Length"] = str(len(response.content))
        return response


@lru_cache(maxsize=64)
def _compressed(body: bytes) -> bytes:
    """Each file is compressed once in the life of a process."""
    return gzip.compress(body, 9, mtime=0)
