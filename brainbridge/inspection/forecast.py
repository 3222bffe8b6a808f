"""What the energies of a scope look like, and which memories come to an end or harden next. Reads only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from neo4j import Transaction

from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import LIVE_TIERS, Tier
from brainbridge.graph.connection import Graph
from brainbridge.graph.law import in_force
from brainbridge.graph.statements import inspect
from brainbridge.inspection.listing import WIDTH, readable

# 24 bars from 0.05 to 10.6: the law's 0.1, 2.0 and 5.0 lie well inside, and what births give too.
LOWEST = 0.05
RATIO = 1.25
BARS = 24
# longTerm never expires.
EXPIRING = (Tier.WORKING, Tier.SHORT_TERM)


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many live memories of each tier lie between two of `edges`: one bar less than there are edges.

    What lies below the first edge is in the first bar, what lies above the last one in the last.
    """

    edges: tuple[float, ...]
    bars: Mapping[Tier, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class NextExpiry:
    """A memory, and when it falls below the expiry threshold if nothing happens; None as in `Memory.expires_at`."""

    memory: Memory
    at: datetime | None


@dataclass(frozen=True, slots=True)
class NextPromotion:
    """A memory, its effective energy, and the threshold above which a run promotes it."""

    memory: Memory
    energy: float
    threshold: float

    @property
    def promotes(self) -> bool:
        """Whether the next run promotes it."""
        return self.energy > self.threshold


@dataclass(frozen=True, slots=True)
class Forecast:
    """One scope at `now`."""

    now: datetime
    histogram: Histogram
    expiries: Sequence[NextExpiry]
    promotions: Sequence[NextPromotion]


def forecast(graph: Graph, scope: Scope, *, limit: int, now: datetime) -> Forecast:
    """The energies of a scope at `now`, and at most `limit` memories of either kind that come next."""
    return graph.read("inspect/count_by_energy", partial(_forecast, scope=scope, limit=limit, now=now))


@dataclass(frozen=True, slots=True)
class Moves:
    """How many memories were promoted into each tier, and how many expired from each, in a time."""

    promoted: Mapping[Tier, int]
    expired: Mapping[Tier, int]


def moves(graph: Graph, scope: Scope, *, since: datetime, until: datetime) -> Moves:
    """What went from tier to tier in a time, by the ledger."""
    found = graph.read("inspect/count_moves", partial(inspect.count_moves, scope=scope, since=since, until=until))
    return Moves(
        {tier: found.get(("promoted", tier), 0) for tier in (Tier.SHORT_TERM, Tier.LONG_TERM)},
        {tier: found.get(("expired", tier), 0) for tier in LIVE_TIERS},
    )


def _forecast(tx: Transaction, *, scope: Scope, limit: int, now: datetime) -> Forecast:
    law = in_force(tx, scope.brain).law
    counts = inspect.count_by_energy(tx, scope, now=now, lowest=LOWEST, ratio=RATIO, bars=BARS)
    fading = inspect.list_ranked(tx, scope, tiers=EXPIRING, now=now, fading=True, limit=limit)
    promotions = inspect.list_next_promotions(tx, scope, now=now, limit=limit, width=WIDTH)
    edges = tuple(LOWEST * RATIO**place for place in range(BARS + 1))
    bars = {tier: tuple(counts.get((tier, bar), 0) for bar in range(BARS)) for tier in LIVE_TIERS}
    next_promotions = [NextPromotion(memory, row["energy"], row["threshold"]) for memory, row in readable(promotions)]
    return Forecast(
        now,
        Histogram(edges, bars),
        [NextExpiry(memory, memory.expires_at(law)) for memory in fading if not memory.core],
        sorted(next_promotions, key=lambda each: -each.energy / each.threshold)[:limit],
    )
