"""A site's HTTP API as the command line and `make demo` use it."""

from __future__ import annotations

import difflib
import time
from collections.abc import Iterator
from typing import Any

import httpx

from judge.cli.exits import JudgeFault, NotSignedIn, Refused, Unreachable

#: Seconds between two looks at a Run that is being judged.
POLL_SECONDS = 0.5
#: How long a site may be away while a Run is followed, as when it is restarted.
PATIENCE_SECONDS = 60.0


class SiteClient:
    """Speaks to one site with one token; answers are the API's JSON objects.

    Raises NotSignedIn (401, 403), Refused (other 4xx, with the site's own message) or
    JudgeFault (5xx; Unreachable where no site answers).
    """

    def __init__(self, url: str, token: str | None = None, timeout_seconds: float = 30.0) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.url = url.rstrip("/")
        self._http = httpx.Client(
            base_url=f"{self.url}/api/v1/", headers=headers, timeout=timeout_seconds
        )

    def me(self) -> dict[str, Any]:
        """Whom the token speaks for: ``username``, ``token`` (its name), ``scopes``."""
        return self._get("me")

    def problems(self) -> list[dict[str, Any]]:
        return list(self._get("problems")["problems"])

    def problem(self, slug: str) -> dict[str, Any]:
        return self._of_problem(slug, "GET", f"problems/{slug}")

    def devices(self) -> list[dict[str, Any]]:
        return list(self._get("devices")["devices"])

    def board(self, problem: str, device: str) -> dict[str, Any]:
        return self._of_problem(problem, "GET", f"boards/{problem}/{device}")

    def run(self, run_id: str) -> dict[str, Any]:
        return self._get(f"runs/{run_id}")

    def runs(self, **filters: str | int | None) -> list[dict[str, Any]]:
        given = {name: value for name, value in filters.items() if value is not None}
        return list(self._get("runs", **given)["runs"])

    def submit(
        self, problem: str, device: str, source: str, reference: str | None = None
    ) -> dict[str, Any]:
        """Submit ``source``; the answer's ``run`` names the Run to follow."""
        body = {"problem": problem, "device": device, "source": source}
        if reference is not None:
            body["reference"] = reference
        return self._of_problem(problem, "POST", "submissions", json=body)

    def abort(self, run_id: str) -> dict[str, Any]:
        """The Run, ended with the verdict AB; Refused where it was over already."""
        return self._read(self._send("POST", f"runs/{run_id}/abort"))

    def follow(self, run_id: str) -> Iterator[dict[str, Any]]:
        """The Run each time its state changed, the finished one last.

        A site that goes away for less than PATIENCE_SECONDS is waited for.
        """
        seen: object = None
        answered = time.monotonic()
        while True:
            try:
                run = self.run(run_id)
                answered = time.monotonic()
            except Unreachable:
                if time.monotonic() - answered > PATIENCE_SECONDS:
                    raise
                time.sleep(POLL_SECONDS)
                continue
            state = (run["status"], len(run["cases"]), len(run["workloads"]), run["progress_text"])
            if state != seen:
                seen = state
                yield run
            if run["status"] == "done":
                return
            time.sleep(POLL_SECONDS)

    def _get(self, path: str, **query: str | int) -> dict[str, Any]:
        return self._read(self._send("GET", path, params=query))

    def _of_problem(self, slug: str, method: str, path: str, **options: Any) -> dict[str, Any]:
        """As ``_read`` of ``_send``; a refusal because of the slug names those that are near."""
        try:
            return self._read(self._send(method, path, **options))
        except Refused as refusal:
            if refusal.code not in ("not_found", "unknown_problem"):
                raise
            slugs = [problem["slug"] for problem in self.problems()]
            if slug in slugs:
                raise
            raise Refused(
                f"There is no problem {slug!r} at {self.url}. {_nearest(slug, slugs)}",
                "unknown_problem",
            ) from refusal

    def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        try:
            return self._http.request(method, path, **options)
        except httpx.TransportError as error:
            raise Unreachable(
                f"{self.url} cannot be reached: {error}. Is the site running, and is --site right?"
            ) from error

    def _read(self, response: httpx.Response) -> dict[str, Any]:
        if response.is_success:
            return self._object_of(response)
        code, message = _error_of(response)
        if response.status_code == 401:
            raise NotSignedIn(f"{message} Tokens: {self.url}/accounts/tokens/")
        if response.status_code == 403:
            raise NotSignedIn(message)
        if response.status_code in (502, 503, 504):  # a proxy whose site is being restarted
            raise Unreachable(f"{self.url} answered {response.status_code}: {message}")
        if response.status_code < 500:
            raise Refused(message, code)
        raise JudgeFault(f"{self.url} answered {response.status_code}: {message}")

    def _object_of(self, response: httpx.Response) -> dict[str, Any]:
        try:
            answer = response.json()
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise JudgeFault(
                f"{response.url} answered with something that is no JSON object. "
                "Is --site the address of a Warpboard?"
            )
        return answer


def _nearest(word: str, known: list[str]) -> str:
    near = difflib.get_close_matches(word.lower(), known, n=3, cutoff=0.5)
    if near:
        return f"Did you mean {' or '.join(near)}?"
    return f"There is: {', '.join(known) or 'none yet'}."


def _error_of(response: httpx.Response) -> tuple[str, str]:
    """Code and message of a refusal, made up from the status where it is not the API's own."""
    try:
        error = response.json()["error"]
        return str(error["code"]), str(error["message"])
    except (ValueError, KeyError, TypeError):
        return "http", f"HTTP {response.status_code} {response.reason_phrase}."
