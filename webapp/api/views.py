"""The REST API, version 1: its parts put together. Calls read, or hand over to a service; none
holds a rule.
"""

from __future__ import annotations

from ninja import NinjaAPI

from webapp.api import account, boards, errors, people, problems, runs, submissions
from webapp.api.bodies import Utf8JsonParser

api = NinjaAPI(
    title="Warpboard",
    version="1",
    description="Problems, submissions, runs and boards of this site.",
    urls_namespace="api",
    docs_url=None,  # its page loads scripts from elsewhere
    parser=Utf8JsonParser(),
)
errors.install(api)
for part in (account, problems, submissions, runs, boards, people):
    api.add_router("", part.router)
