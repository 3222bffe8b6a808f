"""How long the passes of a run take, at several sizes, beside the targets.

    python -m bench.bench_passes --sizes 10k,100k,1m --write

Each size gets a fresh managed server (profile people), one brain, and a clock of its own that this program moves on, so
that everything is due when it should be. The clock starts days ago and stays behind the server's, which boosts go by.
The server is warmed up on a brain of test memories first: a JVM that has just started compiles while it works, and its
first passes take two to four times as long. What the first load after a start gives is a row of its own.
The server's own seconds of processor time are said beside each value: on a busy machine they are the better measure.
"""

import argparse
import random
import statistics
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

from neo4j import Query

from bench.support import (
    BenchServer,
    bench_server,
    machine_line,
    markdown_table,
    percentile,
    say,
    seconds,
    size_name,
    sizes,
    timed,
    write_section,
)
from brainbridge import app
from brainbridge.brain import Brain
from brainbridge.consolidation.adopt import adopt
from brainbridge.consolidation.decay import LONG_TERM_SLACK, decay
from brainbridge.consolidation.expire import expire
from brainbridge.consolidation.passes import BATCH, Run
from brainbridge.consolidation.promote import promote
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.records import iso
from brainbridge.graph.statements import memory
from brainbridge.memory.boost import boost
from brainbridge.memory.note import Note

STEP = timedelta(minutes=15)  # the daemon's interval
BEGIN = timedelta(days=4)  # how far behind the server's clock this program's starts; it makes about 100 steps
DUE = 1_000  # memories that an expire or a promote pass finds
WARM_UP_LOADS = 2
WARM_UP_RUNS = 10
ROWS_AT_ONCE = 2_000  # in one transaction of the load
TOLD_AT_ONCE = 100_000
REMEMBERED = 5_000
REMEMBERED_ALONE = 100
BOOSTS = 300
SECONDS_OF_PASSES = 60.0  # no longer do passes run beside boosts


