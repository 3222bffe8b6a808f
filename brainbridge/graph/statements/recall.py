"""cypher/recall/*.cypher as functions: finding memories by words and by meaning."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

from neo4j import Transaction

from brainbridge.domain.clock import from_epoch_ms
from brainbridge.domain.errors import Misshapen
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier
from brainbridge.graph.records import memory, rows
from brainbridge.graph.statements.embeddings import Slot

# In the order in which recall/read_page gives them.
_INSTANTS = ("created", "lastAccessed", "lastDecay", "validFrom", "validTo", "updatedAt", "expiredAt", "lastOpened")


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
    tx: Transaction, scope: Scope, *, index: str, lucene: str, wanted: Wanted, depth: int, limit: int
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
    return _found(row), row["looked"]


def find_by_meaning_a(
    tx: Transaction, scope: Scope, *, vector: Sequence[float], wanted: Wanted, depth: int, limit: int
) -> tuple[list[Found], int]:
    """As `find_by_words`, by the index of the vectors in the first place; live memories only."""
    parameters = _meant(scope, vector, wanted, limit) | {"depth": depth}
    (row,) = rows(tx, "recall/find_by_meaning_a", **parameters)
    return _found(row), row["looked"]


def find_by_meaning_b(
    tx: Transaction, scope: Scope, *, vector: Sequence[float], wanted: Wanted, depth: int, limit: int
) -> tuple[list[Found], int]:
    """As `find_by_meaning_a`, for the second place."""
    parameters = _meant(scope, vector, wanted, limit) | {"depth": depth}
    (row,) = rows(tx, "recall/find_by_meaning_b", **parameters)
    return _found(row), row["looked"]


def find_by_cosine(
    tx: Transaction, scope: Scope, *, slot: Slot, vector: Sequence[float], wanted: Wanted, limit: int
) -> tuple[list[Found], int]:
    """As `find_by_meaning_a`, without an index, for either place."""
    parameters = _meant(scope, vector, wanted, limit) | {"property": slot.property_name}
    (row,) = rows(tx, "recall/find_by_cosine", **parameters)
    return _found(row), row["looked"]


def read_cosines(
    tx: Transaction, scope: Scope, *, slot: Slot, vector: Sequence[float], ids: Sequence[str]
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


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How many live memories a scope has in a sample of one in 256; if that is too small also counted, up to a limit;
    and how many of them hold each word."""

    counted: int
    sampled: int
    words: Mapping[str, int]


def count_words(
    tx: Transaction, scope: Scope, *, words: Sequence[Mapping[str, str]], most: int, few: int, enough: int
) -> Frequencies:
    """In how many live memories each word stands, up to `most`, and how many there are, up to `few`.

    Args:
        enough: with so many in the sample they are not counted.
    """
    (row,) = rows(
        tx,
        "recall/count_words",
        brain=scope.brain,
        isTest=scope.is_test,
        rows=[dict(word) for word in words],
        most=most,
        few=few,
        enough=enough,
    )
    return Frequencies(row["counted"], row["sampled"], {each["word"]: each["memories"] for each in row["words"]})


def read_page(tx: Transaction, scope: Scope, *, ids: Sequence[str]) -> dict[str, Memory]:
    """The memories with these ids, by id; what a hand edit spoiled is left out, and health names it."""
    found: dict[str, Memory] = {}
    for row in rows(tx, "recall/read_page", brain=scope.brain, isTest=scope.is_test, ids=list(ids)):
        instants = zip(_INSTANTS, row["instants"], strict=True)
        with suppress(Misshapen, OverflowError):  # the latter: an instant beyond the calendar
            each = memory(row["memory"] | {name: from_epoch_ms(ms) for name, ms in instants if ms is not None})
            found[each.id] = each
    return found


def _meant(scope: Scope, vector: Sequence[float], wanted: Wanted, limit: int) -> dict[str, Any]:
    parameters = wanted.parameters()
    del parameters["labels"]  # only live memories have an index of vectors
    return parameters | {"brain": scope.brain, "isTest": scope.is_test, "vector": list(vector), "limit": limit}


def _found(row: Mapping[str, Any]) -> list[Found]:
    """The hits of a leg, whose properties come as one list each."""
    columns = ("ids", "scores", "energies", "tiers", "cores", "lives", "lastDecays", "updatedAts")
    return [
        Found(id_, score, float(energy), Tier(tier), core, live, last_decay, updated_at)
        for id_, score, energy, tier, core, live, last_decay, updated_at in zip(
            *(row[column] for column in columns), strict=True
        )
    ]
