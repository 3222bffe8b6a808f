"""Boost: one access, worth +1.0."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from uuid import uuid4

from neo4j import Transaction

from brainbridge.domain.errors import NotFound
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.graph import transitions
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import memory
from brainbridge.graph.statements.memory import Boosted, Settled
from brainbridge.memory.event import expired_since, on_live


def boost(graph: Graph, scope: Scope, target: Memory, *, now: datetime | None = None) -> tuple[Memory, Boosted]:
    """Add one access to `target`, or to the memory it lives on in.

    Returns:
        The memory that was boosted as it stood before, and what the boost did, with the id that it lives on with.

    Raises:
        NotFound: it has expired, or it is archived without a live successor.
    """
    change = partial(_boosted, event=str(uuid4()))
    found, done = on_live(graph, scope, target, change, query="memory/boost", now=now)
    if done is None:
        raise NotFound(
            f"{expired_since(found)} and cannot be boosted. "
            "Nothing was changed: an expired memory no longer fades, and no longer hardens."
        )
    return found, done


def _boosted(tx: Transaction, *, scope: Scope, id: str, settled: Settled, event: str) -> Boosted | None:
    done = memory.boost(tx, scope, id=id, event=event)
    if done is None:
        return None
    head = transitions.risen(tx, scope, id=id, settled=settled, energy=done.after)
    return replace(done, id=head.id, tier=head.tier)
