"""The expire pass: memories that have faded below the threshold are marked, never deleted."""

from functools import partial

from brainbridge.consolidation.passes import BATCH, Run, in_batches
from brainbridge.domain.tier import EXPIRY_ORDER
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import consolidation


def expire(graph: Graph, run: Run, *, batch: int = BATCH) -> int:
    """Mark what decay left below the expiry threshold; how many."""
    return sum(
        in_batches(
            graph,
            run,
            "consolidation/expire",
            partial(consolidation.expire, scope=run.scope, now=run.now, tier=tier, batch=batch),
        )
        for tier in EXPIRY_ORDER
    )
