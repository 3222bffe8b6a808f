"""What a brain holds foremost: what a session should begin with when nobody has asked for anything yet."""

from datetime import datetime
from functools import partial

from neo4j import Transaction

from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.graph import law as graph_law
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import config, inspect, runs
from brainbridge.inspection.listing import readable


def foremost(
    graph: Graph, scope: Scope, *, limit: int, least_weight: float, now: datetime | None = None
) -> list[Memory]:
    """The protected memories of a scope, then those of the highest effective energy.

    Args:
        limit: how many at most.
        least_weight: the least display weight (0 to 1) of one that is not protected.
        now: the instant to look at; None: the database server's clock.
    """
    work = partial(_foremost, scope=scope, limit=limit, least_weight=least_weight, now=now)
    return graph.read("inspect/list_foremost", work)


def _foremost(tx: Transaction, *, scope: Scope, limit: int, least_weight: float, now: datetime | None) -> list[Memory]:
    law = graph_law.current(config.read_config(tx, brain=scope.brain), scope.brain).law
    at = now or runs.server_now(tx)
    found = [memory for memory, _ in readable(inspect.list_foremost(tx, scope, limit=limit))]
    seen = [memory for memory in found if memory.core or memory.weight_at(at, law) >= least_weight]
    return sorted(seen, key=lambda memory: (not memory.core, -memory.energy_at(at, law), memory.id))
