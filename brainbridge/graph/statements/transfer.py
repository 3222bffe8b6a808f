"""cypher/transfer/*.cypher as functions: memories whole, for export and import.

What they return keeps the driver's own values: `graph/portable.py` makes JSON of them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from neo4j import Transaction

from brainbridge.domain.scope import Scope
from brainbridge.graph.cypher import statement
from brainbridge.graph.records import count, one, rows

Row = Mapping[str, Any]


def list_page(tx: Transaction, scope: Scope, *, after: str, batch: int) -> list[tuple[str, int]]:
    """One page of memories in the order of their ids: (id, characters of content)."""
    found = rows(tx, "transfer/list_page", brain=scope.brain, isTest=scope.is_test, after=after, batch=batch)
    return [(row["id"], row["characters"]) for row in found]


def read_memories(tx: Transaction, scope: Scope, *, ids: Sequence[str]) -> list[dict[str, Any]]:
    """Memories with their ledger, sources, and edges to memories that are not after them."""
    parameters = {"brain": scope.brain, "isTest": scope.is_test, "ids": list(ids)}
    return [dict(record) for record in tx.run(statement("transfer/read_memories").text, parameters)]


def find_memories(tx: Transaction, scope: Scope, *, ids: Sequence[str]) -> list[dict[str, Any]]:
    """Which ids are taken: id, ours, names, values."""
    parameters = {"brain": scope.brain, "isTest": scope.is_test, "ids": list(ids)}
    return [dict(record) for record in tx.run(statement("transfer/find_memories").text, parameters)]


def find_rivals(tx: Transaction, scope: Scope, *, promoted: Sequence[Row], texts: Sequence[Row]) -> set[str]:
    """The ids of those new memories that live on here under another id, by their lineage or by their text."""
    found = rows(
        tx,
        "transfer/find_rivals",
        brain=scope.brain,
        isTest=scope.is_test,
        promoted=list(promoted),
        texts=list(texts),
    )
    return {row["id"] for row in found}


def create_memories(tx: Transaction, scope: Scope, *, memories: Sequence[Row]) -> int:
    """Write memories with their ledgers; how many."""
    return count(
        tx,
        "transfer/create_memories",
        "created",
        brain=scope.brain,
        isTest=scope.is_test,
        scope=scope.token,
        rows=list(memories),
    )


def create_relations(tx: Transaction, scope: Scope, *, relations: Sequence[Row]) -> tuple[int, int]:
    """Write edges between memories: (those whose two ends are here, those of them that were made)."""
    row = one(tx, "transfer/create_relations", brain=scope.brain, isTest=scope.is_test, rows=list(relations))
    assert row is not None  # an aggregation always gives one row
    return row["found"], row["created"]


def find_sources(
    tx: Transaction, scope: Scope, *, labels: Sequence[str], ids: Sequence[Any], lookalikes: Sequence[Row]
) -> list[dict[str, Any]]:
    """Nodes with these labels by their own ids, or by all their properties: node, id, names, values."""
    parameters = {
        "brain": scope.brain,
        "isTest": scope.is_test,
        "labels": list(labels),
        "ids": list(ids),
        "lookalikes": [dict(row) for row in lookalikes],
    }
    return [dict(record) for record in tx.run(statement("transfer/find_sources").text, parameters)]


def create_sources(tx: Transaction, *, labels: Sequence[str], sources: Sequence[Row]) -> list[str]:
    """Make nodes with these labels; their handles, in the order of `sources`."""
    return [row["node"] for row in rows(tx, "transfer/create_sources", labels=list(labels), rows=list(sources))]


def link_sources(tx: Transaction, scope: Scope, *, links: Sequence[Row]) -> int:
    """Join memories to the nodes they came from; how many edges were made."""
    return count(tx, "transfer/link_sources", "linked", brain=scope.brain, isTest=scope.is_test, rows=list(links))


def list_configs(tx: Transaction, *, brain: str) -> list[dict[str, Any]]:
    """Every version of a brain's constants, oldest first: names, values."""
    return [dict(record) for record in tx.run(statement("transfer/list_configs").text, {"brain": brain})]


def write_configs(tx: Transaction, *, brain: str, versions: Sequence[Row]) -> int:
    """Put versions in the place of a brain's first one; 0 if it is not the only one."""
    return count(tx, "transfer/write_configs", "written", brain=brain, rows=list(versions))
