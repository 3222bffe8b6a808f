"""The numbers that a monitoring system asks for every few seconds: from indexes and run records, no memory is read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from neo4j import Transaction

from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import inspect, learning, runs
from brainbridge.graph.statements.runs import RunCount

# The last run of each operation is looked for among so many.
RUNS_LOOKED_AT = 100


@dataclass(frozen=True, slots=True)
class LastRun:
    """The last run of one operation on record."""

    operation: str
    started: datetime
    seconds: float
    ok: bool


@dataclass(frozen=True, slots=True)
class Measures:
    """One scope as a whole. `memories` by tier, with `expired` and `archived` among them."""

    memories: Mapping[str, int]
    open_misses: int
    runs: Sequence[RunCount]
    last_runs: Sequence[LastRun]
    last_success: datetime | None  # of a whole consolidation


def measures(graph: Graph, scope: Scope) -> Measures:
    """Count what a scope holds and what its runs did; reads only, in one transaction."""
    return graph.read("inspect/count_by_tier", lambda tx: _measures(tx, scope))


def _measures(tx: Transaction, scope: Scope) -> Measures:
    recent = runs.list_runs(tx, scope, limit=RUNS_LOOKED_AT)
    last: dict[str, LastRun] = {}
    for run in recent:
        last.setdefault(run.get("operation", "consolidate"), _last_run(run))
    whole = (run for run in recent if run.get("operation") == "consolidate" and run.get("outcome") == "ok")
    success = next(whole, None)
    return Measures(
        memories=inspect.count_by_tier(tx, scope),
        open_misses=learning.count_misses(tx, scope),
        runs=runs.count_runs(tx, scope),
        last_runs=tuple(last.values()),
        last_success=success["startedAt"] if success else None,
    )


def _last_run(run: Mapping[str, Any]) -> LastRun:
    return LastRun(
        run.get("operation", "consolidate"),
        run["startedAt"],
        float(run.get("elapsedMs") or 0) / 1000,
        run.get("outcome") == "ok",
    )
