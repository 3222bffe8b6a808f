"""The adopt pass: memories written by hand or by an older program become memories the other passes can treat.

What a stray lacks is decided in domain/adoption.py; cypher/consolidation/adopt.cypher writes it.
"""

from functools import partial
from uuid import uuid4

from neo4j import ManagedTransaction

from brainbridge.consolidation.passes import PROMOTION_BATCH, Run, in_batches
from brainbridge.domain.adoption import Adoption, fitted
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import consolidation, inspect

# A preview need not count more hand-written memories than anyone writes by hand.
LOOKED_AT = 10_000


def adopt(graph: Graph, run: Run, *, batch: int = PROMOTION_BATCH) -> int:
    """Adopt strays and put right state labels that hand edits left wrong; how many of both."""
    relabelled = in_batches(
        graph,
        run,
        "consolidation/relabel",
        partial(consolidation.relabel, scope=run.scope, now=run.now, batch=batch),
    )
    if graph.read("consolidation/count_strays", consolidation.count_strays, run=run.id) == 0:
        return relabelled
    adopted = skip = 0
    while True:
        page, changed = graph.write("consolidation/adopt", partial(_page, run=run, skip=skip, batch=batch), run=run.id)
        adopted += changed
        # Misfits stay at the front of the scan: step over them, or a page full of them would hide the rest.
        skip += page - changed
        if page < batch:
            return relabelled + adopted


def adoptable(graph: Graph, run: Run) -> int:
    """How many strays `adopt` would take up, at most `LOOKED_AT`; reads only."""
    if graph.read("consolidation/count_strays", consolidation.count_strays) == 0:
        return 0
    strays = graph.read("inspect/list_strays", partial(inspect.list_strays, scope=run.scope, limit=LOOKED_AT))
    return sum(
        isinstance(fitted(stray, run.scope, run.now), Adoption)
        for stray in strays
        if stray.get("brain") or run.owns_unowned
    )


def _page(tx: ManagedTransaction, run: Run, skip: int, batch: int) -> tuple[int, int]:
    found = consolidation.lock_strays(tx, run.scope, unowned=run.owns_unowned, skip=skip, batch=batch)
    rows = [
        {"node": node, "event": str(uuid4()), "state": fit.state, "properties": fit.properties}
        for node, properties in found
        if isinstance(fit := fitted(properties, run.scope, run.now), Adoption)
    ]
    return len(found), consolidation.adopt(tx, run.scope, adoptions=rows) if rows else 0
