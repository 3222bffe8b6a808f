"""cypher/inspect/*.cypher as functions: reading, for people and for health."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from neo4j import ManagedTransaction

from brainbridge.domain.scope import Scope
from brainbridge.graph.records import count, rows


@dataclass(frozen=True, slots=True)
class TierCount:
    """One tier (or state) of a scope at an instant; energies are effective ones."""

    tier: str
    memories: int
    mean_energy: float | None
    max_energy: float | None
    undecayed: int
    expirable: int
    promotable: int
    next_expiry_ms: float | None


def status(tx: ManagedTransaction, scope: Scope, *, now: datetime) -> dict[str, TierCount]:
    """Counts by tier, `expired` and `archived` among them."""
    found = rows(tx, "inspect/status", brain=scope.brain, isTest=scope.is_test, now=now)
    return {
        row["tier"]: TierCount(
            tier=row["tier"],
            memories=row["memories"],
            mean_energy=row["meanEnergy"],
            max_energy=row["maxEnergy"],
            undecayed=row["undecayed"],
            expirable=row["expirable"],
            promotable=row["promotable"],
            next_expiry_ms=row["nextExpiryMs"],
        )
        for row in found
    }


def count_memories(tx: ManagedTransaction, scope: Scope) -> int:
    """Memories that are not archived."""
    return count(tx, "inspect/count_memories", "memories", brain=scope.brain, isTest=scope.is_test)


def live_memories(tx: ManagedTransaction, scope: Scope, *, limit: int) -> list[dict[str, Any]]:
    """The live memories' properties, the most energetic first."""
    found = rows(tx, "inspect/live_memories", brain=scope.brain, isTest=scope.is_test, limit=limit)
    return [dict(row["m"]) for row in found]


def promotion_history(tx: ManagedTransaction, scope: Scope, *, limit: int) -> list[Any]:
    """Every promotion as a path, newest first."""
    found = rows(tx, "inspect/promotion_history", brain=scope.brain, isTest=scope.is_test, limit=limit)
    return [row["step"] for row in found]


def lineage(tx: ManagedTransaction, scope: Scope, *, id: str) -> list[dict[str, Any]]:
    """One memory's way through the tiers, oldest first: id, tier, energy, since, until."""
    return rows(tx, "inspect/lineage", brain=scope.brain, isTest=scope.is_test, id=id)


def ledger(tx: ManagedTransaction, scope: Scope, *, id: str) -> list[dict[str, Any]]:
    """The events of one memory, oldest first: kind, at, before, after, tier."""
    return rows(tx, "inspect/ledger", brain=scope.brain, isTest=scope.is_test, id=id)


def list_strays(tx: ManagedTransaction, scope: Scope, *, limit: int) -> list[dict[str, Any]]:
    """The properties of memories without a state label, of this brain or of none."""
    found = rows(tx, "inspect/list_strays", brain=scope.brain, isTest=scope.is_test, limit=limit)
    return [row["properties"] for row in found]


def list_scope_leaks(tx: ManagedTransaction, scope: Scope, *, limit: int) -> list[dict[str, Any]]:
    """Edges between the two scopes: id, type, other."""
    return rows(tx, "inspect/list_scope_leaks", brain=scope.brain, isTest=scope.is_test, limit=limit)


def list_misfits(tx: ManagedTransaction, scope: Scope, *, limit: int) -> list[dict[str, Any]]:
    """Live memories with a value outside the model."""
    found = rows(tx, "inspect/list_misfits", brain=scope.brain, isTest=scope.is_test, limit=limit)
    return [row["memory"] for row in found]
