"""The adopt pass: memories and relations made by hand or by an older program become what the other passes can treat.

What a stray lacks is decided in domain/adoption.py; cypher/consolidation/adopt.cypher writes it.
"""

from functools import partial
from uuid import uuid4

from neo4j import Transaction

from brainbridge.consolidation.passes import BATCH, Run, in_batches
from brainbridge.domain.adoption import Adoption, fitted
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import consolidation, edges, inspect

# A preview need not count more hand-written memories than anyone writes by hand.
LOOKED_AT = 10_000


def adopt(graph: Graph, run: Run, *, batch: int = BATCH) -> int:
    """Put right state labels that hand edits left wrong, adopt strays, then relations; how many of all three.

    In a thorough run what a hand edit spoiled becomes a stray first; in others the passes pass it over.
    """
    relabelled = _relabelled(graph, run, batch)
    if run.thorough:
        in_batches(graph, run, "consolidation/set_aside", partial(_set_aside, run=run, batch=batch))
    return relabelled + _adopted(graph, run, batch) + _adopted_relations(graph, run, batch)


def adoptable(graph: Graph, run: Run) -> int:
    """How many strays and relations `adopt` would take up, at most `LOOKED_AT` strays; reads only."""
    return _adoptable_strays(graph, run) + _bare_relations(graph, run)


def _relabelled(graph: Graph, run: Run, batch: int) -> int:
    return in_batches(
        graph,
        run,
        "consolidation/relabel",
        partial(consolidation.relabel, scope=run.scope, now=run.now, batch=batch),
    )


def _set_aside(tx: Transaction, run: Run, batch: int) -> int:
    misfits = inspect.list_misfits(tx, run.scope, limit=batch)
    return consolidation.set_aside(tx, run.scope, nodes=[each["node"] for each in misfits]) if misfits else 0


def _adopted(graph: Graph, run: Run, batch: int) -> int:
    if graph.read("consolidation/count_strays", consolidation.count_strays, run=run.id) == 0:
        return 0
    adopted = skip = 0
    while True:
        page, changed = graph.write("consolidation/adopt", partial(_page, run=run, skip=skip, batch=batch), run=run.id)
        adopted += changed
        # Misfits stay at the front of the scan: step over them, or a page full of them would hide the rest.
        skip += page - changed
        if page < batch:
            return adopted


def _adopted_relations(graph: Graph, run: Run, batch: int) -> int:
    if _bare_relations(graph, run) == 0:
        return 0
    work = partial(consolidation.adopt_relations, scope=run.scope, now=run.now, batch=batch)
    return in_batches(graph, run, "consolidation/adopt_relations", work)


def _adoptable_strays(graph: Graph, run: Run) -> int:
    if graph.read("consolidation/count_strays", consolidation.count_strays) == 0:
        return 0
    strays = graph.read("inspect/list_strays", partial(inspect.list_strays, scope=run.scope, limit=LOOKED_AT))
    return sum(
        isinstance(fitted(stray, run.scope, run.now), Adoption)
        for stray in strays
        if stray.get("brain") or run.owns_unowned
    )


def _bare_relations(graph: Graph, run: Run) -> int:
    if graph.read("edges/count_relations", edges.count_relations, run=run.id) == 0:
        return 0
    count = partial(inspect.count_bare_relations, scope=run.scope)
    return graph.read("inspect/count_bare_relations", count, run=run.id)


def _page(tx: Transaction, run: Run, skip: int, batch: int) -> tuple[int, int]:
    found = consolidation.lock_strays(tx, run.scope, unowned=run.owns_unowned, skip=skip, batch=batch)
    rows = [
        {"node": node, "event": str(uuid4()), "state": fit.state, "properties": fit.properties}
        for node, properties in found
        if isinstance(fit := fitted(properties, run.scope, run.now), Adoption)
    ]
    return len(found), consolidation.adopt(tx, run.scope, adoptions=rows) if rows else 0
