"""Open: a person or an agent reads one memory in full. That is an access, worth energy at most once in half an hour."""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Protocol
from uuid import uuid4

from neo4j import Transaction

from brainbridge.domain.coactivation import Companion
from brainbridge.domain.energy import weight_of_energy
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.graph import transitions
from brainbridge.graph.connection import Graph
from brainbridge.graph.law import in_force
from brainbridge.graph.statements import edges, inspect, memory
from brainbridge.graph.statements.edges import Related
from brainbridge.graph.statements.inspect import Record
from brainbridge.graph.statements.memory import Settled
from brainbridge.memory.event import on_live


@dataclass(frozen=True, slots=True)
class Opened:
    """A memory as it stands after it was opened, whole.

    `energy` is the effective one at `at`. `before` and `counted` are None if the memory is not live: it was shown, and
    nothing was changed. `counted` says whether this opening was one that may add energy. `often_recalled_with`: the
    live memories that it is often opened together with, the closest first.
    """

    record: Record
    lineage: tuple[dict[str, Any], ...]
    relations: tuple[Related, ...]
    at: datetime
    energy: float
    before: float | None
    counted: bool | None
    often_recalled_with: tuple[Companion, ...] = ()

    @property
    def memory(self) -> Memory:
        """The memory itself."""
        return self.record.memory

    @property
    def weight(self) -> float:
        """The display weight (0 to 1) of the energy."""
        return weight_of_energy(self.energy)


class Learner(Protocol):
    """What learns from an opening that happens, within its transaction. One for each opening; Brain brings it."""

    def begin(self, tx: Transaction, *, scope: Scope, id: str, now: datetime) -> None:
        """Called before anything is locked; again if the transaction is tried again."""

    def learn(self, tx: Transaction, *, scope: Scope, id: str, event: str, at: datetime) -> tuple[Companion, ...]:
        """Called after the opening; the memories that this one is often opened together with."""


def open_memory(graph: Graph, scope: Scope, target: Memory, learner: Learner, *, now: datetime | None = None) -> Opened:
    """Open `target`, or the memory it lives on in; one that has expired or was forgotten is shown as it is.

    Raises:
        NotFound: it is no more.
    """
    if target.forgotten_reason is not None:
        return graph.read("inspect/record", partial(_whole, scope=scope, id=target.id, at=now or graph.now()))
    change = partial(_opened, learner=learner, event=str(uuid4()))
    found, opened = on_live(graph, scope, target, change, query="memory/open_memory", now=now, first=learner.begin)
    if opened is not None:
        return opened
    return graph.read("inspect/record", partial(_whole, scope=scope, id=found.id, at=now or graph.now()))


def _opened(tx: Transaction, *, scope: Scope, learner: Learner, id: str, settled: Settled, event: str) -> Opened | None:
    done = memory.open_memory(tx, scope, id=id, event=event)
    if done is None:
        return None
    companions = learner.learn(tx, scope=scope, id=id, event=event, at=done.at)
    head = transitions.risen(tx, scope, id=id, settled=settled, energy=done.after)
    opened = _whole(tx, scope=scope, id=head.id, at=done.at, before=done.before, counted=done.counted)
    return replace(opened, often_recalled_with=companions)


def _whole(
    tx: Transaction,
    *,
    scope: Scope,
    id: str,
    at: datetime,
    before: float | None = None,
    counted: bool | None = None,
) -> Opened:
    record = inspect.record(tx, scope, id=id)
    assert record is not None  # it was there a moment ago, and memories are not deleted
    return Opened(
        record=record,
        lineage=tuple(inspect.lineage(tx, scope, id=id)),
        relations=tuple(edges.list_relations(tx, scope, id=id)),
        at=at,
        energy=record.memory.energy_at(at, in_force(tx, scope.brain).law),
        before=before,
        counted=counted,
    )