# What is measured, and what it should be


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `targets` by size; `everywhere` for one that holds at every size."""

    key: str
    what: str
    unit: str
    targets: dict[int, float] = field(default_factory=dict)
    everywhere: float | None = None
    at_least: bool = False

    def cell(self, value: float | None, size: int) -> str:
        """The value, its target in brackets, and whether it was met."""
        if value is None:
            return "–"
        target = self.targets.get(size, self.everywhere)
        shown = f"{_number(value)} {self.unit}"
        if target is None:
            return shown
        met = value >= target if self.at_least else value <= target
        return f"{shown} ({'≥' if self.at_least else '≤'} {target:,g}) {'met' if met else '**missed**'}"


def _number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _targets(small: float, middle: float, large: float) -> dict[int, float]:
    return {10_000: small, 100_000: middle, 1_000_000: large}


_PASS = _targets(0.2, 0.3, 1.2)
ROWS = (
    Row("load", "load of plain notes, no duplicate check", "rows/s", everywhere=8_000, at_least=True),
    Row("first load", "… the first 10,000 after the server's start", "rows/s"),
    Row("decay", "full decay pass, everything due", "s", _targets(0.4, 3.5, 30)),
    Row("schedule", "scheduled run, 95 % longTerm, steady state", "s", _targets(0.2, 0.5, 4)),
    Row("expire 0", "expire pass, 0 due", "s", _PASS),
    Row("expire 1000", "expire pass, 1,000 due", "s", _PASS),
    Row("promote 0", "promote pass, 0 due", "s", _PASS),
    Row("promote 1000", "promote pass, 1,000 due", "s", _PASS),
    Row("boost p50", "boost with its ledger event, alone, p50", "ms", everywhere=6),
    Row("boost verb p50", "… by id through `Brain.boost`, alone, p50", "ms"),
    Row("boost p95", "boost during decay passes, p95", "ms", everywhere=40),
    Row("boost max", "… the slowest", "ms"),
    Row("remember new p50", "remember, a new text, p50", "ms", _targets(12, 15, 15)),
    Row("remember restated p50", "remember, a restatement, p50", "ms", everywhere=12),
    Row(
        "remember many",
        "remember_many of new texts, duplicate check included",
        "rows/s",
        _targets(1_500, 1_000, 800),
        at_least=True,
    ),
    Row("status", "status", "ms", _targets(60, 250, 2_500)),
    Row("thorough", "a look at every memory for what a hand edit spoiled, in runs that someone waits for", "s"),
    Row("overhead", "a run that finds nothing due in an empty scope", "ms"),
    Row("resident", "server, resident after all this", "MB"),
    Row("start", "server, started on this store", "s", everywhere=10),
    Row("resident at work", "… resident after two runs, a status and 100 boosts", "MB", {10_000: 550}),
    Row("store", "store and transaction logs on disk", "MB"),
)


# The store


@dataclass(frozen=True, slots=True)
class Mix:
    """How the live memories are spread: shares of working and shortTerm, the rest is longTerm."""

    working: float
    short_term: float


EVEN = Mix(0.2, 0.4)  # the tier mix 20/40/40
SETTLED = Mix(0.025, 0.025)  # 95 % longTerm: what a brain grows into

# Energies inside each tier's thresholds, so that nothing expires or promotes until the bench says so; working and
# shortTerm as a scheduled run left them, longTerm spread over the hours it may wait.
SPREAD = """
MATCH (found:LiveMemory)
WHERE found.brain = $brain AND found.isTest = false AND found.tier IS NOT NULL AND found.lastDecay IS NOT NULL
WITH found AS m
CALL (m) {
  WITH m, rand() AS share, rand() AS u
  WITH m, u, CASE WHEN share < $working THEN 'working'
                  WHEN share < $working + $shortTerm THEN 'shortTerm' ELSE 'longTerm' END AS tier
  SET m.tier = tier,
      m.energy = CASE tier WHEN 'working' THEN 0.8 + u WHEN 'shortTerm' THEN 0.5 + 4 * u ELSE 0.5 + 9 * u END,
      m.lastDecay = CASE tier WHEN 'longTerm' THEN $now - duration({seconds: toInteger(u * $slack)}) ELSE $now END
} IN TRANSACTIONS OF 10000 ROWS
"""
# As SPREAD, for all energies of working and shortTerm: the steps of a phase have lowered them.
REFRESH = """
MATCH (m:LiveMemory)
WHERE m.brain = $brain AND m.isTest = false AND m.tier IN ['working', 'shortTerm'] AND m.lastDecay IS NOT NULL
CALL (m) {
  SET m.energy = CASE m.tier WHEN 'working' THEN 0.8 + rand() ELSE 0.5 + 4 * rand() END
} IN TRANSACTIONS OF 10000 ROWS
"""
PICK = """
MATCH (m:LiveMemory)
WHERE m.brain = $brain AND m.isTest = false AND m.tier = $tier AND m.lastDecay IS NOT NULL
WITH m ORDER BY rand() LIMIT $count
SET m.energy = $energy
RETURN count(*) AS picked
"""
REVIVE = """
MATCH (m:ExpiredMemory)
WHERE m.brain = $brain AND m.isTest = false AND m.tier IS NOT NULL
SET m:LiveMemory, m.tier = m.expiredFrom, m.energy = 1.0
REMOVE m:ExpiredMemory, m.expiredFrom, m.expiredAt
"""
DEMOTE = """
MATCH (m:LiveMemory)
WHERE m.brain = $brain AND m.isTest = false AND m.tier IN ['shortTerm', 'longTerm'] AND m.lastDecay IS NOT NULL
  AND m.promotedFrom IS NOT NULL AND m.validFrom = $now
SET m.tier = CASE m.tier WHEN 'longTerm' THEN 'shortTerm' ELSE 'working' END, m.energy = 1.0
"""
IDS = """
MATCH (m:LiveMemory)
WHERE m.brain = $brain AND m.isTest = false AND m.tier IS NOT NULL AND m.lastDecay IS NOT NULL
RETURN m.id AS id ORDER BY rand() LIMIT $count
"""


class Bench:
    """One brain of one size, and a clock that only goes forward."""

    def __init__(
        self, brain: Brain, server: BenchServer, size: int, runs: int, warm_up: int, page: int = BATCH
    ) -> None:
        self.brain = brain
        self.server = server
        self.size = size
        self.runs = runs
        self.warm_up = warm_up
        self.page = page
        self.now: datetime = brain.graph.now() - BEGIN
        self.law = brain.law().law

    def query(self, text: str, **parameters: Any) -> list[dict[str, Any]]:
        """Run Cypher of this program's own; a setup over a million rows may take longer than a transaction should."""
        with self.brain.graph.session() as session:
            return session.run(Query(text, timeout=0), {"brain": self.brain.name, **parameters}).data()

    def step(self) -> Run:
        """Move the clock on by one interval: the run that comes then."""
        self.now += STEP
        return Run(str(uuid4()), self.brain.scope(), self.now, self.law)

    def spread(self, mix: Mix) -> None:
        """Spread the memories over the tiers as if scheduled runs had gone on all the time."""
        slack = LONG_TERM_SLACK / self.law.lambda_long_term * 3_600
        self.query(SPREAD, working=mix.working, shortTerm=mix.short_term, now=self.now, slack=slack)

    def refresh(self) -> None:
        """Put energies back inside their tiers' thresholds."""
        self.query(REFRESH)

    def median(self, what: str, work: Callable[[], object], prepare: Callable[[], object] = lambda: None) -> float:
        """The median of `runs` durations of `work`, in seconds, after some that do not count."""
        took, used = [], 0.0
        for number in range(self.warm_up + self.runs):
            prepare()
            before = self.server.processor_seconds
            took.append(seconds(work))
            used += (self.server.processor_seconds - before) * (number >= self.warm_up)
        counted = took[self.warm_up :]
        shown = " ".join(f"{each:.3f}" for each in counted)
        say(f"    {what}: {shown} s; of the server's processor {used / self.runs:.3f} s each")
        return statistics.median(counted)


