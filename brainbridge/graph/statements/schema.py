"""cypher/schema/*.cypher as functions. Constraints and indexes are run by name; see graph/schema.py."""

from datetime import datetime

from neo4j import Transaction

from brainbridge.graph.records import count, one, rows


def read_version(tx: Transaction) -> int | None:
    """The schema the store was brought to; None if it was never prepared."""
    row = one(tx, "schema/read_version")
    return row["version"] if row else None


def write_version(tx: Transaction, *, version: int, now: datetime) -> int:
    """Record the schema version; never lowers it."""
    return count(tx, "schema/write_version", "version", version=version, now=now)


def ensure(tx: Transaction, name: str) -> None:
    """Run one constraint or index, such as `schema/memory_id`."""
    rows(tx, name)


def await_indexes(tx: Transaction, *, seconds: int) -> None:
    """Wait until every index is online."""
    rows(tx, "schema/await_indexes", seconds=seconds)


def list_constraints(tx: Transaction) -> frozenset[str]:
    """The names of the constraints in force."""
    return frozenset(row["name"] for row in rows(tx, "schema/list_constraints"))
