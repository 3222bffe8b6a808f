"""Co-activation: what is often opened together with what was opened just now may be what is wanted (R-003-36).

score · (1 + 0.5 · w) for a hit with a bond of effective weight w ≥ 0.5 to a memory opened in the last half hour; of
several bonds the strongest counts. So a score rises by a quarter at least, and by 44 % at w = 0.8854, where a bond that
fires daily settles.
"""

from collections.abc import Mapping, Sequence

from neo4j import Transaction

from brainbridge.domain.coactivation import VISIBLE, WINDOW
from brainbridge.domain.recall import Page
from brainbridge.domain.scope import Scope
from brainbridge.graph.statements import learning
from brainbridge.learning.candidates.candidate import Candidate

LIFT = 0.5


def lifted(score: float, weight: float) -> float:
    """The score of a hit whose strongest bond has this effective weight."""
    return score * (1 + LIFT * weight) if weight >= VISIBLE else score


def _scores(tx: Transaction, scope: Scope, page: Page) -> Sequence[float]:
    weights = _strongest(tx, scope, page)
    return [lifted(hit.score, weights.get(hit.memory.id, 0.0)) for hit in page.hits]


def _strongest(tx: Transaction, scope: Scope, page: Page) -> Mapping[str, float]:
    strongest: dict[str, float] = {}
    ids = [hit.memory.id for hit in page.hits]
    for id_, bond in learning.read_activation(tx, scope, ids=ids, since=page.at - WINDOW, at=page.at):
        strongest[id_] = max(bond.weight_at(page.at), strongest.get(id_, 0.0))
    return strongest


CO_ACTIVATION = Candidate("co-activation", _scores)
