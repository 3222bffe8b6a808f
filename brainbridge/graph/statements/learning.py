"""cypher/learning/*.cypher as functions: pages, misses, what is recalled together, shadow rankings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from neo4j import ManagedTransaction

from brainbridge.domain.coactivation import HALF_LIFE, MOST, RATE, Bond, Life, utc_day
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier
from brainbridge.graph.records import count, iso, one, rows

_HALF_LIFE_DAYS = HALF_LIFE / timedelta(days=1)
_LEAVING = frozenset({"expired", "forgotten", "superseded"})


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


@dataclass(frozen=True, slots=True)
class Turn:
    """A memory that an opening has locked. `opened`: when it was opened just before; `bonds`: how many it has."""

    id: str
    root: str
    opened: datetime | None
    bonds: int


@dataclass(frozen=True, slots=True)
class Fire:
    """A bond that fired: the memory at its other end, its pair, and whether it is new."""

    id: str
    pair: str
    created: bool


@dataclass(frozen=True, slots=True)
class CoRecalled:
    """A memory that another one has been opened together with, and their bond."""

    id: str
    content: str
    bond: Bond


@dataclass(frozen=True, slots=True)
class LifeRow:
    """A memory that was opened. `node`: its handle in this transaction; `related`: (root, since) of each relation."""

    node: str
    life: Life
    related: tuple[tuple[str, datetime], ...]


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


def begin_opening(tx: ManagedTransaction, scope: Scope, *, id: str, since: datetime, until: datetime) -> list[Turn]:
    """Wait for one's turn and lock a memory with all that were opened in that time; without it if it is not live."""
    found = rows(tx, "learning/begin_opening", brain=scope.brain, isTest=scope.is_test, id=id, since=since, until=until)
    return [Turn(row["id"], row["root"], row["opened"], row["bonds"]) for row in found]


def fire(tx: ManagedTransaction, scope: Scope, *, id: str, others: Mapping[str, datetime]) -> list[Fire]:
    """Strengthen the bonds of a memory with `others`, each at its instant; those that fired."""
    found = rows(
        tx,
        "learning/fire",
        brain=scope.brain,
        isTest=scope.is_test,
        id=id,
        others=[{"id": other, "at": at} for other, at in others.items()],
        rate=RATE,
        halfLifeDays=_HALF_LIFE_DAYS,
    )
    return [Fire(row["id"], row["pair"], row["created"]) for row in found]


def trim(tx: ManagedTransaction, scope: Scope, *, ids: Sequence[str], at: datetime, fired: Sequence[str]) -> int:
    """Keep the strongest bonds of memories, one after the other; how many went."""
    return count(
        tx,
        "learning/trim",
        "trimmed",
        brain=scope.brain,
        isTest=scope.is_test,
        ids=list(ids),
        at=at,
        fired=list(fired),
        halfLifeDays=_HALF_LIFE_DAYS,
        most=MOST,
    )


def list_co_recalled(tx: ManagedTransaction, scope: Scope, *, id: str) -> list[CoRecalled]:
    """The live memories that a live memory has been opened together with, in no order."""
    found = rows(tx, "learning/list_co_recalled", brain=scope.brain, isTest=scope.is_test, id=id)
    return [CoRecalled(row["id"], row["content"], Bond(row["weight"], row["lastFired"], row["fires"])) for row in found]


def attribute(
    tx: ManagedTransaction, scope: Scope, *, id: str, event: str, since: datetime, at: datetime
) -> str | None:
    """Join an opening to the last page that showed its memory; the page's id, None if there was none."""
    row = one(tx, "learning/attribute", brain=scope.brain, isTest=scope.is_test, id=id, event=event, since=since, at=at)
    return row["page"] if row else None


def list_lives(tx: ManagedTransaction, scope: Scope) -> list[LifeRow]:
    """Every memory of a scope that was opened, with all that counting its bonds again takes."""
    found = rows(tx, "learning/list_lives", brain=scope.brain, isTest=scope.is_test)
    return [
        LifeRow(
            row["node"],
            Life(
                row["root"],
                tuple(row["openings"]),
                tuple(sorted((change["at"], _is_live_after(change)) for change in row["changes"])),
            ),
            # A relation drawn by hand has no date until a run adopts it; then it counts from its adoption.
            tuple((other["root"], other["since"]) for other in row["related"] if other["since"] is not None),
        )
        for row in found
    ]


def delete_co_recalled(tx: ManagedTransaction, scope: Scope) -> int:
    """Keep openings out until the transaction ends, and take every bond of a scope away; how many."""
    return count(tx, "learning/delete_co_recalled", "deleted", brain=scope.brain, isTest=scope.is_test)


def create_co_recalled(
    tx: ManagedTransaction, scope: Scope, *, bonds: Mapping[str, Bond], nodes: Mapping[str, str]
) -> int:
    """Draw `bonds`, by pair, between the `nodes` that their roots stand for; how many."""
    drawn = [
        {
            "low": nodes[low],
            "high": nodes[high],
            "pair": pair,
            "weight": bond.weight,
            "lastFired": iso(bond.last_fired),
            "lastFiredDay": utc_day(bond.last_fired),
            "fires": bond.fires,
        }
        for pair, bond in bonds.items()
        for low, _, high in (pair.partition("|"),)
    ]
    return count(tx, "learning/create_co_recalled", "created", brain=scope.brain, isTest=scope.is_test, rows=drawn)


def _is_live_after(change: Mapping[str, Any]) -> bool:
    return change["kind"] not in _LEAVING and change["tier"] != Tier.EXPIRED.value
