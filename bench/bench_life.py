"""How long the life of single memories takes, at several sizes: remembering, opening, and many writers at once.

    python -m bench.bench_life --sizes 10k,100k,1m --write

Each size gets a fresh managed server (profile people) that was warmed up, and a brain filled with memories of twelve
words that share hardly a word. Medians through the verbs of a Brain, as a program calls them.
"""

import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

from bench.bench_passes import Bench, Row, load, warm_up, words
from bench.support import (
    BenchServer,
    main_by_size,
    markdown_table,
    percentile,
    say,
    seconds,
    size_name,
    timed,
)
from brainbridge import app
from brainbridge.brain import Brain
from brainbridge.graph.connection import Graph
from brainbridge.memory.note import Note

ALONE = 200  # calls that a median is of
FIRST = 50  # calls before them that do not count
MANY = 5_000
WRITERS = 8
EACH_WRITES = 50
IDENTICAL = 16
OPENING = timedelta(minutes=5)

ROWS = (
    Row("new", "remember, a new text, p50", "ms", {10_000: 12, 100_000: 15, 1_000_000: 15}),
    Row("restated", "remember, a restatement in other words, p50", "ms", everywhere=12),
    Row("again", "remember, the same text again, p50", "ms", everywhere=12),
    Row(
        "many",
        "remember_many of new texts",
        "texts/s",
        {10_000: 1_500, 100_000: 1_000, 1_000_000: 800},
        at_least=True,
    ),
    Row("open p50", "open, six others opened within half an hour, p50", "ms"),
    Row("open p95", "… p95", "ms"),
    Row("at once", f"{WRITERS} writers at once, new texts", "texts/s"),
    Row("at once p95", "… p95 of one remember among them", "ms"),
    Row("identical", f"memories that {IDENTICAL} identical remembers at once leave", "", everywhere=1),
)


def alone(calls: Sequence[Callable[[], object]]) -> list[float]:
    """Milliseconds of each call but the first ones."""
    return [1_000 * seconds(call) for call in calls][FIRST:]


def remembering(brain: Brain, chance: random.Random) -> dict[str, float]:
    """New texts, the same in other words, the same again, and many in bulk; each looked for among all that is there."""
    texts = [words(chance, 12) for _ in range(FIRST + ALONE)]
    # Two words more in front: another text, and as similar as what people say again.
    other = [f"indeed truly {text}" for text in texts]
    new = alone([partial(brain.remember, text) for text in texts])
    restated = alone([partial(restates, brain, text) for text in other])
    again = alone([partial(restates, brain, text) for text in texts])
    many = [Note(words(chance, 12)) for _ in range(MANY)]
    elapsed, outcomes = timed(lambda: brain.remember_many(many))
    if any(one.outcome != "created" for one in outcomes):
        raise AssertionError("a new text was taken for a restatement")
    return {
        "new": percentile(new, 50),
        "restated": percentile(restated, 50),
        "again": percentile(again, 50),
        "many": MANY / elapsed,
    }


def restates(brain: Brain, text: str) -> None:
    """Remember a text that is there in these or other words."""
    if (done := brain.remember(text)).outcome != "reinforced":
        raise AssertionError(f"{text!r} was {done.outcome}")


def opening(brain: Brain, chance: random.Random) -> dict[str, float]:
    """Open memories by id, one every five minutes, so that six others were opened within the half hour before."""
    ids = [done.id for done in brain.remember_many([Note(words(chance, 12)) for _ in range(FIRST + ALONE)])]
    now = brain.graph.now()
    took = alone([partial(brain.open, id_, now=now + OPENING * number) for number, id_ in enumerate(ids)])
    return {"open p50": percentile(took, 50), "open p95": percentile(took, 95)}


def at_once(brain: Brain, chance: random.Random) -> dict[str, float]:
    """Eight threads that remember new texts, then sixteen that remember the same one."""
    shares = [[words(chance, 12) for _ in range(EACH_WRITES)] for _ in range(WRITERS)]

    def write(share: Sequence[str]) -> list[float]:
        return [seconds(partial(brain.remember, text)) for text in share]

    with ThreadPoolExecutor(WRITERS) as threads:
        elapsed, took = timed(lambda: [each for share in threads.map(write, shares) for each in share])
    text = words(chance, 12)
    with ThreadPoolExecutor(IDENTICAL) as threads:
        left = {done.id for done in threads.map(lambda _: brain.remember(text), range(IDENTICAL))}
    return {
        "at once": WRITERS * EACH_WRITES / elapsed,
        "at once p95": percentile(took, 95) * 1_000,
        "identical": len(left),
    }


def measure(server: BenchServer, size: int) -> tuple[dict[str, float], str]:
    """All values for one size, by the keys of ROWS, and the server's version."""
    with Graph.open(server.address, timeout=15) as graph:
        app.initialise(graph, "bench")
        brain = Brain.on(graph, "bench", server.settings)
        bench = Bench(brain, server, size, runs=1, warm_up=0)
        warm_up(bench)
        load(bench)
        values, chance = dict[str, float](), random.Random(1)
        for part in (remembering, opening, at_once):
            elapsed, found = timed(lambda part=part: part(brain, chance))  # type: ignore[misc]
            values |= found
            say(f"  {part.__name__}: {', '.join(f'{k} {v:.1f}' for k, v in found.items())} ({elapsed:.0f} s)")
        return values, graph.server_version()


def table(measured: dict[int, dict[str, float]]) -> str:
    """The rows of ROWS, a column for each size."""
    rows = [[row.what, *(row.cell(values[row.key], size) for size, values in measured.items())] for row in ROWS]
    return markdown_table(["what", *map(size_name, measured)], rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print the table, and with --write put it into docs/benchmarks.md."""
    main_by_size(
        arguments,
        program="bench_life",
        about=__doc__ or "",
        measure=measure,
        table=table,
        heading="The life of a memory",
        default="10k,100k",
    )


if __name__ == "__main__":
    main()
