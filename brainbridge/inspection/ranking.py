"""Memories in an order: what stands highest, or what fades away soonest."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from neo4j import Transaction

from brainbridge.domain.energy import Law
from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier
from brainbridge.graph.connection import Graph
from brainbridge.graph.law import in_force_now
from brainbridge.graph.statements import inspect

LIMIT = 25
MOST = 10_000


@dataclass(frozen=True, slots=True)
class Ranking:
    """The first memories of a scope in an order, at `now` and by `law`; `truncated` says that there are more."""

    scope: Scope
    now: datetime
    law: Law
    memories: tuple[Memory, ...]
    truncated: bool


def ranked(
    graph: Graph, scope: Scope, *, tiers: Sequence[Tier], fading: bool, limit: int, now: datetime | None = None
) -> Ranking:
    """The memories of `tiers`; reads only.

    Args:
        fading: those first that expire soonest if nothing happens; else those of the highest energy.
        limit: 1 to 10,000.

    Raises:
        InvalidValue: another limit.
    """
    if not 1 <= limit <= MOST:
        raise InvalidValue(f"the limit cannot be {limit:,}: it must be from 1 to {MOST:,}.")
    work = partial(_ranking, scope=scope, tiers=tiers, fading=fading, limit=limit, now=now)
    return graph.read("inspect/list_ranked", work)


def _ranking(
    tx: Transaction, *, scope: Scope, tiers: Sequence[Tier], fading: bool, limit: int, now: datetime | None
) -> Ranking:
    version, clock = in_force_now(tx, scope.brain)
    law, at = version.law, now or clock
    found = inspect.list_ranked(tx, scope, tiers=tiers, now=at, fading=fading, limit=limit + 1)
    return Ranking(scope, at, law, tuple(found[:limit]), len(found) > limit)
