"""cypher/runs/*.cypher as functions: the clock, the lease and the record of consolidation runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from neo4j import Transaction

from brainbridge.domain.scope import Scope
from brainbridge.graph.records import count, one, rows


@dataclass(frozen=True, slots=True)
class LeaseState:
    """Whether a lease was granted, and who holds it until when."""

    granted: bool
    holder: str | None
    until: datetime | None
    fence: int


@dataclass(frozen=True, slots=True)
class RunCount:
    """The runs of one kind and outcome, and what they did in all."""

    operation: str
    outcome: str
    runs: int
    expired: int
    promoted: int


def server_now(tx: Transaction) -> datetime:
    """The database server's clock, UTC, to the millisecond."""
    row = one(tx, "runs/server_now")
    assert row is not None  # RETURN without MATCH always gives one row
    now = row["now"]
    assert isinstance(now, datetime)
    return now


def acquire_lease(tx: Transaction, *, name: str, holder: str, seconds: float) -> LeaseState:
    """Take or renew a lease for `seconds`, by the server's clock."""
    row = one(tx, "runs/acquire_lease", name=name, holder=holder, seconds=seconds)
    assert row is not None  # MERGE always gives one row
    return LeaseState(row["granted"], row["holder"], row["until"], row["fence"])


def release_lease(tx: Transaction, *, name: str, holder: str) -> bool:
    """Give a lease back; False if it was no longer ours."""
    return count(tx, "runs/release_lease", "released", name=name, holder=holder) > 0


def write_run(tx: Transaction, scope: Scope, *, id: str, run: Mapping[str, Any]) -> None:
    """Record one run."""
    rows(tx, "runs/write_run", brain=scope.brain, isTest=scope.is_test, id=id, run=dict(run))


def list_runs(tx: Transaction, scope: Scope, *, limit: int) -> list[dict[str, Any]]:
    """The last runs, newest first."""
    found = rows(tx, "runs/list_runs", brain=scope.brain, isTest=scope.is_test, limit=limit)
    return [row["run"] for row in found]


def read_run(tx: Transaction, scope: Scope, *, id: str) -> dict[str, Any] | None:
    """The properties of one run; None if there is none of that id."""
    row = one(tx, "runs/read_run", brain=scope.brain, isTest=scope.is_test, id=id)
    return dict(row["run"]) if row else None


def count_runs(tx: Transaction, scope: Scope) -> list[RunCount]:
    """All runs on record, by operation and outcome."""
    return [RunCount(**row) for row in rows(tx, "runs/count_runs", brain=scope.brain, isTest=scope.is_test)]
