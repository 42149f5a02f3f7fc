"""A site's HTTP API as the command line and `make demo` use it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import httpx

from judge.cli.exits import JudgeFault, NotSignedIn, UsageFault

#: Seconds between two looks at a Run that is being judged.
POLL_SECONDS = 0.5


class SiteClient:
    """Speaks to one site with one token; answers are the API's JSON objects.

    Raises NotSignedIn (401, 403), UsageFault (other 4xx, with the site's own message) or
    JudgeFault (5xx, site not reachable).
    """

    def __init__(self, url: str, token: str | None = None) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(base_url=f"{url.rstrip('/')}/api/v1/", headers=headers)
        self._url = url

    def problems(self) -> list[dict[str, Any]]:
        return list(self._get("problems")["problems"])

    def devices(self) -> list[dict[str, Any]]:
        return list(self._get("devices")["devices"])

    def board(self, problem: str, device: str) -> dict[str, Any]:
        return self._get(f"boards/{problem}/{device}")

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
        return self._read(self._send("POST", "submissions", json=body))

    def follow(self, run_id: str) -> Iterator[dict[str, Any]]:
        """The Run each time its state changed, the finished one last."""
        seen: object = None
        while True:
            run = self.run(run_id)
            state = (run["status"], len(run["cases"]), len(run["workloads"]))
            if state != seen:
                seen = state
                yield run
            if run["status"] == "done":
                return
            time.sleep(POLL_SECONDS)

    def _get(self, path: str, **query: str | int) -> dict[str, Any]:
        return self._read(self._send("GET", path, params=query))

    def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        try:
            return self._http.request(method, path, timeout=30, **options)
        except httpx.TransportError as error:
            raise JudgeFault(
                f"{self._url} cannot be reached: {error}. Is the site running, and is --site right?"
            ) from error

    def _read(self, response: httpx.Response) -> dict[str, Any]:
        if response.is_success:
            answer: dict[str, Any] = response.json()
            return answer
        message = _message_of(response)
        if response.status_code in (401, 403):
            raise NotSignedIn(
                f"{message} Make a token on your profile page and pass it as WARPBOARD_TOKEN."
            )
        if response.status_code < 500:
            raise UsageFault(message)
        raise JudgeFault(f"{self._url} answered {response.status_code}: {message}")


def _message_of(response: httpx.Response) -> str:
    try:
        error = response.json()["error"]
    except (ValueError, KeyError, TypeError):
        return f"HTTP {response.status_code} {response.reason_phrase}"
    return str(error["message"])
