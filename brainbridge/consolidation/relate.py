"""The relate pass: declared relations strengthen or weaken memories, each once per UTC day.

Its effects come after decay and before the thresholds are looked at. On schedule longTerm memories may be hours behind,
so both ends are settled again here, in the transaction that changes them.
"""

from functools import partial
from typing import NamedTuple

from neo4j import Transaction

from brainbridge.consolidation.passes import Run
from brainbridge.domain.errors import Misshapen
from brainbridge.graph import transitions
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import consolidation, inspect

# Three statements a relation: a page holds the locks of at most 200 memories for well under a second.
RELATION_BATCH = 100


class Page(NamedTuple):
    """What one page did: relations applied, and relations noted as without effect."""

    applied: int
    skipped: int


def relate(graph: Graph, run: Run, *, batch: int = RELATION_BATCH) -> int:
    """Apply the relations that are due; how many. One whose other end is not live is not.

    Where events promote, an end that has faded is marked as expired here: a relation rescues nothing that an earlier
    run would have marked.
    """
    applied = 0
    while any(page := graph.write("consolidation/relate", partial(_page, run=run, batch=batch), run=run.id)):
        applied += page.applied
    return applied


def due(graph: Graph, run: Run) -> int:
    """How many relations `relate` would apply; reads only."""
    return graph.read("inspect/count_due_relations", partial(inspect.count_due_relations, scope=run.scope, now=run.now))


def _page(tx: Transaction, *, run: Run, batch: int) -> Page:
    found = consolidation.find_due_relations(tx, run.scope, now=run.now, batch=batch)
    # In id order, so that two passes at once wait for each other instead of deadlocking.
    ends = sorted({end for each in found for end in (each.from_id, each.to_id) if end is not None})
    live = {end for end in ends if _lives(tx, run, end)}
    effective = [each for each in found if {each.from_id, each.to_id} <= live]
    idle = [each for each in found if not {each.from_id, each.to_id} <= live]
    # One at a time: a memory with several relations gets each effect on what the one before left.
    applied = sum(consolidation.relate(tx, run.scope, now=run.now, due=each) > 0 for each in effective)
    skipped = consolidation.skip_relations(tx, run.scope, now=run.now, idle=idle) if idle else 0
    return Page(applied, skipped)


def _lives(tx: Transaction, run: Run, end: str) -> bool:
    """Whether a memory is live, settled by this; one that a hand edit spoiled is none until it is mended."""
    try:
        return transitions.settle(tx, run.scope, now=run.now, id=end) is not None
    except Misshapen:
        return False
