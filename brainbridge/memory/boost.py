"""Boost: one access, worth +1.0."""

from datetime import datetime
from functools import partial
from uuid import uuid4

from neo4j import ManagedTransaction

from brainbridge.domain.errors import NotFound
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import memory
from brainbridge.graph.statements.memory import Boosted

# A promotion while we wait for its lock gives the memory a new id; following it once or twice is the rule.
ATTEMPTS = 5


def boost(graph: Graph, scope: Scope, target: Memory, *, now: datetime | None = None) -> tuple[Memory, Boosted]:
    """Add one access to `target`, or to the memory it lives on in.

    Returns:
        The memory that was boosted as it stood before, and what the boost did.

    Raises:
        NotFound: it has expired, or it is archived without a live successor.
    """
    event = str(uuid4())
    for _ in range(ATTEMPTS):
        instant = now or graph.now()
        work = partial(_settle_and_boost, scope=scope, now=instant, id=target.id, event=event)
        done = graph.write("memory/boost", work)
        if done is not None:
            return target, done
        target = _head(graph, scope, target)
    raise NotFound(f"memory {target.id} is promoted faster than it can be boosted. Try again.")


def _settle_and_boost(tx: ManagedTransaction, *, scope: Scope, now: datetime, id: str, event: str) -> Boosted | None:
    if memory.settle(tx, scope, now=now, id=id) is None:
        return None
    return memory.boost(tx, scope, id=id, event=event)


def _head(graph: Graph, scope: Scope, target: Memory) -> Memory:
    """The live memory that `target` has become.

    Raises:
        NotFound: there is none.
    """
    current = graph.read("memory/read_memory", partial(memory.read_memory, scope=scope, id=target.id))
    if current is not None and current.valid_to is not None:
        current = graph.read("memory/find_successor", partial(memory.find_successor, scope=scope, id=target.id))
    if current is None:
        raise NotFound(f"memory {target.id} no longer exists, or has no live successor. Nothing was changed.")
    if not current.live:
        raise NotFound(
            f"memory {current.id} expired on {current.expired_at:%Y-%m-%d} and cannot be boosted. "
            "Nothing was changed: an expired memory no longer fades, and no longer hardens."
            if current.expired_at
            else f"memory {current.id} has expired and cannot be boosted. Nothing was changed."
        )
    return current
