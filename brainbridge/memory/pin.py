"""Pin and unpin: a core memory does not decay, expire or promote (R-000-28)."""

from datetime import datetime
from functools import partial
from uuid import uuid4

from brainbridge.domain.errors import Refused
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import memory
from brainbridge.graph.statements.memory import Pinned
from brainbridge.memory.event import expired_since, on_live


def pin(
    graph: Graph, scope: Scope, target: Memory, *, core: bool, now: datetime | None = None
) -> tuple[Memory, Pinned]:
    """Protect `target`, or the memory it lives on in; or let it fade again, from now on.

    Energy and tier stay as they are.

    Args:
        core: True to protect it, False to let it fade.

    Returns:
        The memory as it stood before, and how it stands.

    Raises:
        Refused: it has expired. NotFound: it is archived without a live successor.
    """
    change = partial(memory.pin, core=core, event=str(uuid4()))
    found, done = on_live(graph, scope, target, change, query="memory/pin", now=now)
    if done is None:
        raise Refused(
            f"{expired_since(found)} and cannot be {'pinned' if core else 'unpinned'}. Nothing was changed. "
            "Remember its text again, which brings it back, then pin it."
        )
    return found, done
