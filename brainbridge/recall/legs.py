"""The legs of recall: each lists memories of a scope, best first, and knows nothing of the other."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from neo4j import Transaction

from brainbridge.domain.scope import Scope
from brainbridge.graph.statements import recall
from brainbridge.graph.statements.embeddings import Slot
from brainbridge.graph.statements.recall import Found, Wanted
from brainbridge.recall.filters import Filters
from brainbridge.recall.fusion import DEPTH
from brainbridge.recall.query import Query, lucene

# How far down an index's list to look while filters and faded memories leave a leg short of what is wanted: fully for
# two legs, each of which may have what the other lacks; for words alone less will do.
DEPTHS = (DEPTH, 10 * DEPTH, 100 * DEPTH)
ALONE = 4  # times what is wanted: below it only what a tie in the last hundredth would bring up
FIND = {Slot.A: recall.find_by_meaning_a, Slot.B: recall.find_by_meaning_b}

Shows = Callable[[Found], bool]


def by_words(
    tx: Transaction, scope: Scope, query: Query, *, enough: int, filters: Filters, shows: Shows, alone: bool = False
) -> list[Found]:
    """The lexical leg: at most `DEPTH` memories by the BM25 of the query's words.

    A query of two scripts asks two indexes; a memory that both find has the sum of its scores.

    Args:
        enough: with fewer hits than this the index's list is followed further down.
        shows: whether a memory may be seen.
        alone: there is no other leg, so that a shorter list will do.
    """
    found: dict[str, Found] = {}
    depths = (min(ALONE * enough, DEPTH), *DEPTHS) if alone else DEPTHS
    for state, wanted in filters.states():
        for kind, words in query.by_index().items():
            look = partial(_look, tx, scope, f"{state}_{kind}", lucene(words, scope.token, query.parts), wanted)
            for hit in _listed(look, enough, shows, depths):
                before = found.get(hit.id)
                found[hit.id] = hit if before is None else hit.with_score(before.score + hit.score)
    return best_of(found.values())


@dataclass(frozen=True, slots=True)
class Meaning:
    """The vector of a query, and where the vectors of the same model stand.

    `by_index`: the server searches them by an index; else it looks at each.
    """

    slot: Slot
    vector: Sequence[float]
    by_index: bool


def by_meaning(
    tx: Transaction, scope: Scope, meaning: Meaning, *, enough: int, filters: Filters, shows: Shows
) -> list[Found]:
    """The semantic leg: at most `DEPTH` live memories by how near their vectors lie to that of the query.

    Args:
        enough, shows: as in `by_words`.
    """
    wanted = filters.live()

    def look(depth: int) -> tuple[list[Found], int]:
        if meaning.by_index:
            find = FIND[meaning.slot]
            return find(tx, scope, vector=meaning.vector, wanted=wanted, depth=depth, limit=depth)
        return recall.find_by_cosine(tx, scope, slot=meaning.slot, vector=meaning.vector, wanted=wanted, limit=depth)

    return best_of(_listed(look, enough, shows))


def cosines(tx: Transaction, scope: Scope, meaning: Meaning, ids: Sequence[str]) -> dict[str, float]:
    """How near these live memories lie to the query, by id; those without a vector are missing."""
    return recall.read_cosines(tx, scope, slot=meaning.slot, vector=meaning.vector, ids=ids) if ids else {}


def best_of(found: Iterable[Found]) -> list[Found]:
    """The best `DEPTH`, by score and then by id, so that the same store gives the same list."""
    return sorted(found, key=lambda hit: (-hit.score, hit.id))[:DEPTH]


def _look(tx: Transaction, scope: Scope, index: str, text: str, wanted: Wanted, depth: int) -> tuple[list[Found], int]:
    return recall.find_by_words(tx, scope, index=index, lucene=text, wanted=wanted, depth=depth, limit=depth)


def _listed(
    look: Callable[[int], tuple[list[Found], int]], enough: int, shows: Shows, depths: Sequence[int] = DEPTHS
) -> list[Found]:
    """What may be seen of the first hits of an index; further down its list, while that is too little."""
    seen: list[Found] = []
    for depth in depths:
        hits, looked = look(depth)
        seen = [hit for hit in hits if shows(hit)]
        if len(seen) >= enough or looked < depth:
            break
    return seen[:DEPTH]
