"""Pin and unpin: a core memory does not decay, expire or promote (R-000-28)."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from uuid import uuid4

from neo4j import Transaction

from brainbridge.domain.errors import Refused
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.graph import transitions
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import memory
from brainbridge.graph.statements.memory import Pinned, Settled
from brainbridge.memory.event import expired_since, on_live


def pin(
    graph: Graph, scope: Scope, target: Memory, *, core: bool, now: datetime | None = None
) -> tuple[Memory, Pinned]:
    """Protect `target`, or the memory it lives on in; or let it fade again, from now on.

    Energy and tier stay as they are; but where events promote, one that is let go above its threshold is promoted.

    Args:
        core: True to protect it, False to let it fade.

    Returns:
        The memory as it stood before, and how it stands.

    Raises:
        Refused: it has expired. NotFound: it is archived without a live successor.
    """
    change = partial(_pinned, core=core, event=str(uuid4()))
    found, done = on_live(graph, scope, target, change, query="memory/pin", now=now)
    if done is None:
        raise Refused(
            f"{expired_since(found)} and cannot be {'pinned' if core else 'unpinned'}. Nothing was changed. "
            "Remember its text again, which brings it back, then pin it."
        )
    return found, done


def _pinned(tx: Transaction, *, scope: Scope, id: str, settled: Settled, core: bool, event: str) -> Pinned | None:
    done = memory.pin(tx, scope, id=id, core=core, event=event)
    if done is None:
        return None
    # Let go above its threshold, it is promoted where events promote, as a run would at this instant.
    head = transitions.risen(tx, scope, id=id, settled=settled, energy=done.energy)
    return replace(done, id=head.id, tier=head.tier)
