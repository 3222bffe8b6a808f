"""How long the page's views take, at several sizes, from the request to the last byte.

    python -m bench.bench_page --sizes 10k --write

Each size gets a fresh managed server (profile people) that was warmed up, and a brain filled with memories of twelve
words; the page is served by this process and asked over HTTP, as a browser asks.
"""

import http.client
import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from urllib.parse import urlsplit

from bench.bench_passes import Bench, Row, load, warm_up, words
from bench.support import (
    BenchServer,
    main_by_size,
    markdown_table,
    percentile,
    seconds,
    size_name,
)
from brainbridge import app
from brainbridge.app import Brain
from brainbridge.graph.connection import Graph, ReadingGraph
from brainbridge.web.report import report_html
from brainbridge.web.serve import PageServer

TIMES = 20  # calls that a median is of
FIRST = 5  # calls before them that do not count
FAR = 20  # pages of the list to leaf through first

ROWS = (
    Row("overview", "overview", "ms", {10_000: 500}),
    Row("foremost", "memories, the strongest", "ms", {10_000: 250}),
    Row("first", "memories by id, first page", "ms", everywhere=100),
    Row("far", f"… page {FAR + 1}", "ms", everywhere=100),
    Row("tier", "… of a tier that has none", "ms", everywhere=100),
    Row("expired", "memories, expired", "ms"),
    Row("search", "memories, by words", "ms"),
    Row("memory", "one memory", "ms", everywhere=100),
    Row("runs", "runs", "ms", everywhere=100),
    Row("report", "report as one file", "ms"),
)


class Visitor:
    """A browser that is logged in, on one connection."""

    def __init__(self, page: PageServer) -> None:
        self._channel = http.client.HTTPConnection("127.0.0.1", page.port)
        url = urlsplit(page.login_url())
        self._channel.request("GET", f"{url.path}?{url.query}")
        response = self._channel.getresponse()
        response.read()
        self._cookie = str(response.headers["Set-Cookie"]).partition(";")[0]

    def get(self, path: str) -> None:
        """Ask for a view and read it whole."""
        self._channel.request("GET", path, headers={"Cookie": self._cookie})
        response = self._channel.getresponse()
        response.read()
        if response.status != 200:
            raise AssertionError(f"{path} answered with {response.status}")


def median(call: Callable[[], object]) -> float:
    """Milliseconds of a call, the first ones left out."""
    return percentile([1_000 * seconds(call) for _ in range(FIRST + TIMES)][FIRST:], 50)


def measure(server: BenchServer, size: int) -> tuple[dict[str, float], str]:
    """The rows of one size, and the version of the server."""
    with Graph.open(server.address, timeout=30) as graph:
        app.initialise(graph, "bench")
        brain = Brain.on(graph, "bench", server.settings)
        bench = Bench(brain, server, size, 1, 0)
        warm_up(bench)
        load(bench)
        brain.consolidate(now=bench.now + timedelta(minutes=15))
        after = ""
        for _ in range(FAR):
            after = brain.memories(after=after).further or ""
        one = brain.memories(after=after, limit=1).memories[0]
        chance = random.Random(1)
        views = {
            "overview": "/",
            "foremost": "/memories",
            "first": "/memories?state=live",
            "far": f"/memories?state=live&after={after}",
            "tier": "/memories?state=longTerm",
            "expired": "/memories?state=expired",
            "search": f"/memories?text={words(chance, 1)}",
            "memory": f"/memories/{one.id}",
            "runs": "/runs",
        }

        def reading() -> Brain:
            return Brain.on(ReadingGraph.open(server.address, timeout=30), "bench", server.settings)

        with PageServer("bench", reading, host="127.0.0.1", port=0) as page:
            visitor = Visitor(page)
            measured = {key: median(partial(visitor.get, path)) for key, path in views.items()}
        measured["report"] = median(partial(report_html, brain))
        return measured, graph.server_version()


def table(measured: dict[int, dict[str, float]]) -> str:
    """One line a row, one column a size."""
    rows = [[row.what, *(row.cell(found.get(row.key), size) for size, found in measured.items())] for row in ROWS]
    return markdown_table(["view", *map(size_name, measured)], rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the table, and with --write put it into docs/benchmarks.md."""
    main_by_size(
        arguments,
        program="bench_page",
        about=__doc__ or "",
        measure=measure,
        table=table,
        heading="The page",
        default="10k",
    )


if __name__ == "__main__":
    main()
