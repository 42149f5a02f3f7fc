"""`make bench-site`: server time, queries and weight of every page of a site after years of use.

Fills a database of its own (``bench.crowd``), asks for each page as a visitor and as a signed-in
user, and prints a table. ``first ms`` is the first time in a fresh process; ``ms`` the median of
the following ones. Server time is that of the whole request in this process: middleware, database,
template; without network. Also written to ``build/bench/site.json``.
"""

from __future__ import annotations

import dataclasses
import json
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from stack.local import ROOT

REPEATS = 7


@dataclass(frozen=True)
class Measured:
    page: str
    visitor: str
    status: int
    queries: int
    first_ms: float
    median_ms: float
    #: HTML, style sheets and scripts, gzip; of the API the answer alone.
    gzip_kb: float


def measure() -> tuple[float, list[Measured]]:
    """Seconds that filling took, and the pages in the order of the routes."""
    from django.core.management import call_command
    from django.db import connection, reset_queries
    from django.test import Client

    from bench.crowd import fill
    from bench.pages import body_of, get, pages, weight_of

    call_command("migrate", verbosity=0)
    began = time.monotonic()
    crowd = fill()
    filled_s = time.monotonic() - began
    visitor, user = Client(), Client()
    user.force_login(crowd.viewer)
    found = []
    for page in pages():
        for who, client in (("visitor", visitor), ("user", user)):
            connection.force_debug_cursor = True
            reset_queries()
            took, answer = [], None
            for repeat in range(1 + REPEATS):
                began = time.perf_counter()
                answer = get(client, page, crowd)
                took.append(1e3 * (time.perf_counter() - began))
                if repeat == 0:
                    queries = len(connection.queries)
                    connection.force_debug_cursor = False
            body = body_of(answer)

            weight = weight_of(client, body)
            found.append(
                Measured(
                    page=str(page),
                    visitor=who,
                    status=answer.status_code,
                    queries=queries,
                    first_ms=took[0],
                    median_ms=statistics.median(took[1:]),
                    gzip_kb=weight / 1000,
                )
            )
    return filled_s, found


def table_of(measured: list[Measured]) -> Table:
    table = Table(title="Server time of every page: 200 problems, 10,000 entries, 20,000 runs")
    table.add_column("page", overflow="fold")
    for name in ("as", "status", "queries", "first ms", "ms", "kB gzip"):
        table.add_column(name, justify="right")
    for row in measured:
        table.add_row(
            row.page,
            row.visitor,
            str(row.status),
            str(row.queries),
            f"{row.first_ms:.1f}",
            f"{row.median_ms:.1f}",
            f"{row.gzip_kb:.1f}",
        )
    return table


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="warpboard-bench-") as directory:
        os.environ["DJANGO_SETTINGS_MODULE"] = "webapp.settings"
        os.environ["WARPBOARD_DATABASE_URL"] = f"sqlite:///{directory}/site.sqlite3"
        os.environ["WARPBOARD_ALLOWED_HOSTS"] = "testserver"
        os.environ["WARPBOARD_STATIC_ROOT"] = directory
        os.environ["WARPBOARD_LOG_LEVEL"] = "ERROR"
        import django

        django.setup()
        filled_s, measured = measure()
        from django.db import connections

        connections.close_all()
    print(f"filled in {filled_s:.1f} s")
    Console(width=None if sys.stdout.isatty() else 140).print(table_of(measured))
    slowest = max(measured, key=lambda row: row.median_ms)
    print(f"slowest: {slowest.page} for a {slowest.visitor}, {slowest.median_ms:.1f} ms")
    report = Path(ROOT / "build" / "bench" / "site.json")
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text(json.dumps([dataclasses.asdict(row) for row in measured], indent=2) + "\n")


if __name__ == "__main__":
    main()
