"""cypher/memory/*.cypher as functions: the life of single memories."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from neo4j import Transaction

from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier
from brainbridge.graph.records import count, memory, misshapen, one, rows


@dataclass(frozen=True, slots=True)
class Settled:
    """A memory's effective energy, and the instant it is for.

    Where events promote (promotionBasis): the energy above which one does, and whether it counts as expired.
    """

    energy: float
    tier: Tier
    at: datetime
    promotes_above: float | None = None
    faded: bool = False


@dataclass(frozen=True, slots=True)
class Boosted:
    """One access: energy before and after at the instant `at`; `id` and `tier` are those that it lives on with."""

    id: str
    before: float
    after: float
    at: datetime
    tier: Tier
    access_count: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that a text may restate."""

    id: str
    content: str
    tier: Tier


@dataclass(frozen=True, slots=True)
class Raised:
    """A restatement: energy before and after at the instant `at`, and the tier it left the memory in."""

    before: float
    after: float
    tier: Tier
    at: datetime


@dataclass(frozen=True, slots=True)
class Opening:
    """One opening: energy before and after at the instant `at`; `counted` if it was one that may add energy."""

    before: float
    after: float
    at: datetime
    counted: bool


@dataclass(frozen=True, slots=True)
class Pinned:
    """A memory that is protected, or no longer; `changed` is false if it stood so before.

    `id` and `tier` are those that the memory lives on with.
    """

    id: str
    energy: float
    tier: Tier
    changed: bool


@dataclass(frozen=True, slots=True)
class Archived:
    """A memory put into the archive: what it had, and the tier it stood in."""

    energy: float
    tier: Tier
    at: datetime
    core: bool = False


@dataclass(frozen=True, slots=True)
class Restored:
    """A memory brought back; if `taken`, nothing was done: that memory has been born with the same text since."""

    energy: float
    tier: Tier
    taken: str | None


def create_memories(tx: Transaction, scope: Scope, *, births: Sequence[Mapping[str, Any]]) -> int:
    """Bear memories; how many were not there before."""
    return count(
        tx,
        "memory/create_memories",
        "created",
        brain=scope.brain,
        isTest=scope.is_test,
        scope=scope.token,
        rows=[dict(birth) for birth in births],
    )


def settle(tx: Transaction, scope: Scope, *, now: datetime, id: str) -> Settled | None:
    """Lock a live memory and bring its energy to `now`; None if it is not live.

    Raises:
        Misshapen: a hand edit gave it a value outside the model. Nothing was changed.
    """
    row = one(tx, "memory/settle", brain=scope.brain, isTest=scope.is_test, now=now, id=id)
    if row is None:
        return None
    if not row["sound"]:
        raise misshapen(id, "one of tier, energy, lastDecay, core")
    return Settled(row["energy"], Tier(row["tier"]), row["at"], row["promotesAbove"], row["faded"])


def boost(tx: Transaction, scope: Scope, *, id: str, event: str) -> Boosted | None:
    """Add one access to a memory that `settle` has just locked; None if it is not live."""
    row = one(tx, "memory/boost", brain=scope.brain, isTest=scope.is_test, id=id, event=event)
    if row is None:
        return None
    return Boosted(id, row["before"], row["after"], row["at"], Tier(row["tier"]), row["accessCount"])


def open_memory(tx: Transaction, scope: Scope, *, id: str, event: str) -> Opening | None:
    """Add one opening to a memory that `settle` has just locked; None if it is not live."""
    row = one(tx, "memory/open_memory", brain=scope.brain, isTest=scope.is_test, id=id, event=event)
    return Opening(row["before"], row["after"], row["at"], row["counted"]) if row else None


def pin(tx: Transaction, scope: Scope, *, id: str, core: bool, event: str) -> Pinned | None:
    """Protect a memory that `settle` has just locked, or let it fade again; None if it is not live."""
    row = one(tx, "memory/pin", brain=scope.brain, isTest=scope.is_test, id=id, core=core, event=event)
    return Pinned(id, row["energy"], Tier(row["tier"]), row["changed"]) if row else None


def forget(tx: Transaction, scope: Scope, *, now: datetime, id: str, reason: str, event: str) -> Archived | None:
    """Archive a memory, live (after `settle`) or expired; None if it is archived already."""
    row = one(tx, "memory/forget", brain=scope.brain, isTest=scope.is_test, now=now, id=id, reason=reason, event=event)
    return Archived(row["energy"], Tier(row["tier"]), row["at"], row["core"]) if row else None


def restore(tx: Transaction, scope: Scope, *, now: datetime, id: str, event: str) -> Restored | None:
    """Bring a forgotten memory back; None if it was not forgotten, or lives on in another one."""
    row = one(tx, "memory/restore", brain=scope.brain, isTest=scope.is_test, now=now, id=id, event=event)
    return Restored(row["energy"], Tier(row["tier"]), row["taken"]) if row else None


