"""How fast memories go out of a brain and into one, beside the target.

    python -m bench.bench_transfer --sizes 10k,100k --write

Each size gets a fresh managed server (profile people). A few memories are remembered and exported; their lines, with
ids and texts of their own, make a file of the size. That file is imported, imported again, and exported, which must
give the same bytes. Beside each rate stands what client and server used of a processor: on a busy machine it is the
better measure.
"""

import argparse
import filecmp
import io
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from bench.support import BenchServer, bench_server, machine_line, markdown_table, say, size_name, sizes, write_section
from brainbridge import app
from brainbridge.app import Brain
from brainbridge.graph.connection import Graph
from brainbridge.memory.note import Note
from brainbridge.transfer.lines import dumped

TARGET = 10_000  # memories a second
PATTERNS = 200  # memories that are really remembered
RELATED = 5  # every so many memories extend the one before
WARM_UP = 10_000  # memories that go out and in before anything is measured: a server that just began is slow

DECLARED = {"checkedDay": "", "created": {"datetime": "2026-03-01T12:00:00Z"}, "declaredBy": "user"}


@dataclass(frozen=True, slots=True)
class Measured:
    """One way of the memories: how many a second, and the processor time in µs that each took of client and server."""

    what: str
    per_second: float
    client: float
    server: float


def notes(count: int) -> Iterator[Note]:
    """Notes of about a hundred characters that have no word in common, so that each becomes a memory."""
    chance = random.Random(1)
    for _ in range(count):
        yield Note(" ".join(f"{chance.getrandbits(24):06x}" for _ in range(14)))


def pattern(brain: Brain) -> tuple[str, list[str]]:
    """The head of an export (header and constants), and lines of memories."""
    brain.remember_many(notes(PATTERNS))
    stream = io.StringIO()
    brain.export_to(stream)
    lines = stream.getvalue().splitlines(keepends=True)
    return "".join(line for line in lines[:-1] if "memory" not in json.loads(line)), [
        line for line in lines if "memory" in json.loads(line)
    ]


def copies(patterns: Sequence[str], count: int, series: int) -> Iterator[dict[str, object]]:
    """Lines of `count` memories in the order of their ids, all different."""
    before = ""
    for number in range(count):
        line = json.loads(patterns[number % len(patterns)])
        own = str(UUID(int=(series << 64) + number))
        line["memory"] |= {"id": own, "root": own, "contentKey": own, "content": f"{line['memory']['content']} {own}"}
        for position, event in enumerate(line["events"]):
            event["id"] = f"{own}-{position}"
        if before and number % RELATED == 0:
            line["relations"] = [{"type": "EXTENDS", "from": own, "to": before, "properties": DECLARED}]
        before = own
        yield line


def write_file(path: Path, head: str, lines: Iterator[dict[str, object]], configs: int) -> None:
    """An export of these lines."""
    counts = dict.fromkeys(("memories", "events", "relations", "sources"), 0)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(head)
        for line in lines:
            counts["memories"] += 1
            for part in ("events", "relations", "sources"):
                counts[part] += len(line.get(part, ()))  # type: ignore[arg-type]
            file.write(dumped(line))
        file.write(dumped({"end": {"configs": configs, **counts}}))


def measured(server: BenchServer, what: str, count: int, work: Callable[[], object]) -> Measured:
    """Carry out `work` on `count` memories."""
    began, client, neo4j = time.perf_counter(), time.process_time(), server.processor_seconds
    work()
    elapsed = time.perf_counter() - began
    used = (time.process_time() - client, server.processor_seconds - neo4j)
    found = Measured(what, count / elapsed, *(seconds / count * 1e6 for seconds in used))
    say(f"  {what}: {found.per_second:,.0f}/s, client {found.client:.0f} µs each, server {found.server:.0f} µs")
    return found


def measure(size: int, graph: Graph, server: BenchServer, folder: Path) -> list[Measured]:
    """Import, import again and export `size` memories."""
    for name in ("pattern", "warm", "bench"):
        app.initialise(graph, name)
    head, patterns = pattern(Brain.on(graph, "pattern", server.settings))
    warm, brain = (Brain.on(graph, name, server.settings) for name in ("warm", "bench"))
    before, after = folder / "before.jsonl", folder / "after.jsonl"
    write_file(before, head, copies(patterns, WARM_UP, series=1), configs=1)
    for _ in range(2):
        warm.import_from(before)
        warm.export_to(after)
    write_file(before, head.replace('"pattern"', '"bench"', 1), copies(patterns, size, series=2), configs=1)
    say(f"  {size:,} memories, {before.stat().st_size / 1e6:,.0f} MB")
    found = [
        measured(server, "import into an empty brain", size, lambda: brain.import_from(before)),
        measured(server, "import of what is there already", size, lambda: brain.import_from(before)),
        measured(server, "export to a file", size, lambda: brain.export_to(after)),
    ]
    if not filecmp.cmp(before, after, shallow=False):
        raise AssertionError("the export differs from what was imported")
    return found


def table(results: dict[int, list[Measured]]) -> str:
    """One row for each way, three columns for each size."""
    titles = ("memories/s", "client µs each", "server µs each")
    header = ["what", *(f"{size_name(size)}, {title}" for size in results for title in titles)]
    rows = [
        [
            ways[0].what,
            *(cell for way in ways for cell in (_rate(way), f"{way.client:.0f}", f"{way.server:.0f}")),
        ]
        for ways in zip(*results.values(), strict=True)
    ]
    return markdown_table(header, rows)


def _rate(way: Measured) -> str:
    return f"{way.per_second:,.0f} (≥ {TARGET:,}) {'met' if way.per_second >= TARGET else '**missed**'}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the table, and with --write put it into docs/benchmarks.md."""
    parser = argparse.ArgumentParser(prog="python -m bench.bench_transfer", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sizes", type=sizes, default=sizes("10k,100k"), help="such as 10k,100k,1m")
    parser.add_argument("--heap", default="512m")
    parser.add_argument("--page-cache", default="128m")
    parser.add_argument("--neo4j", help="a version that a lock comes with; the newest if not given")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    given = parser.parse_args(arguments)

    results: dict[int, list[Measured]] = {}
    version = ""
    for size in given.sizes:
        say(f"{size:,} memories")
        with (
            bench_server(given.heap, given.page_cache, given.neo4j) as server,
            Graph.open(server.address, timeout=15) as graph,
            TemporaryDirectory(prefix="brainbridge-bench-") as folder,
        ):
            results[size] = measure(size, graph, server, Path(folder))
            version = graph.server_version()
    text = (
        f"{table(results)}\n\nAn export holds each memory with its ledger, edges and sources; here a memory has one "
        f"event, and every {RELATED}th one relation. An import reads each id first, so that nothing is overwritten.\n\n"
        f"{machine_line(version, heap=given.heap, page_cache=given.page_cache, collector='Serial')}\n"
    )
    print(text)
    if given.write:
        write_section("transfer", text)


if __name__ == "__main__":
    main()
