"""cypher/recall/*.cypher as functions: finding memories by words and by meaning."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

from neo4j import ManagedTransaction

from brainbridge.domain.errors import Misshapen
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier
from brainbridge.graph.records import memory, rows
from brainbridge.graph.statements.embeddings import Slot


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a hit must be, whatever its words. None: no condition.

    `labels` are states: LiveMemory, ExpiredMemory, ArchivedMemory. `since` is about updatedAt.
    """

    labels: tuple[str, ...] = ("LiveMemory",)
    tier: Tier | None = None
    memory_type: str | None = None
    subject: str | None = None
    since: datetime | None = None

    def parameters(self) -> dict[str, Any]:
        """As the statements take it."""
        return {
            "labels": list(self.labels),
            "tier": self.tier and self.tier.value,
            "memoryType": self.memory_type,
            "subject": self.subject,
            "since": self.since,
        }


@dataclass(frozen=True, slots=True)
class Found:
    """A memory that a leg found, with what its place on a page depends on.

    `score` is the leg's own. `last_decay` and `updated_at` are milliseconds since 1970; the latter None if unknown.
    """

    id: str
    score: float
    energy: float
    tier: Tier
    core: bool
    live: bool
    last_decay: int
    updated_at: int | None

    def with_score(self, score: float) -> Self:
        """The same memory with another score."""
        return replace(self, score=score)


def find_by_words(
    tx: ManagedTransaction, scope: Scope, *, index: str, lucene: str, wanted: Wanted, depth: int, limit: int
) -> tuple[list[Found], int]:
    """The best `limit` of the first `depth` hits in a full-text index, and how many hits there were up to `depth`."""
    (row,) = rows(
        tx,
        "recall/find_by_words",
        brain=scope.brain,
        isTest=scope.is_test,
        index=index,
        lucene=lucene,
        depth=depth,
        limit=limit,
        **wanted.parameters(),
    )
    return [_found(hit) for hit in row["hits"]], row["looked"]


def find_by_meaning_a(
    tx: ManagedTransaction, scope: Scope, *, vector: Sequence[float], wanted: Wanted, depth: int, limit: int
) -> tuple[list[Found], int]:
    """As `find_by_words`, by the index of the vectors in the first place; live memories only."""
    parameters = _meant(scope, vector, wanted, limit) | {"depth": depth}
    (row,) = rows(tx, "recall/find_by_meaning_a", **parameters)
    return [_found(hit) for hit in row["hits"]], row["looked"]


def find_by_meaning_b(
    tx: ManagedTransaction, scope: Scope, *, vector: Sequence[float], wanted: Wanted, depth: int, limit: int
) -> tuple[list[Found], int]:
    """As `find_by_meaning_a`, for the second place."""
    parameters = _meant(scope, vector, wanted, limit) | {"depth": depth}
    (row,) = rows(tx, "recall/find_by_meaning_b", **parameters)
    return [_found(hit) for hit in row["hits"]], row["looked"]


def find_by_cosine(
    tx: ManagedTransaction, scope: Scope, *, slot: Slot, vector: Sequence[float], wanted: Wanted, limit: int
) -> tuple[list[Found], int]:
    """As `find_by_meaning_a`, without an index, for either place."""
    parameters = _meant(scope, vector, wanted, limit) | {"property": slot.property_name}
    (row,) = rows(tx, "recall/find_by_cosine", **parameters)
    return [_found(hit) for hit in row["hits"]], row["looked"]


def read_cosines(
    tx: ManagedTransaction, scope: Scope, *, slot: Slot, vector: Sequence[float], ids: Sequence[str]
) -> dict[str, float]:
    """The score of each of these live memories that has a vector, by id."""
    found = rows(
        tx,
        "recall/read_cosines",
        brain=scope.brain,
        isTest=scope.is_test,
        ids=list(ids),
        property=slot.property_name,
        vector=list(vector),
    )
    return {row["id"]: row["score"] for row in found}


def count_words(tx: ManagedTransaction, *, words: Sequence[Mapping[str, str]], most: int) -> dict[str, int]:
    """In how many live memories each word stands, counted up to `most`."""
    found = rows(tx, "recall/count_words", rows=[dict(word) for word in words], most=most)
    return {row["word"]: row["memories"] for row in found}


def estimate_memories(tx: ManagedTransaction, scope: Scope, *, few: int) -> tuple[int, int]:
    """The live memories of a scope counted up to `few`, and those of them whose id begins with 00."""
    (row,) = rows(tx, "recall/estimate_memories", brain=scope.brain, isTest=scope.is_test, few=few)
    return row["counted"], row["sampled"]


def read_page(tx: ManagedTransaction, scope: Scope, *, ids: Sequence[str]) -> dict[str, Memory]:
    """The memories with these ids, by id; what a hand edit spoiled is left out, and health names it."""
    found: dict[str, Memory] = {}
    for row in rows(tx, "recall/read_page", brain=scope.brain, isTest=scope.is_test, ids=list(ids)):
        with suppress(Misshapen):
            each = memory(row["memory"])
            found[each.id] = each
    return found


def _meant(scope: Scope, vector: Sequence[float], wanted: Wanted, limit: int) -> dict[str, Any]:
    parameters = wanted.parameters()
    del parameters["labels"]  # only live memories have an index of vectors
    return parameters | {"brain": scope.brain, "isTest": scope.is_test, "vector": list(vector), "limit": limit}


def _found(hit: Mapping[str, Any]) -> Found:
    return Found(
        id=hit["id"],
        score=hit["score"],
        energy=float(hit["energy"]),
        tier=Tier(hit["tier"]),
        core=hit["core"],
        live=hit["live"],
        last_decay=hit["lastDecay"],
        updated_at=hit["updatedAt"],
    )
