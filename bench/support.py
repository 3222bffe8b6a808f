"""What the benchmarks share: a server of their own, clocks, and the way into docs/benchmarks.md."""

import argparse
import os
import platform
import re
import signal
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import platformdirs

from brainbridge.graph.connection import Address
from brainbridge.local_neo4j.server import LocalServer
from brainbridge.settings import ServerSettings, Settings

T = TypeVar("T")

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"

INTRODUCTION = """\
# Benchmarks

Measured with the programs in `bench/`, each on a managed Neo4j of its own in a temporary folder, as `brainbridge init`
would set it up. Run them on a quiet machine; what they find replaces the section they own:

```sh
python -m bench.bench_passes --sizes 10k,100k,1m --write
```

A target stands in brackets behind the value; values are medians unless it says otherwise.
"""


# Time


def say(text: str) -> None:
    """A line of progress, on stderr: stdout is for the result."""
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Seconds that `work` took, and what it returned."""
    began = time.perf_counter()
    outcome = work()
    return time.perf_counter() - began, outcome


def seconds(work: Callable[[], object]) -> float:
    """Seconds that `work` took."""
    return timed(work)[0]


def percentile(values: Sequence[float], percent: int) -> float:
    """The value that `percent` % (1 to 99) of `values` do not exceed; interpolated."""
    if len(values) < 2:
        return values[0]
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


# Sizes


def sizes(text: str) -> list[int]:
    """`10k,100k,1m` as numbers."""
    factors = {"": 1, "k": 1_000, "m": 1_000_000}
    found = []
    for word in text.split(","):
        match = re.fullmatch(r"(\d+)([km]?)", word.strip().lower())
        if match is None:
            raise ValueError(f"{word!r} is not a size. Write it as 10k, 100k or 1m.")
        found.append(int(match[1]) * factors[match[2]])
    return found


def size_name(size: int) -> str:
    """10_000 as `10k`."""
    for factor, letter in ((1_000_000, "M"), (1_000, "k")):
        if size >= factor and size % factor == 0:
            return f"{size // factor}{letter}"
    return str(size)


# The server


@dataclass(frozen=True, slots=True)
class BenchServer:
    """A running managed server that nobody else uses."""

    server: LocalServer
    address: Address
    settings: Settings

    @property
    def resident_mebibytes(self) -> int:
        """Its resident memory now."""
        resident = self.server.status().resident_bytes
        assert resident is not None  # it runs as long as the context does
        return resident // 2**20

    def restart(self) -> float:
        """Stop it and start it on the same store; how many seconds the start took."""
        self.server.stop()
        return seconds(self.server.start)

    @property
    def processor_seconds(self) -> float:
        """The processor time it has used since it started."""
        import psutil

        times = psutil.Process(self.server.status().pid).cpu_times()
        return float(times.user + times.system)

    @property
    def store_mebibytes(self) -> int:
        """What its store and transaction logs take on disk."""
        return sum(file.stat().st_size for file in (self.server.path / "data").rglob("*") if file.is_file()) // 2**20


@contextmanager
def bench_server(heap: str, page_cache: str, version: str | None = None) -> Iterator[BenchServer]:
    """A managed server as people get it (profile people), in a temporary home, on free ports; gone afterwards."""
    for name in [name for name in os.environ if name.startswith(("BRAINBRIDGE_", "NEO4J_"))]:
        # A benchmark must not meet a real user's database.
        if name not in ("BRAINBRIDGE_CACHE", "BRAINBRIDGE_MAVEN_REPO"):
            del os.environ[name]
    cache = Path(os.environ.get("BRAINBRIDGE_CACHE") or platformdirs.user_cache_path("brainbridge"))
    with tempfile.TemporaryDirectory(prefix="brainbridge-bench-") as home:
        os.environ["BRAINBRIDGE_CONFIG"] = str(Path(home) / "config.toml")
        bolt, http = _free_ports(2)
        chosen = ServerSettings(
            bolt_port=bolt, http_port=http, heap=heap, page_cache=page_cache, version=version, start_timeout=180
        )
        settings = Settings(home=Path(home), cache=cache, server=chosen)
        server = LocalServer(settings)
        # The server outlives who starts it, so being told to end must not skip the lines below.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        try:
            endpoint = server.start()
            yield BenchServer(server, Address(endpoint.uri, endpoint.username, endpoint.password), settings)
        finally:
            server.stop()


def _free_ports(count: int) -> list[int]:
    """Ports that are free now, all different."""
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


# The programs


def main_by_size(
    arguments: Sequence[str] | None,
    *,
    program: str,
    about: str,
    measure: Callable[[BenchServer, int], tuple[dict[str, float], str]],
    table: Callable[[dict[int, dict[str, float]]], str],
    heading: str,
    default: str,
) -> None:
    """Measure each size on a fresh server, print the table, and with --write put it into docs/benchmarks.md.

    Args:
        arguments: of the command line; None: those of the process.
        program: its name, which is bench_ and that of the section.
        measure: all values for one size, and the server's version.
        default: the sizes that are measured if none are given.
    """
    parser = argparse.ArgumentParser(prog=f"python -m bench.{program}", description=about.split("\n")[0])
    parser.add_argument("--sizes", type=sizes, default=sizes(default), help="such as 10k,100k,1m")
    parser.add_argument("--heap", default="512m")
    parser.add_argument("--page-cache", default="128m")
    parser.add_argument("--neo4j", help="a version that a lock comes with; the newest if not given")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    given = parser.parse_args(arguments)

    measured: dict[int, dict[str, float]] = {}
    version = ""
    for size in given.sizes:
        say(f"{size:,} memories")
        with bench_server(given.heap, given.page_cache, given.neo4j) as server:
            measured[size], version = measure(server, size)
    machine = machine_line(version, heap=given.heap, page_cache=given.page_cache, collector="Serial")
    text = f"## {heading}\n\n{table(measured)}\n\n{machine}\n"
    print(text)
    if given.write:
        write_section(program.removeprefix("bench_"), text)


# The document


def machine_line(neo4j: str, **more: str) -> str:
    """One line that says when and on what something was measured.

    Args:
        neo4j: the server's version.
        more: what else matters, such as heap="512m".
    """
    import psutil

    memory = psutil.virtual_memory().total / 2**30  # GiB
    parts = [
        datetime.now(UTC).strftime("%Y-%m-%d"),
        f"{os.cpu_count()} cores ({_processor()})",
        f"{memory:.0f} GB RAM",
        f"{platform.system()} {platform.machine()}",
        f"load average {os.getloadavg()[2]:.1f}",
        f"Python {platform.python_version()}",
        f"Neo4j Community {neo4j}",
        *(f"{name.replace('_', ' ')} {value}" for name, value in more.items()),
    ]
    return " · ".join(parts)


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file() and (match := re.search(r"model name\s*:\s*(.+)", info.read_text(encoding="utf-8"))):
        return match[1].strip()
    return platform.processor() or "unknown"


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table with aligned columns; the first to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        first, *others = zip(cells, widths, strict=True)
        return " | ".join(["| " + first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]) + " |"

    rule = "|".join(["", "-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:]), ""])
    return "\n".join([line(header), rule, *(line(row) for row in rows)])


def write_section(name: str, text: str, document: Path = DOCUMENT) -> None:
    """Put `text` between the markers `<!-- name -->` and `<!-- /name -->` of a document, made if it is missing."""
    opening, closing = f"<!-- {name} -->", f"<!-- /{name} -->"
    before = document.read_text(encoding="utf-8") if document.is_file() else INTRODUCTION
    if opening not in before:
        before = f"{before.rstrip()}\n\n{opening}\n{closing}\n"
    head, _, rest = before.partition(opening)
    _, found, tail = rest.partition(closing)
    if not found:
        raise ValueError(f"{document} has {opening} but not {closing}. Put it behind the section.")
    document.parent.mkdir(parents=True, exist_ok=True)
    document.write_text(f"{head}{opening}\n{text.strip()}\n{closing}{tail}", encoding="utf-8")
