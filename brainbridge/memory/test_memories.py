"""Test memories: made with any energy and tier, listed, and cleared; real memories are out of reach from here."""

from datetime import datetime
from functools import partial

from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import memory
from brainbridge.memory.note import Remembered
from brainbridge.memory.remember import remember_exactly

CLEAR_BATCH = 1_000


def create(
    graph: Graph,
    brain: str,
    content: str,
    *,
    energy: float,
    tier: str,
    now: datetime | None = None,
    allow_secret: bool = False,
) -> Remembered:
    """A test memory with exactly this energy and tier.

    Raises:
        InvalidValue: an unknown tier, a negative or non-finite energy, bad content. Refused: the content holds a
            secret. Nothing is written.
    """
    if tier not in tuple(Tier):
        raise InvalidValue(f"{tier!r} is not a tier. Use one of {', '.join(Tier)}.")
    scope = Scope(brain, is_test=True)
    return remember_exactly(graph, scope, content, energy=energy, tier=Tier(tier), now=now, allow_secret=allow_secret)


def listed(graph: Graph, brain: str, *, limit: int) -> list[Memory]:
    """Test memories that are not archived, the most energetic first."""
    scope = Scope(brain, is_test=True)
    return graph.read("memory/list_test_memories", partial(memory.list_test_memories, scope=scope, limit=limit))


def clear(graph: Graph, brain: str) -> int:
    """Delete every test memory of a brain with its ledger, in batches; how many."""
    scope = Scope(brain, is_test=True)
    work = partial(memory.clear_test_memories, scope=scope, batch=CLEAR_BATCH)
    total = 0
    while cleared := graph.write("memory/clear_test_memories", work):
        total += cleared
    return total
