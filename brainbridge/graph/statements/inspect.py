"""cypher/inspect/*.cypher as functions: reading, for people and for health."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from neo4j import Transaction

from brainbridge.domain.ledger import Event, Standing
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier
from brainbridge.graph.records import count, memory, one, rows


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


@dataclass(frozen=True, slots=True)
class Replacement:
    """One SUPERSEDED_BY: the memory at its other end, when it was drawn, and why."""

    id: str
    at: datetime
    reason: str | None


@dataclass(frozen=True, slots=True)
class Record:
    """One memory whole. `properties` are all it has, under their names in the graph."""

    memory: Memory
    properties: dict[str, Any]
    supersedes: tuple[Replacement, ...]
    superseded_by: Replacement | None
    promoted_to: str | None


@dataclass(frozen=True, slots=True)
class Ledger:
    """A memory's events, in no order, and what it carries; `stored.at` is its lastDecay."""

    id: str
    stored: Standing
    events: tuple[Event, ...]


def status(tx: Transaction, scope: Scope, *, now: datetime) -> dict[str, TierCount]:
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


def count_memories(tx: Transaction, scope: Scope) -> int:
    """Memories that are not archived."""
    return count(tx, "inspect/count_memories", "memories", brain=scope.brain, isTest=scope.is_test)


def count_by_tier(tx: Transaction, scope: Scope) -> dict[str, int]:
    """Memories by tier, with `expired` and `archived`."""
    found = rows(tx, "inspect/count_by_tier", brain=scope.brain, isTest=scope.is_test)
    return {row["tier"]: row["memories"] for row in found}


def live_memories(tx: Transaction, scope: Scope, *, limit: int) -> list[dict[str, Any]]:
    """The live memories' properties, the most energetic first."""
    found = rows(tx, "inspect/live_memories", brain=scope.brain, isTest=scope.is_test, limit=limit)
    return [dict(row["m"]) for row in found]


def list_foremost(tx: Transaction, scope: Scope, *, limit: int) -> list[dict[str, Any]]:
    """The protected live memories, then the most energetic ones by stored energy: memory (properties)."""
    return rows(tx, "inspect/list_foremost", brain=scope.brain, isTest=scope.is_test, limit=limit)


def list_ranked(
    tx: Transaction, scope: Scope, *, tiers: Sequence[Tier], now: datetime, fading: bool, limit: int
) -> list[Memory]:
    """The memories of some tiers by their energy at `now`, the highest first, or by how soon they expire."""
    found = rows(
        tx,
        "inspect/list_ranked",
        brain=scope.brain,
        isTest=scope.is_test,
        tiers=[tier.value for tier in tiers],
        now=now,
        fading=fading,
        limit=limit,
    )
    return [memory(row["memory"]) for row in found]


def promotion_history(tx: Transaction, scope: Scope, *, limit: int) -> list[Any]:
    """Every promotion as a path, newest first."""
    found = rows(tx, "inspect/promotion_history", brain=scope.brain, isTest=scope.is_test, limit=limit)
    return [row["step"] for row in found]


def lineage(tx: Transaction, scope: Scope, *, id: str) -> list[dict[str, Any]]:
    """One memory's way through the tiers, oldest first: id, tier, energy, since, until."""
    return rows(tx, "inspect/lineage", brain=scope.brain, isTest=scope.is_test, id=id)


def record(tx: Transaction, scope: Scope, *, id: str) -> Record | None:
    """One memory in any state, with all its properties and what it replaced or was replaced by."""
    row = one(tx, "inspect/record", brain=scope.brain, isTest=scope.is_test, id=id)
    if row is None:
        return None
    return Record(
        memory=memory(row["properties"]),
        properties=row["properties"],
        supersedes=tuple(Replacement(**old) for old in row["supersedes"]),
        superseded_by=next((Replacement(**new) for new in row["supersededBy"]), None),
        promoted_to=row["promotedTo"],
    )


def ledger(tx: Transaction, scope: Scope, *, id: str) -> list[Event]:
    """The events of one memory, by their instants; `domain/ledger.py` puts those of one instant in order."""
    found = rows(tx, "inspect/ledger", brain=scope.brain, isTest=scope.is_test, id=id)
    return [_event(row) for row in found]


def ledgers(tx: Transaction, scope: Scope, *, after: str, batch: int) -> list[Ledger]:
    """One page of a scope's memories in any state, by id, each with its events."""
    found = rows(tx, "inspect/ledgers", brain=scope.brain, isTest=scope.is_test, after=after, batch=batch)
    return [_ledger(row["memory"], row["events"]) for row in found]


def _event(row: dict[str, Any]) -> Event:
    return Event(row["kind"], row["at"], row["before"], row["after"], Tier(row["tier"]))


