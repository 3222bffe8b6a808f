"""The frame every pass stands in: bounded batches, one transaction each, until one finds nothing left to do."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from neo4j import Transaction

from brainbridge.domain.energy import Law
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph

# Memories per transaction. A million in one fail in the memory pool of Neo4j, and whoever boosts a memory waits for the
# page it is in: with pages of 10,000 the slowest twentieth of boosts took 62 ms instead of 19, and a pass over 10,000
# memories 0.22 s instead of 0.25 (bench/bench_passes.py --page 10000).
BATCH = 1_000


@dataclass(frozen=True, slots=True)
class Run:
    """What all passes of one run share."""

    id: str
    scope: Scope
    now: datetime
    law: Law
    # On schedule longTerm memories wait until 1 % has accrued; on demand everything is settled.
    scheduled: bool = False
    # Whether memories that name no brain belong to this one.
    owns_unowned: bool = False
    # Whether to look at every live memory for what a hand edit spoiled; bench/bench_passes.py says what that takes.
    thorough: bool = False


class Pass(Protocol):
    """One step of a run: brings its part of the graph to `run.now`, and returns how many memories it changed."""

    def __call__(self, graph: Graph, run: Run, *, batch: int = ...) -> int: ...


def in_batches(graph: Graph, run: Run, query: str, work: Callable[[Transaction], int]) -> int:
    """Repeat `work`, one transaction a time, until it changes nothing; the sum.

    Not "until a batch comes back short": a page shrinks when someone else changes some of its memories between the
    seek and the lock, and the rest of the tier would be left. What was committed stays when a later batch fails, and
    a repeated run completes it.
    """
    total = 0
    while changed := graph.write(query, work, run=run.id):
        total += changed
    return total