def words(chance: random.Random, count: int) -> str:
    """A text that shares hardly a word with another one."""
    return " ".join(f"{chance.getrandbits(30):x}" for _ in range(count))


def birth(chance: random.Random, at: str) -> dict[str, Any]:
    """A row for memory/create_memories as remember would write it, with tokens of no meaning for its bands.

    The real ones cost 0.27 ms each, 5 minutes for a million; the indexes cannot tell the difference.
    """
    ident = f"{chance.getrandbits(128):032x}"
    return {
        "id": f"{ident[:8]}-{ident[8:12]}-{ident[12:16]}-{ident[16:20]}-{ident[20:]}",
        "event": f"e-{ident}",
        "content": words(chance, 12),
        "contentKey": ident,
        "bands": " ".join(f"{chance.getrandbits(40):010x}" for _ in range(32)),
        "tier": "working",
        "energy": 1.0,
        "core": False,
        "memoryType": None,
        "producer": "user",
        "subject": None,
        "at": at,
    }


# The measurements


def warm_up(bench: Bench) -> dict[str, float]:
    """Let the server's compiler see loads and passes, on test memories that are cleared again."""
    brain, chance = bench.brain, random.Random(0)
    first = _load(bench, 10_000, brain.scope(test=True), chance)
    for _ in range(WARM_UP_LOADS):
        _load(bench, 10_000, brain.scope(test=True), chance)
        brain.consolidate(test=True, now=bench.now + WARM_UP_RUNS * STEP)
    for number in range(WARM_UP_RUNS):
        brain.consolidate(test=True, now=bench.now + (WARM_UP_RUNS + number) * STEP)
    brain.clear_test_memories()
    return {"first load": first}


def load(bench: Bench) -> dict[str, float]:
    """Bear all memories by memory/create_memories; making the rows does not count."""
    return {"load": _load(bench, bench.size, bench.brain.scope(), random.Random(bench.size))}


def _load(bench: Bench, size: int, scope: Scope, chance: random.Random) -> float:
    """Memories per second."""
    elapsed, loaded, at = 0.0, 0, iso(bench.now)
    while loaded < size:
        count = min(ROWS_AT_ONCE, size - loaded)
        write = partial(memory.create_memories, scope=scope, births=[birth(chance, at) for _ in range(count)])
        elapsed += seconds(partial(bench.brain.graph.write, "memory/create_memories", write))
        loaded += count
        if loaded % TOLD_AT_ONCE == 0 or loaded == size:
            say(f"  {loaded:,} loaded, {loaded / elapsed:,.0f} rows/s")
    return loaded / elapsed


def remembering(bench: Bench) -> dict[str, float]:
    """New texts and restatements, one at a time and in bulk, each looked for among all that is there."""
    chance, brain = random.Random(0), bench.brain
    texts = [words(chance, 12) for _ in range(2 * REMEMBERED_ALONE)]
    new = [seconds(partial(brain.remember, text)) for text in texts][REMEMBERED_ALONE:]
    restated = [seconds(partial(brain.remember, text)) for text in texts][REMEMBERED_ALONE:]
    many = [Note(words(chance, 12)) for _ in range(REMEMBERED)]
    elapsed, outcomes = timed(lambda: brain.remember_many(many))
    if any(one.outcome != "created" for one in outcomes):
        raise AssertionError("a new text was taken for a restatement")
    return {
        "remember new p50": percentile(new, 50) * 1000,
        "remember restated p50": percentile(restated, 50) * 1000,
        "remember many": len(many) / elapsed,
    }


