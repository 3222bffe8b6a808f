"""Rows become values here, by column name, never by position; and values become parameters."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from neo4j import SummaryCounters, Transaction
from neo4j.time import Date, DateTime

from brainbridge.domain.clock import aware
from brainbridge.domain.errors import Misshapen
from brainbridge.domain.memory import Memory
from brainbridge.domain.tier import Tier
from brainbridge.graph.cypher import statement

# Most values are of these kinds, and need no second look.
_PLAIN = frozenset({str, int, float, bool, type(None)})


def rows(tx: Transaction, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
    """Run the statement `name` and return its rows as dicts, instants as aware UTC datetimes.

    Raises:
        InvalidValue: a parameter is an instant without a zone.
    """
    for value in parameters.values():
        if isinstance(value, datetime):
            aware(value)
    result = tx.run(statement(name).text, parameters)
    columns = result.keys()
    return [{column: native(record[column]) for column in columns} for record in result]


def one(tx: Transaction, name: str, /, **parameters: Any) -> dict[str, Any] | None:
    """The first row of the statement `name`, or None if it gave none."""
    found = rows(tx, name, **parameters)
    return found[0] if found else None


def count(tx: Transaction, name: str, column: str, /, **parameters: Any) -> int:
    """The integer in `column` of a statement that returns one row; 0 if it returned none."""
    row = one(tx, name, **parameters)
    return int(row[column]) if row else 0


def changes(tx: Transaction, name: str, /, **parameters: Any) -> SummaryCounters:
    """Run the statement `name` for what it changed, by the server's own count."""
    return tx.run(statement(name).text, parameters).consume().counters


def native(value: Any) -> Any:
    """A driver value as plain Python: instants as aware UTC datetimes, containers converted within."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, DateTime):
        instant = value.to_native()
        return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)
    if isinstance(value, Date):
        return value.to_native()
    if isinstance(value, dict):
        return {key: native(item) for key, item in value.items()}
    if isinstance(value, list):
        return [native(item) for item in value]
    return value


def iso(instant: datetime) -> str:
    """An instant as the text that `datetime()` in Cypher reads back exactly. Raises InvalidValue without a zone."""
    return aware(instant).astimezone(UTC).isoformat(timespec="microseconds")


def memory(properties: Mapping[str, Any]) -> Memory:
    """A memory from its properties; a hand-made one may lack ours.

    Raises:
        Misshapen: a hand edit took away or spoiled what every memory has.
    """
    try:
        # A statement that names properties gives null for what is not there, and `.*` leaves it out: one and the same.
        return _memory({name: value for name, value in properties.items() if value is not None})
    except (KeyError, TypeError, ValueError) as error:
        raise misshapen(properties.get("id"), error) from error


def misshapen(id: str | None, what: object) -> Misshapen:
    """The error for a memory that a hand edit spoiled.

    Args:
        what: what is wrong with it, in a few words.
    """
    return Misshapen(
        f"memory {id!r} has a value outside the model ({what}). Nothing was changed. `brainbridge consolidate` repairs "
        "what can be read; `brainbridge health` says how to mend the rest."
    )


def _memory(properties: Mapping[str, Any]) -> Memory:
    get = properties.get
    created: datetime = properties["created"]
    energy: Any = get("energy")
    for name, instant in {"created": created, "lastDecay": get("lastDecay") or created}.items():
        if not isinstance(instant, datetime):
            raise TypeError(f"{name} is {instant!r}, not an instant")
    if not isinstance(properties["id"], str):
        raise TypeError(f"id is {properties['id']!r}, not text")
    if not isinstance(properties["content"], str):
        raise TypeError(f"content is {properties['content']!r}, not text")
    if isinstance(energy, bool) or not isinstance(energy, int | float) or not 0 <= energy < math.inf:
        raise ValueError(f"energy is {energy!r}, not a number of at least 0")
    return Memory(
        id=properties["id"],
        content=properties["content"],
        tier=Tier(properties["tier"]),
        energy=float(energy),
        created=created,
        last_accessed=get("lastAccessed") or created,
        last_decay=get("lastDecay") or created,
        access_count=int(get("accessCount") or 0),
        is_test=bool(get("isTest")),
        brain=properties["brain"],
        memory_type=get("memoryType"),
        source_node_id=get("sourceNodeId"),
        valid_from=get("validFrom"),
        valid_to=get("validTo"),
        subject=get("subject"),
        producer=get("producer"),
        core=get("core") is True,
        updated_at=get("updatedAt"),
        expired_at=get("expiredAt"),
        expired_from=get("expiredFrom"),
        promoted_from=get("promotedFrom"),
        root=get("root"),
        last_opened=get("lastOpened"),
        forgotten_reason=get("forgottenReason"),
    )
