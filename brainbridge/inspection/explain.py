"""Why a memory stands where it stands, and what becomes of it if nothing happens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from neo4j import Transaction

from brainbridge.domain.clock import after_hours
from brainbridge.domain.energy import Law, expires_in_hours, weight_of_energy
from brainbridge.domain.errors import NotFound
from brainbridge.domain.ledger import Event, in_order
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import edges, inspect
from brainbridge.graph.statements.edges import Related
from brainbridge.graph.statements.inspect import Record


@dataclass(frozen=True, slots=True)
class Tally:
    """How often one kind of event happened, and when last."""

    count: int
    last: datetime


@dataclass(frozen=True, slots=True)
class Explanation:
    """One memory at `now` by `law`. Energies are effective ones but for the stored one in `record`."""

    record: Record
    now: datetime
    law: Law
    energy: float
    events: Mapping[str, Tally]
    lineage: Sequence[dict[str, Any]]
    relations: Sequence[Related]

    @property
    def memory(self) -> Memory:
        """The memory itself."""
        return self.record.memory

    @property
    def weight(self) -> float:
        """The display weight (0 to 1) of the energy."""
        return weight_of_energy(self.energy)

    @property
    def expires_at(self) -> datetime | None:
        """When its energy meets the expiry threshold if nothing happens; the run after that marks it. None: never."""
        memory = self.memory
        if not memory.live:
            return None
        hours = expires_in_hours(self.energy, memory.tier, core=memory.core, law=self.law)
        return None if hours is None else after_hours(self.now, hours)

    @property
    def threshold(self) -> float | None:
        """The energy above which it promotes; None if nothing promotes it."""
        return self.law.threshold(self.memory.tier) if self.memory.live and not self.memory.core else None

    @property
    def promotes(self) -> bool:
        """Whether a run at `now` promotes it."""
        return self.threshold is not None and self.energy > self.threshold

    @property
    def expires(self) -> bool:
        """Whether a run at `now` marks it as expired."""
        return self.expires_at is not None and self.energy < self.law.expiry_threshold

    @property
    def lacking(self) -> float | None:
        """The energy that is missing to its threshold; 0 if it stands above, None if nothing promotes it."""
        return None if self.threshold is None else max(self.threshold - self.energy, 0.0)


def explain(graph: Graph, scope: Scope, law: Law, id: str, *, now: datetime | None = None) -> Explanation:
    """Explain the memory `id`, in whatever state it is; reads only.

    Raises:
        NotFound: it is no more.
    """
    return graph.read("inspect/record", partial(_explained, scope=scope, law=law, id=id, now=now or graph.now()))


def _explained(tx: Transaction, *, scope: Scope, law: Law, id: str, now: datetime) -> Explanation:
    record = inspect.record(tx, scope, id=id)
    if record is None:
        raise NotFound(f"memory {id} no longer exists.")
    return Explanation(
        record=record,
        now=now,
        law=law,
        energy=record.memory.energy_at(now, law),
        events=_tallied(in_order(inspect.ledger(tx, scope, id=id), core=record.memory.core)),
        lineage=inspect.lineage(tx, scope, id=id),
        relations=edges.list_relations(tx, scope, id=id),
    )


def _tallied(events: Sequence[Event]) -> Mapping[str, Tally]:
    """Per kind, in the order in which each happened first."""
    tallies = dict[str, Tally]()
    for event in events:
        before = tallies.get(event.kind)
        tallies[event.kind] = Tally(before.count + 1 if before else 1, event.at)
    return tallies
