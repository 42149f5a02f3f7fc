"""WhiteNoise for an ASGI server: the files are few and small, so each is sent whole.

WhiteNoise's own answers stream from a synchronous iterator, which Django under ASGI warns about
and reads in one go anyway.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]
from whitenoise.responders import StaticFile  # type: ignore[import-untyped]


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
        return response
