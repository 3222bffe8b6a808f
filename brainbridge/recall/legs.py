"""The legs of recall: each lists memories of a scope, best first, and knows nothing of the other."""

from collections.abc import Callable, Iterable

from neo4j import ManagedTransaction

from brainbridge.domain.scope import Scope
from brainbridge.graph.statements import recall
from brainbridge.graph.statements.recall import Found, Wanted
from brainbridge.recall.filters import Filters
from brainbridge.recall.fusion import DEPTH
from brainbridge.recall.query import Query, lucene

# How far down an index's list to look while filters and faded memories leave a leg short of what is wanted.
DEPTHS = (DEPTH, 10 * DEPTH, 100 * DEPTH)

Shows = Callable[[Found], bool]


def by_words(
    tx: ManagedTransaction, scope: Scope, query: Query, *, enough: int, filters: Filters, shows: Shows
) -> list[Found]:
    """The lexical leg: at most `DEPTH` memories by the BM25 of the query's words.

    A query of two scripts asks two indexes; a memory that both find has the sum of its scores.

    Args:
        enough: with fewer hits than this the index's list is followed further down.
        shows: whether a memory may be seen.
    """
    found: dict[str, Found] = {}
    for state, wanted in filters.states():
        for kind, words in query.by_index().items():
            text = lucene(words, scope.token, query.parts)
            for hit in _listed(tx, scope, f"{state}_{kind}", text, wanted, enough, shows):
                before = found.get(hit.id)
                found[hit.id] = hit if before is None else hit.with_score(before.score + hit.score)
    return best_of(found.values())


def best_of(found: Iterable[Found]) -> list[Found]:
    """The best `DEPTH`, by score and then by id, so that the same store gives the same list."""
    return sorted(found, key=lambda hit: (-hit.score, hit.id))[:DEPTH]


def _listed(
    tx: ManagedTransaction, scope: Scope, index: str, text: str, wanted: Wanted, enough: int, shows: Shows
) -> list[Found]:
    seen: list[Found] = []
    for depth in DEPTHS:
        hits, looked = recall.find_by_words(
            tx, scope, index=index, lucene=text, wanted=wanted, depth=depth, limit=depth
        )
        seen = [hit for hit in hits if shows(hit)]
        if len(seen) >= enough or looked < depth:
            break
    return seen[:DEPTH]
