"""cypher/brains/*.cypher as functions: the registry of brains."""

from datetime import datetime

from neo4j import Transaction

from brainbridge.graph.records import changes, rows


def list_brains(tx: Transaction) -> list[str]:
    """The names of all registered brains, sorted."""
    return [row["name"] for row in rows(tx, "brains/list_brains")]


def register_brain(tx: Transaction, *, brain: str, now: datetime) -> bool:
    """Make a brain known; False if it was."""
    return changes(tx, "brains/register_brain", brain=brain, now=now).nodes_created > 0
