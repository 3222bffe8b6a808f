"""Proves a brain's energies: each memory's ledger is replayed through the law and must meet what is stored."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from neo4j import Transaction

from brainbridge.domain.ledger import Standing
from brainbridge.domain.memory import Memory
from brainbridge.domain.replay import Fault, Laws, replay
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import inspect, memory
from brainbridge.graph.statements.inspect import Ledger

# Memories a page: a few MB with their events, and a transaction of a tenth of a second.
PAGE = 1_000
# A memory that looks wrong is read again so often: properties and events may have been read on both sides of a commit.
LOOKS = 3


@dataclass(frozen=True, slots=True)
class Wrong:
    """A memory whose ledger and stored energy do not follow from each other."""

    id: str
    fault: Fault


@dataclass(frozen=True, slots=True)
class Verification:
    """What a replay found. `unproven`: not archived, but without events; their ledger was pruned or deleted."""

    scope: Scope
    memories: int
    events: int
    unproven: int
    wrong: tuple[Wrong, ...]


def verify(graph: Graph, scope: Scope, laws: Callable[[], Laws]) -> Verification:
    """Replay every memory of a scope, a page at a time; reads only, and may run beside everything else.

    Archives that were promoted have no events of their own: their ledger went on with the memory they became.

    Args:
        laws: reads the constants through time; again when something looks wrong, they may just have changed.
    """
    found, last, known = Verification(scope, 0, 0, 0, ()), "", laws()
    while page := graph.read("inspect/ledgers", partial(inspect.ledgers, scope=scope, after=last, batch=PAGE)):
        last = page[-1].id
        found = _together(found, page, [wrong for each in page for wrong in _wrong(graph, scope, each, known, laws)])
    return found


def verify_one(graph: Graph, scope: Scope, laws: Callable[[], Laws], target: Memory) -> Verification:
    """Replay one memory."""
    ledger = _read(graph, scope, target.id)
    page = [ledger] if ledger else []
    wrong = [wrong for each in page for wrong in _wrong(graph, scope, each, laws(), laws)]
    return _together(Verification(scope, 0, 0, 0, ()), page, wrong)


def _together(found: Verification, page: list[Ledger], wrong: list[Wrong]) -> Verification:
    return Verification(
        found.scope,
        found.memories + sum(bool(ledger.events) for ledger in page),
        found.events + sum(len(ledger.events) for ledger in page),
        found.unproven + sum(not ledger.events and not ledger.stored.archived for ledger in page),
        (*found.wrong, *wrong),
    )


def _wrong(graph: Graph, scope: Scope, ledger: Ledger, known: Laws, laws: Callable[[], Laws]) -> list[Wrong]:
    """The faults of one memory that are there however often one looks."""
    seen: Ledger | None = ledger
    faults = list[Fault]()
    for look in range(LOOKS):
        if look:
            seen, known = _read(graph, scope, ledger.id), laws()
        if seen is None:  # promoted meanwhile, its ledger has gone on with its new id
            return []
        faults = replay(seen.events, seen.stored, known)
        if not faults:
            return []
    return [Wrong(ledger.id, fault) for fault in faults]


def _read(graph: Graph, scope: Scope, id: str) -> Ledger | None:
    return graph.read("inspect/ledger", partial(_read_in, scope=scope, id=id))


def _read_in(tx: Transaction, *, scope: Scope, id: str) -> Ledger | None:
    found = memory.read_memory(tx, scope, id=id)
    if found is None:
        return None
    stored = Standing(found.last_decay, found.energy, found.tier, found.core, archived=found.valid_to is not None)
    return Ledger(found.id, stored, tuple(inspect.ledger(tx, scope, id=id)))
