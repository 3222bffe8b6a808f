"""cypher/consolidation/*.cypher as functions: the passes of a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from neo4j import Transaction

from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier
from brainbridge.graph.records import count, one, rows


@dataclass(frozen=True, slots=True)
class DueRelation:
    """A relation to apply: its type in the graph between the ids of its ends (None on a memory without one)."""

    from_id: str | None
    relation: str
    to_id: str | None


@dataclass(frozen=True, slots=True)
class Promoted:
    """How many memories were promoted; of those asked for by id, the id that each lives on with."""

    count: int
    heads: Mapping[str, str]


def count_strays(tx: Transaction) -> int:
    """Memories of any brain that carry no state label."""
    return count(tx, "consolidation/count_strays", "strays")


def lock_strays(
    tx: Transaction, scope: Scope, *, unowned: bool, skip: int, batch: int
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


def adopt(tx: Transaction, scope: Scope, *, adoptions: Sequence[Mapping[str, Any]]) -> int:
    """Complete the strays that `lock_strays` gave; how many were adopted."""
    return count(
        tx, "consolidation/adopt", "adopted", brain=scope.brain, isTest=scope.is_test, rows=[dict(a) for a in adoptions]
    )


def relabel(tx: Transaction, scope: Scope, *, now: datetime, batch: int) -> int:
    """Put right the state labels that hand edits left wrong; how many."""
    return count(
        tx, "consolidation/relabel", "relabelled", brain=scope.brain, isTest=scope.is_test, now=now, batch=batch
    )


def set_aside(tx: Transaction, scope: Scope, *, nodes: Sequence[str]) -> int:
    """Take the live label from memories that this transaction has found spoiled; how many."""
    return count(tx, "consolidation/set_aside", "setAside", brain=scope.brain, isTest=scope.is_test, nodes=list(nodes))


def decay(tx: Transaction, scope: Scope, *, now: datetime, tier: Tier, due_before: datetime, batch: int) -> int:
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


def adopt_relations(tx: Transaction, scope: Scope, *, now: datetime, batch: int) -> int:
    """Complete one page of the relations drawn by hand; how many."""
    return count(
        tx, "consolidation/adopt_relations", "adopted", brain=scope.brain, isTest=scope.is_test, now=now, batch=batch
    )


def find_due_relations(tx: Transaction, scope: Scope, *, now: datetime, batch: int) -> list[DueRelation]:
    """One page of the relations that no pass has looked at on the UTC day of `now`, in the order to apply them."""
    found = rows(tx, "consolidation/find_due_relations", brain=scope.brain, isTest=scope.is_test, now=now, batch=batch)
    return [DueRelation(row["from"], row["relation"], row["to"]) for row in found]


def relate(tx: Transaction, scope: Scope, *, now: datetime, due: DueRelation) -> int:
    """Apply one due relation whose ends are settled; how many memories it bears on, 0 if it is not due any more."""
    return count(
        tx,
        "consolidation/relate",
        "ends",
        brain=scope.brain,
        isTest=scope.is_test,
        now=now,
        **{"from": due.from_id, "to": due.to_id},
        relation=due.relation,
    )


def skip_relations(tx: Transaction, scope: Scope, *, now: datetime, idle: Sequence[DueRelation]) -> int:
    """Note that relations have no effect on the UTC day of `now`; how many."""
    return count(
        tx,
        "consolidation/skip_relations",
        "skipped",
        brain=scope.brain,
        isTest=scope.is_test,
        now=now,
        rows=[{"from": each.from_id, "relation": each.relation, "to": each.to_id} for each in idle],
    )


def expire(
    tx: Transaction, scope: Scope, *, now: datetime, tier: Tier, batch: int, ids: Sequence[str] | None = None
) -> int:
    """Mark one page of a tier's faded memories as expired, or those of `ids`; how many."""
    return count(
        tx,
        "consolidation/expire",
        "expired",
        brain=scope.brain,
        isTest=scope.is_test,
        now=now,
        tier=tier.value,
        batch=batch,
        ids=ids,
    )


def promote(
    tx: Transaction,
    scope: Scope,
    *,
    now: datetime,
    tier: Tier,
    onward: Tier,
    batch: int,
    ids: Sequence[str] | None = None,
) -> Promoted:
    """Promote one page of a tier's strong memories to `onward`, or those of `ids`."""
    row = one(
        tx,
        "consolidation/promote",
        brain=scope.brain,
        isTest=scope.is_test,
        now=now,
        **{"from": tier.value, "to": onward.value},
        batch=batch,
        ids=ids,
    )
    assert row is not None  # it ends in an aggregation
    return Promoted(row["promoted"], {each["id"]: each["head"] for each in row["heads"]})
