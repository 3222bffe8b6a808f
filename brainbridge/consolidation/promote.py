"""The promote pass: memories above their tier's threshold move to the next tier, one tier per run."""

from functools import partial

from brainbridge.consolidation.passes import BATCH, Run, in_batches
from brainbridge.domain.tier import PROMOTION_ORDER, Tier
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import consolidation


def promote(graph: Graph, run: Run, *, batch: int = BATCH) -> int:
    """Promote what decay left above the thresholds; how many."""
    return sum(_tier(graph, run, tier, batch) for tier in PROMOTION_ORDER)


def _tier(graph: Graph, run: Run, tier: Tier, batch: int) -> int:
    onward = tier.next
    assert onward is not None  # PROMOTION_ORDER holds only tiers that lead somewhere
    work = partial(consolidation.promote, scope=run.scope, now=run.now, tier=tier, onward=onward, batch=batch)
    return in_batches(graph, run, "consolidation/promote", lambda tx: work(tx).count)
