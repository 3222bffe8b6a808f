"""Recall: a query becomes a page. It reads only; what a page teaches is recorded elsewhere.

Each leg lists what it finds in the scope. One list is made of them and ordered; what has faded below `min_confidence`
is left out. The best are read in full and labelled.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from neo4j import Transaction

from brainbridge.domain.energy import weight_of_energy
from brainbridge.domain.memory import Memory
from brainbridge.domain.recall import Hit, Page, Strength
from brainbridge.domain.scope import Scope
from brainbridge.graph.law import in_force_now
from brainbridge.graph.statements import recall
from brainbridge.graph.statements.recall import Found
from brainbridge.recall.filters import Filters
from brainbridge.recall.frequency import weights_of
from brainbridge.recall.fusion import Relevance, freshness, fused, order_key
from brainbridge.recall.legs import Meaning, by_meaning, by_words, cosines
from brainbridge.recall.query import Query, words_of
from brainbridge.recall.reference import named
from brainbridge.recall.standing import Standing
from brainbridge.recall.strength import Evidence, cover, strength

LIMIT = 10
MIN_CONFIDENCE = 0.4
# Words further into a memory are not looked for when it is labelled: a pasted log would take a second.
LABELLED_CHARACTERS = 65_536


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for.

    Attributes:
        meaning: the query's vector; None: there is no semantic leg.
        limit: the most hits, at least 1.
        min_confidence: the least display weight (0 to 1) of a live memory that was not asked for by its id.
        now: the instant to answer for; None: the database server's clock.
    """

    query: Query
    meaning: Meaning | None = None
    limit: int = LIMIT
    filters: Filters = field(default_factory=Filters)
    min_confidence: float = MIN_CONFIDENCE
    now: datetime | None = None


def search(tx: Transaction, scope: Scope, request: Request) -> Page:
    """The page that answers a request. It reads only."""
    query, filters = request.query, request.filters
    version, now = in_force_now(tx, scope.brain)
    standing = Standing(version.law, request.now or now, request.min_confidence)
    alone, enough = request.meaning is None, max(request.limit, LIMIT)
    lexical = by_words(tx, scope, query, enough=enough, filters=filters, shows=standing.shows, alone=alone)
    semantic, cosine = _meant(tx, scope, request, standing, lexical)
    pool = _Pool(standing, lexical, semantic, cosine)
    exact = named(tx, scope, query.text)
    first = [exact.id] if exact is not None and filters.take(exact) else []
    ids = [*first, *(each for each in pool.ordered() if each not in first)][:enough]
    memories = recall.read_page(tx, scope, ids=ids) if ids else {}
    looked_at = [_Shown(memories[each], query, exact=each in first) for each in ids if each in memories]
    looked_at.sort(key=lambda one: not one.exact)  # whoever names a thing means it, whatever the words of others weigh
    # Nobody needs the weights of words where every memory holds all of them or none.
    weights = weights_of(tx, scope, query) if any(0 < len(one.matched) < len(query.words) for one in looked_at) else {}
    hits = tuple(pool.hit(one, rank, query, weights) for rank, one in enumerate(looked_at, start=1))
    shown, below = hits[: request.limit], hits[request.limit :]
    found_below = any(hit.strength is Strength.STRONG for hit in below)
    return Page(query.text, standing.at, shown, semantic=not alone, strong_below=found_below)


def _meant(
    tx: Transaction, scope: Scope, request: Request, standing: Standing, lexical: Sequence[Found]
) -> tuple[list[Found], dict[str, float]]:
    """The semantic leg, and the score of everything that either leg found and that has a vector."""
    if request.meaning is None:
        return [], {}
    found = by_meaning(tx, scope, request.meaning, enough=request.limit, filters=request.filters, shows=standing.shows)
    scores = {hit.id: hit.score for hit in found}
    others = [hit.id for hit in lexical if hit.live and hit.id not in scores]
    return found, scores | cosines(tx, scope, request.meaning, others)


class _Shown:
    """A memory on the page, with what of the query occurs in it."""

    def __init__(self, memory: Memory, query: Query, *, exact: bool) -> None:
        text = f"{memory.subject or ''}\n{memory.content}"[:LABELLED_CHARACTERS]
        held = words_of(text) if query.words else frozenset()
        self.memory = memory
        self.matched = frozenset(query.words) & held
        self.names_occur = query.names <= held
        self.exact = exact or query.identifier in held


class _Pool:
    """What the legs found, as one list."""

    def __init__(
        self, standing: Standing, lexical: Sequence[Found], semantic: Sequence[Found], cosine: Mapping[str, float]
    ) -> None:
        self._standing = standing
        self._found = {hit.id: hit for hit in (*semantic, *lexical)}
        self._lexical_ranks = {hit.id: rank for rank, hit in enumerate(lexical, start=1)}
        self._semantic_ranks = {hit.id: rank for rank, hit in enumerate(semantic, start=1)}
        self._bm25 = {hit.id: hit.score for hit in lexical}
        self._cosines = cosine
        self._relevance = fused(self._bm25, self._cosines)

    def ordered(self) -> list[str]:
        """The ids, best first."""
        return sorted(self._relevance, key=self._place)

    def _place(self, id: str) -> tuple[float, float, float, str]:
        found, standing = self._found[id], self._standing
        return order_key(self._relevance[id].together, standing.weight(found), standing.age_days(found), id)

    def hit(self, shown: _Shown, rank: int, query: Query, weights: Mapping[str, float]) -> Hit:
        """A memory of the page with its label, and every number that led to both."""
        memory, key = shown.memory, shown.memory.id
        energy = memory.energy_at(self._standing.at, self._standing.law)
        relevance = self._relevance.get(key, Relevance(1.0, None, 1.0))
        evidence = Evidence(
            exact=shown.exact,
            matched=len(shown.matched),
            asked=len(query.words),
            names_occur=shown.names_occur,
            cover=min((cover(words, shown.matched, weights) for words in query.by_script()), default=0.0),
            lexical_rank=self._lexical_ranks.get(key),
            semantic_rank=self._semantic_ranks.get(key),
            judged=key in self._cosines,
        )
        found = self._found.get(key)
        terms = {
            "bm25": self._bm25.get(key),
            "lexical": relevance.lexical,
            "cosine": self._cosines.get(key),
            "semantic": relevance.semantic,
            "weight": weight_of_energy(energy),
            "freshness": None if found is None else freshness(self._standing.age_days(found)),
            "matched": float(evidence.matched),
            "asked": float(evidence.asked),
        }
        return Hit(
            memory,
            rank,
            relevance.together,
            strength(evidence),
            energy,
            lexical_rank=evidence.lexical_rank,
            semantic_rank=evidence.semantic_rank,
            cover=evidence.cover,
            terms={name: value for name, value in terms.items() if value is not None},
        )
