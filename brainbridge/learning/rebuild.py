"""Counts every co_recalled again from the openings in the ledger: they are derived, and may be thrown away."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice

from neo4j import Transaction

from brainbridge.domain.coactivation import count_again, pair_of
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import learning

# Rows in one statement; all of them are one transaction.
BATCH = 5_000


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What counting again did: openings looked at, bonds there were, bonds there are."""

    openings: int
    before: int
    after: int


def rebuild(graph: Graph, scope: Scope) -> Rebuilt:
    """Replace the bonds of a scope by what its openings say, in one transaction; openings wait meanwhile.

    As far back as openings are kept (`learning.event_retention_days`): by default what fired before that has
    faded to a sixty-fourth. A relation that was declared and taken back since is not known to have been there.
    """
    return graph.write("learning/create_co_recalled", partial(_rebuilt, scope=scope))


def _rebuilt(tx: Transaction, *, scope: Scope) -> Rebuilt:
    before = learning.delete_co_recalled(tx, scope)
    found = learning.list_lives(tx, scope)
    related: dict[str, datetime] = {}
    for row in found:
        for other, since in row.related:
            pair = pair_of(row.life.root, other)
            related[pair] = min(since, related.get(pair, since))
    bonds = count_again([row.life for row in found], related)
    nodes = {row.life.root: row.node for row in found}
    waiting = iter(bonds.items())
    while part := dict(islice(waiting, BATCH)):
        learning.create_co_recalled(tx, scope, bonds=part, nodes=nodes)
    return Rebuilt(sum(len(row.life.openings) for row in found), before, len(bonds))