def supersede(
    tx: Transaction, scope: Scope, *, now: datetime, old: str, new: str, reason: str | None, event: str
) -> Archived | None:
    """Archive `old` in favour of `new`, after `settle` of both; None if `old` is archived or `new` not live."""
    row = one(
        tx,
        "memory/supersede",
        brain=scope.brain,
        isTest=scope.is_test,
        now=now,
        old=old,
        new=new,
        reason=reason,
        event=event,
    )
    return Archived(row["energy"], Tier(row["tier"]), row["at"]) if row else None


def read_memory(tx: Transaction, scope: Scope, *, id: str) -> Memory | None:
    """One memory in any state."""
    row = one(tx, "memory/read_memory", brain=scope.brain, isTest=scope.is_test, id=id)
    return memory(row["memory"]) if row else None


def find_by_prefix(tx: Transaction, scope: Scope, *, prefix: str, limit: int) -> list[Memory]:
    """Memories in any state whose id begins with `prefix`."""
    found = rows(tx, "memory/find_by_prefix", brain=scope.brain, isTest=scope.is_test, prefix=prefix, limit=limit)
    return [memory(row["memory"]) for row in found]


def find_by_text(tx: Transaction, scope: Scope, *, text: str, limit: int) -> list[Memory]:
    """Live memories whose content or subject holds `text`, whatever its case."""
    found = rows(tx, "memory/find_by_text", brain=scope.brain, isTest=scope.is_test, text=text, limit=limit)
    return [memory(row["memory"]) for row in found]


def find_successor(tx: Transaction, scope: Scope, *, id: str) -> Memory | None:
    """The memory that an archive lives on in."""
    row = one(tx, "memory/find_successor", brain=scope.brain, isTest=scope.is_test, id=id)
    return memory(row["memory"]) if row else None


def list_test_memories(tx: Transaction, scope: Scope, *, limit: int) -> list[Memory]:
    """Test memories that are not archived, the most energetic first."""
    found = rows(tx, "memory/list_test_memories", brain=scope.brain, isTest=scope.is_test, limit=limit)
    return [memory(row["memory"]) for row in found]


def clear_test_memories(tx: Transaction, scope: Scope, *, batch: int) -> int:
    """Delete one page of test memories with their ledger; how many."""
    return count(tx, "memory/clear_test_memories", "cleared", brain=scope.brain, isTest=scope.is_test, batch=batch)


def probe_restatements(
    tx: Transaction, scope: Scope, *, probes: Sequence[Mapping[str, Any]], lag: timedelta, limit: int
) -> list[tuple[Candidate | None, list[Candidate]]]:
    """For each probe the memory with exactly its text, and those near it; in the order of the probes."""
    found = rows(
        tx,
        "memory/probe_restatements",
        brain=scope.brain,
        isTest=scope.is_test,
        rows=[dict(probe) for probe in probes],
        lagMs=lag // timedelta(milliseconds=1),
        limit=limit,
    )
    by_row = {
        row["row"]: (
            _candidate(row["exact"]) if row["exact"] else None,
            [_candidate(near) for near in row["near"] if _comparable(near)],
        )
        for row in found
    }
    return [by_row[probe["row"]] for probe in probes]


def await_bands(tx: Transaction) -> None:
    """Wait until the full-text index shows everything that was committed before this call."""
    rows(tx, "memory/await_bands")


def reinforce(tx: Transaction, scope: Scope, *, id: str, event: str) -> Raised | None:
    """Raise a memory that `settle` has just locked; None if it is not live."""
    row = one(tx, "memory/reinforce", brain=scope.brain, isTest=scope.is_test, id=id, event=event)
    return Raised(row["before"], row["after"], Tier(row["tier"]), row["at"]) if row else None


def revive(tx: Transaction, scope: Scope, *, now: datetime, id: str, event: str) -> Raised | None:
    """Bring an expired memory back; None if it is not expired, or the law has reviving off."""
    row = one(tx, "memory/revive", brain=scope.brain, isTest=scope.is_test, now=now, id=id, event=event)
    return Raised(row["before"], row["after"], Tier(row["tier"]), row["at"]) if row else None


def release_text(tx: Transaction, scope: Scope, *, id: str) -> int:
    """Let an expired memory give up its claim on its text."""
    return count(tx, "memory/release_text", "released", brain=scope.brain, isTest=scope.is_test, id=id)


def link_source(
    tx: Transaction,
    scope: Scope,
    *,
    now: datetime,
    id: str,
    label: str,
    source: str,
    properties: Mapping[str, Any],
) -> None:
    """Hang a memory on its source node, which is made if it is not there."""
    rows(
        tx,
        "memory/link_source",
        brain=scope.brain,
        isTest=scope.is_test,
        now=now,
        id=id,
        label=label,
        source=source,
        properties=dict(properties),
    )


def _comparable(found: Mapping[str, Any]) -> bool:
    """Whether a near text can be compared; one that a hand edit spoiled restates nothing."""
    return isinstance(found["id"], str) and isinstance(found["content"], str) and found["tier"] in tuple(Tier)


def _candidate(found: Mapping[str, Any]) -> Candidate:
    if not _comparable(found):
        raise misshapen(found["id"], f"id {found['id']!r}, content {found['content']!r:.40}, tier {found['tier']!r}")
    return Candidate(found["id"], found["content"], Tier(found["tier"]))
