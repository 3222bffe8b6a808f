"""Status: how many memories stand where, at which energy, and what comes next."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import inspect
from brainbridge.graph.statements.inspect import TierCount


@dataclass(frozen=True, slots=True)
class Status:
    """One scope of a brain at the instant `now`.

    `tiers` has the four tiers; energies are effective ones. `next_expiry` is when the next untouched memory falls below
    the expiry threshold; `next_promotion` is `now` if a run would promote something, None if not (energy only falls).
    """

    scope: Scope
    now: datetime
    tiers: Mapping[str, TierCount]
    archived: int
    test_count: int
    next_expiry: datetime | None

    @property
    def total(self) -> int:
        """Memories that are not archived, expired ones among them, as document 004 counts."""
        return sum(tier.memories for tier in self.tiers.values())

    @property
    def promotable(self) -> int:
        """Memories that a run at `now` would promote."""
        return sum(tier.promotable for tier in self.tiers.values())

    @property
    def expirable(self) -> int:
        """Memories that a run at `now` would expire."""
        return sum(tier.expirable for tier in self.tiers.values())

    @property
    def next_promotion(self) -> datetime | None:
        """`now` if a run would promote something; None if not."""
        return self.now if self.promotable else None


def status(graph: Graph, scope: Scope, *, now: datetime | None = None) -> Status:
    """Count the memories of one scope; reads only."""
    now = now or graph.now()
    tiers = graph.read("inspect/status", partial(inspect.status, scope=scope, now=now))
    tests = graph.read(
        "inspect/count_memories", partial(inspect.count_memories, scope=Scope(scope.brain, is_test=True))
    )
    due = [tier.next_expiry_ms for tier in tiers.values() if tier.next_expiry_ms is not None]
    return Status(
        scope=scope,
        now=now,
        tiers={tier: tiers[tier] for tier in Tier},
        archived=tiers["archived"].memories,
        test_count=tests,
        next_expiry=_instant(min(due)) if due else None,
    )


def _instant(epoch_ms: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(int(epoch_ms) / 1000, UTC)
    except (OverflowError, OSError, ValueError):
        return None  # beyond the calendar: a very small λ
