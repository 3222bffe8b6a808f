"""How long recall takes beside another memory for agents, in one run on one machine, with the same texts and queries.

    python -m venv /some/where && /some/where/bin/pip install mcp-memory-service==12.4.0
    python -m bench.bench_beside --other /some/where/bin/python [--size 10k] [--write]

mcp-memory-service (Apache 2.0) keeps its memories in SQLite, in its own process. It is asked through its storage
class, by words and meaning (`retrieve_hybrid`) and by meaning alone (`retrieve`), with the vectors that it makes of a
hash when no model is installed, so that no model's time is counted on either side. brainbridge is asked through
`Brain.recall`, label and ledger included, by words, and by words and meaning with its own vectors of a hash.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import uuid4

from bench.bench_recall import BATCH, asked_for, birth, made_up, recalls, store
from bench.support import bench_server, machine_line, markdown_table, percentile, say, size_name, sizes, write_section
from brainbridge.app import Brain, initialise
from brainbridge.graph.connection import Graph
from brainbridge.settings import RecallSettings, Settings

OTHER = Path(__file__).with_name("beside_sqlite_vec.py")
LIMIT = 10


def main() -> int:
    """Print the table; with --write, put it into docs/benchmarks.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--other", type=Path, required=True, help="a Python that has mcp-memory-service")
    parser.add_argument("--size", default="10k")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    arguments = parser.parse_args()
    (size,) = sizes(arguments.size)
    rng = random.Random(7)
    texts, queries = list(made_up(rng, size)), asked_for(rng)
    version, theirs = beside(arguments.other, texts, queries)
    with bench_server("512m", "128m") as server, Graph.open(server.address, timeout=15) as graph:
        machine = machine_line(graph.server_version(), heap="512m", mcp_memory_service=version)
        rows = [*theirs, *ours(graph, texts, queries)]
    table = markdown_table(["asked", "median", "95 %"], rows)
    lead = f"{size_name(size)} memories, {len(queries)} queries of five words, ten hits, milliseconds:"
    text = "\n\n".join(["## Recall beside mcp-memory-service", machine, lead, table])
    print(text)
    if arguments.write:
        write_section("beside", text)
    return 0


def ours(graph: Graph, texts: Sequence[str], queries: Sequence[str]) -> Iterator[list[str]]:
    """A row by words alone, and one by both legs."""
    initialise(graph, "many")
    for first in range(0, len(texts), BATCH):
        store(graph, "many", [birth(str(uuid4()), text, None) for text in texts[first : first + BATCH]])
    for embedder, leg in (("none", "by words"), ("fake", "by words and meaning")):
        brain = Brain.on(graph, "many", Settings(recall=RecallSettings(embedder=embedder)))
        brain.embed()
        yield row(f"brainbridge, {leg}", recalls(brain, queries))


def beside(python: Path, texts: Sequence[str], queries: Sequence[str]) -> tuple[str, list[list[str]]]:
    """The other's version, and its rows."""
    with tempfile.TemporaryDirectory(prefix="brainbridge-beside-") as folder:
        asked = Path(folder) / "asked.json"
        asked.write_text(json.dumps({"texts": texts, "queries": queries, "limit": LIMIT}), encoding="utf-8")
        say("mcp-memory-service …")
        command = [str(python), str(OTHER), str(asked), folder]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=folder)
    found = json.loads(done.stdout.splitlines()[-1])
    return found["version"], [row(f"mcp-memory-service, {leg}", took) for leg, took in found["took"].items()]


def row(name: str, took: Sequence[float]) -> list[str]:
    """A row of the table, of milliseconds."""
    say(f"{name}: {percentile(took, 50):.1f} ms")
    return [name, f"{percentile(took, 50):.1f}", f"{percentile(took, 95):.1f}"]


if __name__ == "__main__":
    sys.exit(main())
