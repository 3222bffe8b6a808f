"""Records what a recall answered: the page, what it showed, whether it was a miss, and how others would rank it."""

from typing import Any
from uuid import uuid4

from neo4j import Transaction

from brainbridge.domain.memory import storable
from brainbridge.domain.question import question_key
from brainbridge.domain.recall import Hit, Page
from brainbridge.domain.scope import Scope
from brainbridge.domain.secrets import holds_secret
from brainbridge.graph.statements import learning
from brainbridge.learning.shadow import shadows
from brainbridge.settings import LearningSettings

# Of a question; a pasted page of a megabyte would be stored with every asking, and printed with the misses.
MOST_CHARACTERS = 2_000


def record(
    tx: Transaction,
    scope: Scope,
    page: Page,
    *,
    settings: LearningSettings,
    whole: bool = True,
) -> str | None:
    """Record the page of an explicit recall. What a hook injects is none and is not recorded.

    A question that holds a secret is kept in no form, not even as a digest (R-003-27); neither is one that UTF-8 cannot
    carry, nor an empty one, which asks nothing.

    Args:
        whole: all live memories were asked, and no others. Else the page neither makes nor closes a miss: a part of
            them may not hold what brainbridge knows, and an archive may hold what it knows no more.

    Returns:
        The id of the page; None if nothing was recorded.
    """
    if not page.query.strip() or holds_secret(page.query) or not storable(page.query):
        return None
    id_ = str(uuid4())
    learning.record_page(
        tx,
        scope,
        at=page.at,
        page=_page(id_, page),
        hits=[_hit(hit) for hit in page.hits],
        shadows=shadows(tx, scope, page) if settings.shadow_ranking else [],
        log_misses=settings.log_misses and whole,
    )
    return id_


def _page(id: str, page: Page) -> dict[str, Any]:
    """A page's properties. The best values are kept so that the bar for strong can be changed by what was asked."""
    return {
        "id": id,
        "query": _kept(page.query),
        "queryKey": question_key(page.query),
        "semantic": page.semantic,
        "miss": page.miss,
        "hits": len(page.hits),
        "bestCover": max((hit.cover for hit in page.hits), default=None),
        "bestLexicalRank": min((hit.lexical_rank for hit in page.hits if hit.lexical_rank), default=None),
        "bestSemanticRank": min((hit.semantic_rank for hit in page.hits if hit.semantic_rank), default=None),
    }


def _kept(query: str) -> str:
    """A question as it is kept: of a pasted text the beginning, enough to know it by. Its key is that of all of it."""
    return query if len(query) <= MOST_CHARACTERS else f"{query[: MOST_CHARACTERS - 1]}…"


def _hit(hit: Hit) -> dict[str, Any]:
    return {"id": hit.memory.id, "rank": hit.rank, "score": hit.score, "strength": hit.strength.value}
