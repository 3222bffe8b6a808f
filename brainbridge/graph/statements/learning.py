"""cypher/learning/*.cypher as functions: pages, misses, what is recalled together, shadow rankings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from neo4j import ManagedTransaction

from brainbridge.domain.scope import Scope
from brainbridge.graph.records import count, rows


@dataclass(frozen=True, slots=True)
class Miss:
    """A question without a strong answer; `resolved_at` is when there was one. The best values are its last page's."""

    query: str
    count: int
    first_asked: datetime
    last_asked: datetime
    resolved_at: datetime | None
    best_cover: float | None
    best_lexical_rank: int | None
    best_semantic_rank: int | None


def record_page(
    tx: ManagedTransaction,
    scope: Scope,
    *,
    at: datetime,
    page: Mapping[str, Any],
    hits: Sequence[Mapping[str, Any]],
    shadows: Sequence[Mapping[str, Any]],
    log_misses: bool,
) -> int:
    """Record one recall; how many of its hits are still here."""
    return count(
        tx,
        "learning/record_page",
        "shown",
        brain=scope.brain,
        isTest=scope.is_test,
        at=at,
        page=dict(page),
        hits=[dict(hit) for hit in hits],
        shadows=[dict(shadow) for shadow in shadows],
        logMisses=log_misses,
    )


def list_misses(tx: ManagedTransaction, scope: Scope, *, resolved: bool, limit: int) -> list[Miss]:
    """Misses, the most asked first; open ones only, unless `resolved`."""
    found = rows(tx, "learning/list_misses", brain=scope.brain, isTest=scope.is_test, resolved=resolved, limit=limit)
    return [
        Miss(
            query=row["query"],
            count=row["count"],
            first_asked=row["firstAsked"],
            last_asked=row["lastAsked"],
            resolved_at=row["resolvedAt"],
            best_cover=row["bestCover"],
            best_lexical_rank=row["bestLexicalRank"],
            best_semantic_rank=row["bestSemanticRank"],
        )
        for row in found
    ]


def count_misses(tx: ManagedTransaction, scope: Scope) -> int:
    """Open misses."""
    return count(tx, "learning/count_misses", "open", brain=scope.brain, isTest=scope.is_test)
