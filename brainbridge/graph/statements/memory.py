"""cypher/memory/*.cypher as functions: the life of single memories."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from neo4j import ManagedTransaction

from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier
from brainbridge.graph.records import count, memory, one, rows


@dataclass(frozen=True, slots=True)
class Settled:
    """A memory's effective energy, and the instant it is for."""

    energy: float
    tier: Tier
    at: datetime


@dataclass(frozen=True, slots=True)
class Boosted:
    """One access: energy before and after at the instant `at`."""

    before: float
    after: float
    at: datetime
    tier: Tier
    access_count: int


def create_memories(tx: ManagedTransaction, scope: Scope, *, births: Sequence[Mapping[str, Any]]) -> int:
    """Bear memories; how many were not there before."""
    return count(
        tx,
        "memory/create_memories",
        "created",
        brain=scope.brain,
        isTest=scope.is_test,
        scope=scope.token,
        rows=[dict(birth) for birth in births],
    )


def settle(tx: ManagedTransaction, scope: Scope, *, now: datetime, id: str) -> Settled | None:
    """Lock a live memory and bring its energy to `now`; None if it is not live."""
    row = one(tx, "memory/settle", brain=scope.brain, isTest=scope.is_test, now=now, id=id)
    return Settled(row["energy"], Tier(row["tier"]), row["at"]) if row else None


def boost(tx: ManagedTransaction, scope: Scope, *, id: str, event: str) -> Boosted | None:
    """Add one access to a memory that `settle` has just locked; None if it is not live."""
    row = one(tx, "memory/boost", brain=scope.brain, isTest=scope.is_test, id=id, event=event)
    if row is None:
        return None
    return Boosted(row["before"], row["after"], row["at"], Tier(row["tier"]), row["accessCount"])


def read_memory(tx: ManagedTransaction, scope: Scope, *, id: str) -> Memory | None:
    """One memory in any state."""
    row = one(tx, "memory/read_memory", brain=scope.brain, isTest=scope.is_test, id=id)
    return memory(row["memory"]) if row else None


def find_by_prefix(tx: ManagedTransaction, scope: Scope, *, prefix: str, limit: int) -> list[Memory]:
    """Memories in any state whose id begins with `prefix`."""
    found = rows(tx, "memory/find_by_prefix", brain=scope.brain, isTest=scope.is_test, prefix=prefix, limit=limit)
    return [memory(row["memory"]) for row in found]


def find_by_text(tx: ManagedTransaction, scope: Scope, *, text: str, limit: int) -> list[Memory]:
    """Live memories whose content or subject holds `text`, whatever its case."""
    found = rows(tx, "memory/find_by_text", brain=scope.brain, isTest=scope.is_test, text=text, limit=limit)
    return [memory(row["memory"]) for row in found]


def find_successor(tx: ManagedTransaction, scope: Scope, *, id: str) -> Memory | None:
    """The memory that an archive lives on in."""
    row = one(tx, "memory/find_successor", brain=scope.brain, isTest=scope.is_test, id=id)
    return memory(row["memory"]) if row else None


def list_test_memories(tx: ManagedTransaction, scope: Scope, *, limit: int) -> list[Memory]:
    """Test memories that are not archived, the most energetic first."""
    found = rows(tx, "memory/list_test_memories", brain=scope.brain, isTest=scope.is_test, limit=limit)
    return [memory(row["memory"]) for row in found]


def clear_test_memories(tx: ManagedTransaction, scope: Scope, *, batch: int) -> int:
    """Delete one page of test memories with their ledger; how many."""
    return count(tx, "memory/clear_test_memories", "cleared", brain=scope.brain, isTest=scope.is_test, batch=batch)