def full_decay(bench: Bench) -> dict[str, float]:
    """Settle every memory at a new instant."""

    def work() -> None:
        run = bench.step()
        changed = decay(bench.brain.graph, run, batch=bench.page)
        if changed != bench.size:
            raise AssertionError(f"{changed} of {bench.size} were due")

    return {"decay": bench.median("full decay", work)}


def expiry(bench: Bench) -> dict[str, float]:
    """The expire pass on a store that decay has just left, with nothing due and with 1,000."""
    run = bench.step()
    decay(bench.brain.graph, run)
    bench.refresh()
    due = min(DUE, bench.size // 10)

    def prepare() -> None:
        bench.query(REVIVE)
        bench.query(PICK, tier="working", count=due // 2, energy=0.05)
        bench.query(PICK, tier="shortTerm", count=due // 2, energy=0.05)

    def work(expected: int) -> None:
        if (changed := expire(bench.brain.graph, run)) != expected:
            raise AssertionError(f"{changed} expired, not {expected}")

    none = bench.median("expire, 0 due", lambda: work(0))
    some = bench.median(f"expire, {due:,} due", lambda: work(due), prepare)
    bench.query(REVIVE)
    return {"expire 0": none, "expire 1000": some}


def promotion(bench: Bench) -> dict[str, float]:
    """The promote pass, as `expiry`; the archives it makes stay."""
    run = bench.step()
    decay(bench.brain.graph, run)
    bench.refresh()
    due = min(DUE, bench.size // 10)

    def prepare() -> None:
        bench.query(DEMOTE, now=run.now)
        bench.query(PICK, tier="working", count=due // 2, energy=3.0)
        bench.query(PICK, tier="shortTerm", count=due // 2, energy=6.0)

    def work(expected: int) -> None:
        if (changed := promote(bench.brain.graph, run)) != expected:
            raise AssertionError(f"{changed} promoted, not {expected}")

    none = bench.median("promote, 0 due", lambda: work(0))
    some = bench.median(f"promote, {due:,} due", lambda: work(due), prepare)
    bench.query(DEMOTE, now=run.now)
    return {"promote 0": none, "promote 1000": some}


def boosts(bench: Bench) -> dict[str, float]:
    """Boosts of random memories, alone and while a decay pass goes over everything."""
    graph, scope = bench.brain.graph, bench.brain.scope()
    ids = iter([row["id"] for row in bench.query(IDS, count=4 * BOOSTS + 4_000)] * 10)

    def one() -> float:
        target = bench.brain.find(next(ids))
        return seconds(lambda: boost(graph, scope, target))

    for _ in range(BOOSTS // 3):
        one()
    alone = [one() for _ in range(BOOSTS)]
    verb = [seconds(lambda: bench.brain.boost(next(ids))) for _ in range(BOOSTS)]
    during = _beside_passes(bench, one)
    say(f"  {len(during)} boosts during passes, p50 {percentile(during, 50) * 1000:.1f} ms")
    return {
        "boost p50": percentile(alone, 50) * 1000,
        "boost verb p50": percentile(verb, 50) * 1000,
        "boost p95": percentile(during, 95) * 1000,
        "boost max": max(during) * 1000,
    }


def _beside_passes(bench: Bench, one: Callable[[], float]) -> list[float]:
    """Durations of boosts, one after the other, from the first to the last moment of decay passes.

    A pass over a small store is short: passes repeat until there are enough boosts.
    """
    done = threading.Event()
    failures: list[BaseException] = []

    def passes() -> None:
        try:
            elapsed = 0.0
            while not done.is_set() and elapsed < SECONDS_OF_PASSES:
                elapsed += seconds(lambda: decay(bench.brain.graph, bench.step(), batch=bench.page))
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    found: list[float] = []
    beside = threading.Thread(target=passes, name="passes")
    beside.start()
    try:
        while not done.is_set():
            found.append(one())
            if len(found) >= 4 * BOOSTS and bench.size <= 100_000:
                done.set()
    finally:
        done.set()
        beside.join()
    if failures:
        raise failures[0]
    return found


def looking(bench: Bench) -> dict[str, float]:
    """The status of the whole scope at a later instant; and what a run costs before it does anything."""
    later = bench.now + STEP
    status = bench.median("status", lambda: bench.brain.status(now=later))
    run = Run(str(uuid4()), bench.brain.scope(), later, bench.law, thorough=True)
    thorough = bench.median("thorough", lambda: adopt(bench.brain.graph, run))
    idle = bench.median("idle run", lambda: bench.brain.consolidate(test=True))
    return {"status": status * 1000, "thorough": thorough, "overhead": idle * 1000}


def schedule(bench: Bench) -> dict[str, float]:
    """Whole runs as the daemon makes them, a quarter of an hour apart."""
    bench.spread(SETTLED)
    bench.brain.consolidate(now=bench.step().now, trigger="schedule")  # settles what the setup left
    bench.refresh()
    changed = []

    def work() -> None:
        report = bench.brain.consolidate(now=bench.step().now, trigger="schedule")
        if report.outcome != "ok":
            raise AssertionError(report.error)
        changed.append({done.name: (done.changed, done.elapsed_ms) for done in report.passes})

    median = bench.median("scheduled run", work)
    say(f"  the last run, by pass (changed, ms): {changed[-1]}")
    return {"schedule": median}


def measure(server: BenchServer, size: int, runs: int, page: int) -> tuple[dict[str, float], str]:
    """All values for one size, by the keys of ROWS, and the server's version."""
    with Graph.open(server.address, timeout=15) as graph:
        app.initialise(graph, "bench")
        brain = Brain.on(graph, "bench", server.settings)
        bench = Bench(brain, server, size, runs, warm_up=1 if size > 100_000 else 3, page=page)
        values = warm_up(bench) | load(bench)
        say(f"  spread over the tiers in {seconds(lambda: bench.spread(EVEN)):.1f} s")
        for part in (full_decay, expiry, promotion, looking, schedule, boosts_on_even, remembering):
            elapsed, found = timed(lambda part=part: part(bench))  # type: ignore[misc]
            values |= found
            shown = ", ".join(f"{key} {_number(value)}" for key, value in found.items())
            say(f"  {part.__name__}: {shown} ({elapsed:.0f} s)")
        values |= {"resident": server.resident_mebibytes, "store": server.store_mebibytes}
        return values, graph.server_version()


def at_work(server: BenchServer) -> dict[str, float]:
    """What a start on the store that is there takes, and what the server needs for a usual quarter of an hour."""
    start = server.restart()
    with Graph.open(server.address, timeout=15) as graph:
        brain = Brain.on(graph, "bench", server.settings)
        bench = Bench(brain, server, size=0, runs=0, warm_up=0)
        for number in range(2):
            brain.consolidate(now=graph.now() + number * STEP, trigger="schedule")
        brain.status()
        for row in bench.query(IDS, count=100):
            brain.boost(row["id"])
        return {"start": start, "resident at work": server.resident_mebibytes}


def boosts_on_even(bench: Bench) -> dict[str, float]:
    """As `boosts`, with the tier mix back at 20/40/40."""
    bench.spread(EVEN)
    return boosts(bench)


# The result


def table(measured: dict[int, dict[str, float]]) -> str:
    """The rows of ROWS, a column for each size."""
    header = ["what", *(size_name(size) for size in measured)]
    lines: list[Sequence[str]] = [
        [row.what, *(row.cell(values.get(row.key), size) for size, values in measured.items())] for row in ROWS
    ]
    return markdown_table(header, lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the table, and with --write put it into docs/benchmarks.md."""
    parser = argparse.ArgumentParser(prog="python -m bench.bench_passes", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sizes", type=sizes, default=sizes("10k,100k"), help="such as 10k,100k,1m")
    parser.add_argument("--runs", type=int, help="how many runs a median is of (10k: 9, 100k: 5, 1m: 3)")
    parser.add_argument("--page", type=int, default=BATCH, help="memories per transaction of the decay passes")
    parser.add_argument("--heap", default="512m")
    parser.add_argument("--page-cache", default="128m")
    parser.add_argument("--neo4j", help="a version that a lock comes with; the newest if not given")
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    given = parser.parse_args(arguments)

    measured: dict[int, dict[str, float]] = {}
    text = ""
    for size in given.sizes:
        runs = given.runs or (9 if size <= 10_000 else 5 if size <= 100_000 else 3)
        say(f"{size:,} memories, medians of {runs}")
        with bench_server(given.heap, given.page_cache, given.neo4j) as server:
            measured[size], version = measure(server, size, runs, given.page)
            measured[size] |= at_work(server)
        machine = machine_line(version, heap=given.heap, page_cache=given.page_cache, collector="Serial")
        text = f"{table(measured)}\n\n{machine}\n"
        if given.write:  # after each size: a million takes longer than some have patience for
            write_section("passes", text)
    print(text)


if __name__ == "__main__":
    main()
