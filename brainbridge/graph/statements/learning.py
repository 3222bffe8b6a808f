"""cypher/learning/*.cypher as functions: pages, misses, what is recalled together, shadow rankings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from neo4j import Transaction

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
class TopRecalled:
    """A memory, and on how many pages it was a strong hit."""

    id: str
    content: str
    pages: int


@dataclass(frozen=True, slots=True)
class LifeRow:
    """A memory that was opened. `node`: its handle in this transaction; `related`: (root, since) of each relation."""

    node: str
    life: Life
    related: tuple[tuple[str, datetime], ...]


def record_page(
    tx: Transaction,
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


def list_misses(tx: Transaction, scope: Scope, *, resolved: bool, limit: int) -> list[Miss]:
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


def count_misses(tx: Transaction, scope: Scope) -> int:
    """Open misses."""
    return count(tx, "learning/count_misses", "open", brain=scope.brain, isTest=scope.is_test)


def begin_opening(tx: Transaction, scope: Scope, *, id: str, since: datetime, until: datetime) -> list[Turn]:
    """Wait for one's turn and lock a memory with all that were opened in that time; without it if it is not live."""
    found = rows(tx, "learning/begin_opening", brain=scope.brain, isTest=scope.is_test, id=id, since=since, until=until)
    return [Turn(row["id"], row["root"], row["opened"], row["bonds"]) for row in found]


def fire(tx: Transaction, scope: Scope, *, id: str, others: Mapping[str, datetime]) -> list[Fire]:
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


def trim(tx: Transaction, scope: Scope, *, ids: Sequence[str], at: datetime, fired: Sequence[str]) -> int:
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


def list_co_recalled(tx: Transaction, scope: Scope, *, id: str) -> list[CoRecalled]:
    """The live memories that a live memory has been opened together with, in no order."""
    found = rows(tx, "learning/list_co_recalled", brain=scope.brain, isTest=scope.is_test, id=id)
    return [CoRecalled(row["id"], row["content"], Bond(row["weight"], row["lastFired"], row["fires"])) for row in found]


def attribute(tx: Transaction, scope: Scope, *, id: str, event: str, since: datetime, at: datetime) -> str | None:
    """Join an opening to the last page that showed its memory; the page's id, None if there was none."""
    row = one(tx, "learning/attribute", brain=scope.brain, isTest=scope.is_test, id=id, event=event, since=since, at=at)
    return row["page"] if row else None


def list_lives(tx: Transaction, scope: Scope) -> list[LifeRow]:
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


def delete_co_recalled(tx: Transaction, scope: Scope) -> int:
    """Keep openings out until the transaction ends, and take every bond of a scope away; how many."""
    return count(tx, "learning/delete_co_recalled", "deleted", brain=scope.brain, isTest=scope.is_test)


def create_co_recalled(tx: Transaction, scope: Scope, *, bonds: Mapping[str, Bond], nodes: Mapping[str, str]) -> int:
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


def read_activation(
    tx: Transaction, scope: Scope, *, ids: Sequence[str], since: datetime, at: datetime
) -> list[tuple[str, Bond]]:
    """The bonds that memories have with those opened in that time: (memory, bond), several of one memory possible."""
    found = rows(
        tx, "learning/read_activation", brain=scope.brain, isTest=scope.is_test, ids=list(ids), since=since, at=at
    )
    return [(row["id"], Bond(row["weight"], row["lastFired"])) for row in found]


def read_verdicts(
    tx: Transaction, scope: Scope, *, candidate: str, since: datetime
) -> list[tuple[list[int], list[int]]]:
    """For each page that `candidate` orders otherwise and something was opened from: its places, the opened ranks."""
    found = rows(
        tx, "learning/read_verdicts", brain=scope.brain, isTest=scope.is_test, candidate=candidate, since=since
    )
    return [(row["places"], row["opened"]) for row in found]


def count_events(
    tx: Transaction, scope: Scope, *, kinds: Sequence[str], since: datetime, until: datetime
) -> dict[str, int]:
    """How many events of each of these kinds there were in a time."""
    found = rows(
        tx,
        "learning/count_events",
        brain=scope.brain,
        isTest=scope.is_test,
        kinds=list(kinds),
        since=since,
        until=until,
    )
    return {row["kind"]: row["events"] for row in found}


def count_pages(tx: Transaction, scope: Scope, *, since: datetime, until: datetime) -> tuple[int, int]:
    """How many recalls there were in a time, and how many of them without a strong answer."""
    row = one(tx, "learning/count_pages", brain=scope.brain, isTest=scope.is_test, since=since, until=until)
    assert row is not None  # an aggregation gives one row always
    return row["pages"], row["misses"]


def list_top_recalled(
    tx: Transaction, scope: Scope, *, since: datetime, until: datetime, limit: int
) -> list[TopRecalled]:
    """The memories that were a strong answer most often in a time."""
    found = rows(
        tx,
        "learning/list_top_recalled",
        brain=scope.brain,
        isTest=scope.is_test,
        since=since,
        until=until,
        limit=limit,
    )
    return [TopRecalled(row["id"], row["content"], row["pages"]) for row in found]


def prune_events(tx: Transaction, scope: Scope, *, kind: str, before: datetime, batch: int) -> int:
    """Delete one page of the events of a kind before an instant; how many."""
    return count(
        tx,
        "learning/prune_events",
        "pruned",
        brain=scope.brain,
        isTest=scope.is_test,
        kind=kind,
        before=before,
        batch=batch,
    )


def prune_pages(tx: Transaction, scope: Scope, *, before: datetime, batch: int) -> int:
    """Delete one page of the recalls before an instant, with their shadow orders; how many recalls."""
    return count(
        tx, "learning/prune_pages", "pruned", brain=scope.brain, isTest=scope.is_test, before=before, batch=batch
    )


def prune_misses(tx: Transaction, scope: Scope, *, before: datetime, batch: int) -> int:
    """Delete one page of the misses last asked before an instant; how many."""
    return count(
        tx, "learning/prune_misses", "pruned", brain=scope.brain, isTest=scope.is_test, before=before, batch=batch
    )


def clear_test_records(tx: Transaction, scope: Scope, *, batch: int) -> int:
    """Delete one page of what was recorded of test recalls; how many."""
    return count(tx, "learning/clear_test_records", "cleared", brain=scope.brain, isTest=scope.is_test, batch=batch)
