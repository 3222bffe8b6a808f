"""cypher/consolidation/*.cypher as functions: the passes of a run."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from neo4j import ManagedTransaction

from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier
from brainbridge.graph.records import count, rows


def count_strays(tx: ManagedTransaction) -> int:
    """Memories of any brain that carry no state label."""
    return count(tx, "consolidation/count_strays", "strays")


def lock_strays(
    tx: ManagedTransaction, scope: Scope, *, unowned: bool, skip: int, batch: int
) -> list[tuple[str, dict[str, Any]]]:
    """One page of strays, locked: (node handle for `adopt` in the same transaction, properties)."""
    found = rows(
        tx,
        "consolidation/lock_strays",
        brain=scope.brain,
        isTest=scope.is_test,
        unowned=unowned,
        skip=skip,
        batch=batch,
    )
    return [(row["node"], row["properties"]) for row in found]


def adopt(tx: ManagedTransaction, scope: Scope, *, adoptions: Sequence[Mapping[str, Any]]) -> int:
    """Complete the strays that `lock_strays` gave; how many were adopted."""
    return count(
        tx, "consolidation/adopt", "adopted", brain=scope.brain, isTest=scope.is_test, rows=[dict(a) for a in adoptions]
    )


def relabel(tx: ManagedTransaction, scope: Scope, *, now: datetime, batch: int) -> int:
    """Put right the state labels that hand edits left wrong; how many."""
    return count(
        tx, "consolidation/relabel", "relabelled", brain=scope.brain, isTest=scope.is_test, now=now, batch=batch
    )


def decay(tx: ManagedTransaction, scope: Scope, *, now: datetime, tier: Tier, due_before: datetime, batch: int) -> int:
    """Settle one page of a tier at `now`; how many memories it met."""
    return count(
        tx,
        "consolidation/decay",
        "decayed",
        brain=scope.brain,
        isTest=scope.is_test,
        now=now,
        tier=tier.value,
        dueBefore=due_before,
        batch=batch,
    )


def expire(tx: ManagedTransaction, scope: Scope, *, now: datetime, tier: Tier, batch: int) -> int:
    """Mark one page of a tier's faded memories as expired; how many."""
    return count(
        tx,
        "consolidation/expire",
        "expired",
        brain=scope.brain,
        isTest=scope.is_test,
        now=now,
        tier=tier.value,
        batch=batch,
    )


def promote(tx: ManagedTransaction, scope: Scope, *, now: datetime, tier: Tier, onward: Tier, batch: int) -> int:
    """Promote one page of a tier's strong memories to `onward`; how many."""
    return count(
        tx,
        "consolidation/promote",
        "promoted",
        brain=scope.brain,
        isTest=scope.is_test,
        now=now,
        **{"from": tier.value, "to": onward.value},
        batch=batch,
    )
