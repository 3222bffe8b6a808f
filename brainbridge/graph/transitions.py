"""What an event does beside its own arithmetic where events promote (promotionBasis event): expire and promote at once.

The law of both stands in cypher/consolidation/expire and promote, which a run applies to pages and an event to its own
memory. Where runs promote, these functions only settle.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from neo4j import Transaction

from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier
from brainbridge.graph.statements import consolidation, memory, runs
from brainbridge.graph.statements.memory import Settled


@dataclass(frozen=True, slots=True)
class Head:
    """The id and the tier that a memory lives on with."""

    id: str
    tier: Tier


def settle(tx: Transaction, scope: Scope, *, now: datetime | None, id: str) -> Settled | None:
    """Lock a live memory and bring its energy to `now`; None if it is not live, or has faded and was just marked so.

    Args:
        now: None means the database server's clock, asked in this transaction.
    """
    found = memory.settle(tx, scope, now=now or runs.server_now(tx), id=id)
    if found is None or not found.faded:
        return found
    marked = consolidation.expire(tx, scope, now=found.at, tier=found.tier, batch=1, ids=[id])
    return None if marked else found


def risen(tx: Transaction, scope: Scope, *, id: str, settled: Settled, energy: float) -> Head:
    """What the memory `id` lives on as, now that an event has left it with `energy`.

    Args:
        settled: how it stood before the event.
    """
    unchanged = Head(id, settled.tier)
    if settled.promotes_above is None or energy <= settled.promotes_above:
        return unchanged
    return lifted(tx, scope, ids=[id], tier=settled.tier, at=settled.at).get(id, unchanged)


def lifted(tx: Transaction, scope: Scope, *, ids: Sequence[str], tier: Tier, at: datetime) -> dict[str, Head]:
    """Promote the memories of `tier` that stand above its threshold, and again if above the next one too.

    Returns:
        What those that were promoted live on as, by the id that each had.
    """
    heads: dict[str, Head] = {}
    first = {id_: id_ for id_ in ids}  # by the id of the moment, the one it had
    while first and (onward := tier.next) is not None:
        done = consolidation.promote(tx, scope, now=at, tier=tier, onward=onward, batch=len(first), ids=list(first))
        first = {head: first[id_] for id_, head in done.heads.items()}
        heads |= {began: Head(head, onward) for head, began in first.items()}
        tier = onward
    return heads
