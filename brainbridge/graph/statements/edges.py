"""cypher/edges/*.cypher as functions: the relations that are declared between memories."""

from dataclasses import dataclass
from datetime import datetime

from neo4j import Transaction

from brainbridge.domain.memory import Memory
from brainbridge.domain.relation import Relation
from brainbridge.domain.scope import Scope
from brainbridge.graph.records import count, memory, one, rows


@dataclass(frozen=True, slots=True)
class Declared:
    """What a declaration did. `inert`: an end has expired, so that the relation has no effect until it is restored."""

    created: bool
    inert: bool


@dataclass(frozen=True, slots=True)
class Related:
    """One relation of a memory, seen from it. `outgoing`: this memory says it of the other."""

    relation: Relation
    outgoing: bool
    other: Memory
    created: datetime | None
    declared_by: str | None
    last_applied: datetime | None


def link(
    tx: Transaction,
    scope: Scope,
    *,
    from_id: str,
    relation: Relation,
    to_id: str,
    declared_by: str,
    now: datetime,
) -> Declared | None:
    """Declare a relation; None if an end is missing, archived or out of scope."""
    row = one(
        tx,
        "edges/link",
        brain=scope.brain,
        isTest=scope.is_test,
        **{"from": from_id, "to": to_id},
        relation=relation.name,
        declaredBy=declared_by,
        now=now,
    )
    return Declared(row["created"], row["inert"]) if row else None


def unlink(tx: Transaction, scope: Scope, *, from_id: str, relation: Relation, to_id: str) -> int:
    """Take a relation back; 0 if there was none."""
    return count(
        tx,
        "edges/unlink",
        "removed",
        brain=scope.brain,
        isTest=scope.is_test,
        **{"from": from_id, "to": to_id},
        relation=relation.name,
    )


def list_relations(tx: Transaction, scope: Scope, *, id: str) -> list[Related]:
    """The relations of one memory in both directions, the oldest first."""
    found = rows(tx, "edges/list_relations", brain=scope.brain, isTest=scope.is_test, id=id)
    return [
        Related(
            relation=Relation[row["relation"]],
            outgoing=row["outgoing"],
            other=memory(row["other"]),
            created=row["created"],
            declared_by=row["declaredBy"],
            last_applied=row["lastApplied"],
        )
        for row in found
    ]


def count_relations(tx: Transaction) -> int:
    """Relations that begin at a memory, of every brain."""
    return count(tx, "edges/count_relations", "relations")