def _ledger(found: dict[str, Any], events: list[dict[str, Any]]) -> Ledger:
    stored = Standing(
        found["lastDecay"], found["energy"], Tier(found["tier"]), found["core"] is True, archived=found["archived"]
    )
    return Ledger(found["id"], stored, tuple(_event(event) for event in events))


def list_strays(tx: Transaction, scope: Scope, *, limit: int) -> list[dict[str, Any]]:
    """The properties of memories without a state label, of this brain or of none."""
    found = rows(tx, "inspect/list_strays", brain=scope.brain, isTest=scope.is_test, limit=limit)
    return [row["properties"] for row in found]


def list_scope_leaks(tx: Transaction, scope: Scope, *, limit: int) -> list[dict[str, Any]]:
    """Edges between the two scopes: id, type, other."""
    return rows(tx, "inspect/list_scope_leaks", brain=scope.brain, isTest=scope.is_test, limit=limit)


def list_misfits(tx: Transaction, scope: Scope, *, limit: int) -> list[dict[str, Any]]:
    """Live memories with values outside the model: node, id, wrong (the names of the properties), values."""
    return rows(tx, "inspect/list_misfits", brain=scope.brain, isTest=scope.is_test, limit=limit)


def count_bare_relations(tx: Transaction, scope: Scope) -> int:
    """Relations that were drawn by hand and not yet adopted."""
    return count(tx, "inspect/count_bare_relations", "relations", brain=scope.brain, isTest=scope.is_test)


def count_due_relations(tx: Transaction, scope: Scope, *, now: datetime) -> int:
    """Relations that a run at `now` would apply."""
    return count(tx, "inspect/count_due_relations", "relations", brain=scope.brain, isTest=scope.is_test, now=now)


def list_vain_contradictions(tx: Transaction, scope: Scope, *, limit: int) -> list[dict[str, Any]]:
    """Contradictions of core memories: core, other."""
    return rows(tx, "inspect/list_vain_contradictions", brain=scope.brain, isTest=scope.is_test, limit=limit)


def count_by_energy(
    tx: Transaction, scope: Scope, *, now: datetime, lowest: float, ratio: float, bars: int
) -> dict[tuple[str, int], int]:
    """Live memories by (tier, bar); empty bars are left out."""
    found = rows(
        tx,
        "inspect/count_by_energy",
        brain=scope.brain,
        isTest=scope.is_test,
        now=now,
        lowest=lowest,
        ratio=ratio,
        bars=bars,
    )
    return {(row["tier"], row["bar"]): row["memories"] for row in found}


def list_next_promotions(
    tx: Transaction, scope: Scope, *, now: datetime, limit: int, width: int
) -> list[dict[str, Any]]:
    """The memories nearest to their threshold or above it: memory (properties), energy, threshold."""
    return rows(
        tx, "inspect/list_next_promotions", brain=scope.brain, isTest=scope.is_test, now=now, limit=limit, width=width
    )


def count_moves(tx: Transaction, scope: Scope, *, since: datetime, until: datetime) -> dict[tuple[str, str], int]:
    """By `promoted` and the tier that memories came to, and by `expired` and the tier they fell from."""
    found = rows(tx, "inspect/count_moves", brain=scope.brain, isTest=scope.is_test, since=since, until=until)
    return {(row["kind"], row["tier"]): row["moves"] for row in found}


def list_live(
    tx: Transaction, scope: Scope, *, tier: str | None, after: str, limit: int, looked: int, width: int
) -> tuple[list[dict[str, Any]], str | None]:
    """Properties of live memories by id, one more than `limit` if there are; and the last id that was looked at."""
    row = one(
        tx,
        "inspect/list_live",
        brain=scope.brain,
        isTest=scope.is_test,
        tier=tier,
        after=after,
        limit=limit,
        looked=looked,
        width=width,
    )
    assert row is not None  # an aggregation gives one row always
    return row["memories"], row["lastLooked"]


def list_expired(
    tx: Transaction, scope: Scope, *, before: datetime, after: str, limit: int, width: int
) -> list[dict[str, Any]]:
    """Expired memories, the last first: memory (properties), gone."""
    return rows(
        tx,
        "inspect/list_expired",
        brain=scope.brain,
        isTest=scope.is_test,
        before=before,
        after=after,
        limit=limit,
        width=width,
    )


def list_archived(
    tx: Transaction, scope: Scope, *, before: datetime, after: str, limit: int, width: int
) -> list[dict[str, Any]]:
    """The archive, the last first: memory (properties), gone."""
    return rows(
        tx,
        "inspect/list_archived",
        brain=scope.brain,
        isTest=scope.is_test,
        before=before,
        after=after,
        limit=limit,
        width=width,
    )
