"""cypher/config/*.cypher as functions: the constants of the law, versioned in the graph."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from neo4j import Transaction

from brainbridge.graph.records import count, rows


def read_config(tx: Transaction, *, brain: str) -> list[dict[str, Any]]:
    """The properties of each current ConsolidationConfig of a brain: one in a healthy store."""
    return [row["config"] for row in rows(tx, "config/read_config", brain=brain)]


def read_law(tx: Transaction, *, brain: str) -> tuple[list[dict[str, Any]], datetime]:
    """The properties of each current ConsolidationConfig of a brain, and the server's clock."""
    (row,) = rows(tx, "config/read_law", brain=brain)
    return row["configs"], row["now"]


def list_configs(tx: Transaction, *, brain: str) -> list[dict[str, Any]]:
    """Every version, newest first."""
    return [row["config"] for row in rows(tx, "config/list_configs", brain=brain)]


def ensure_config(tx: Transaction, *, brain: str, now: datetime, constants: Mapping[str, float | str]) -> int:
    """Give a brain its first constants, or the missing ones; the version in force."""
    return count(tx, "config/ensure_config", "version", brain=brain, now=now, constants=dict(constants))


def write_config(
    tx: Transaction, *, brain: str, now: datetime, version: int, changes: Mapping[str, float | str]
) -> int:
    """Close version `version` and open the next; its number, or 0 if `version` is no longer current."""
    return count(tx, "config/write_config", "version", brain=brain, now=now, version=version, changes=dict(changes))
