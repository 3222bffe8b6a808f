"""Open: a person or an agent reads one memory in full. That is an access, worth energy at most once in half an hour."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import uuid4

from neo4j import ManagedTransaction

from brainbridge.domain.energy import Law, weight_of_energy
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.graph import transitions
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import edges, inspect, memory
from brainbridge.graph.statements.edges import Related
from brainbridge.graph.statements.inspect import Record
from brainbridge.graph.statements.memory import Settled
from brainbridge.memory.event import on_live


@dataclass(frozen=True, slots=True)
class Opened:
    """A memory as it stands after it was opened, whole.

    `energy` is the effective one at `at`. `before` and `counted` are None if the memory is not live: it was shown, and
    nothing was changed. `counted` says whether this opening was one that may add energy.
    """

    record: Record
    lineage: tuple[dict[str, Any], ...]
    relations: tuple[Related, ...]
    at: datetime
    energy: float
    before: float | None
    counted: bool | None

    @property
    def memory(self) -> Memory:
        """The memory itself."""
        return self.record.memory

    @property
    def weight(self) -> float:
        """The display weight (0 to 1) of the energy."""
        return weight_of_energy(self.energy)


def open_memory(graph: Graph, scope: Scope, law: Law, target: Memory, *, now: datetime | None = None) -> Opened:
    """Open `target`, or the memory it lives on in; one that has expired or was forgotten is shown as it is.

    Raises:
        NotFound: it is no more.
    """
    if target.forgotten_reason is not None:
        return graph.read("inspect/record", partial(_whole, scope=scope, law=law, id=target.id, at=now or graph.now()))
    change = partial(_opened, law=law, event=str(uuid4()))
    found, opened = on_live(graph, scope, target, change, query="memory/open_memory", now=now)
    if opened is not None:
        return opened
    return graph.read("inspect/record", partial(_whole, scope=scope, law=law, id=found.id, at=now or graph.now()))


def _opened(tx: ManagedTransaction, *, scope: Scope, law: Law, id: str, settled: Settled, event: str) -> Opened | None:
    done = memory.open_memory(tx, scope, id=id, event=event)
    if done is None:
        return None
    head = transitions.risen(tx, scope, id=id, settled=settled, energy=done.after)
    return _whole(tx, scope=scope, law=law, id=head.id, at=done.at, before=done.before, counted=done.counted)


def _whole(
    tx: ManagedTransaction,
    *,
    scope: Scope,
    law: Law,
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
        energy=record.memory.energy_at(at, law),
        before=before,
        counted=counted,
    )
