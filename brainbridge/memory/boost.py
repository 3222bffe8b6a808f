"""Boost: one access, worth +1.0."""

from datetime import datetime
from functools import partial
from uuid import uuid4

from brainbridge.domain.errors import NotFound
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import memory
from brainbridge.graph.statements.memory import Boosted
from brainbridge.memory.event import expired_since, on_live


def boost(graph: Graph, scope: Scope, target: Memory, *, now: datetime | None = None) -> tuple[Memory, Boosted]:
    """Add one access to `target`, or to the memory it lives on in.

    Returns:
        The memory that was boosted as it stood before, and what the boost did.

    Raises:
        NotFound: it has expired, or it is archived without a live successor.
    """
    change = partial(memory.boost, event=str(uuid4()))
    found, done = on_live(graph, scope, target, change, query="memory/boost", now=now)
    if done is None:
        raise NotFound(
            f"{expired_since(found)} and cannot be boosted. "
            "Nothing was changed: an expired memory no longer fades, and no longer hardens."
        )
    return found, done
