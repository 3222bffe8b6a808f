"""The decay pass: every due memory's energy is brought to its value at the run's instant."""

from datetime import datetime, timedelta
from functools import partial

from brainbridge.consolidation.passes import BATCH, Run, in_batches
from brainbridge.domain.tier import LIVE_TIERS, Tier
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import consolidation

# How much a longTerm memory may be behind on schedule. Its stored energy stays valid at its lastDecay, so nothing is
# lost; it is settled every 10 h instead of every run, which makes a run cost 2.5 % of longTerm instead of all of it.
LONG_TERM_SLACK = 0.01


def decay(graph: Graph, run: Run, *, batch: int = BATCH) -> int:
    """Settle all due memories at `run.now`; how many."""
    return sum(_tier(graph, run, tier, batch) for tier in LIVE_TIERS)


def due_before(run: Run, tier: Tier) -> datetime:
    """Memories of `tier` last settled before this instant are due."""
    if run.scheduled and tier is Tier.LONG_TERM:
        return run.now - timedelta(hours=LONG_TERM_SLACK / run.law.lambda_long_term)
    return run.now


def _tier(graph: Graph, run: Run, tier: Tier, batch: int) -> int:
    work = partial(
        consolidation.decay, scope=run.scope, now=run.now, tier=tier, due_before=due_before(run, tier), batch=batch
    )
    return in_batches(graph, run, "consolidation/decay", work)
