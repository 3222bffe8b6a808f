"""The whole model in plain Python, to hold a real brain against: lives of memories, without a database.

Arithmetic comes from domain/energy.py, the rest is model.md once more: what an event and a pass do to a memory in each
state. A memory is known by its root, the id that it was born with.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from brainbridge.domain.clock import hours_between
from brainbridge.domain.energy import (
    Law,
    boosted,
    contradicted,
    effective_energy,
    reinforced,
    revived,
    supported,
)
from brainbridge.domain.relation import Relation
from brainbridge.domain.tier import MemoryType, Producer, Tier

OPEN_INTERVAL = timedelta(minutes=30)


class Refusal(Exception):
    """The model refuses; `kind` is the name of the error that brainbridge must raise."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass
class Life:
    """One memory. `energy` is valid at `at`; `tiers` is its way; `state` is live, expired, forgotten or superseded."""

    text: str
    birth: float
    tier: Tier
    energy: float
    at: datetime
    core: bool
    tiers: list[Tier]
    state: str = "live"
    accesses: int = 1
    restatements: int = 0
    opened: datetime | None = None
    superseded_by: "Life | None" = None
    root: str = ""

    @property
    def archived(self) -> bool:
        return self.state in ("forgotten", "superseded")

    def left(self, now: datetime, law: Law) -> float:
        """The effective energy."""
        if self.state != "live":
            return self.energy
        return effective_energy(self.energy, self.tier, hours_between(self.at, now), core=self.core, law=law)

    def settle(self, now: datetime, law: Law) -> None:
        self.energy, self.at = self.left(now, law), max(self.at, now)


@dataclass
class Edge:
    """A declared relation; `checked` is the last UTC day on which a run looked at it."""

    source: Life
    relation: Relation
    target: Life
    checked: str = ""


@dataclass
class Model:
    """One scope of a brain."""

    law: Law
    now: datetime
    lives: list[Life] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)

    # What events share

    def settle(self, life: Life) -> bool:
        """Bring a memory to now; whether it is live, and not faded where events promote."""
        if life.state != "live":
            return False
        life.settle(self.now, self.law)
        if self.law.by_event and self._faded(life):
            self._expire(life)
        return life.state == "live"

    def lift(self, life: Life) -> None:
        """Where events promote, promote it as far as it stands above its threshold."""
        while self.law.by_event and self._rises(life):
            self._promote(life)

    def current(self, life: Life) -> Life:
        """Where a memory lives on: live or expired."""
        while life.superseded_by is not None:
            life = life.superseded_by
        if life.state == "forgotten":
            raise Refusal("NotFound")
        return life

    def on_live(self, life: Life) -> Life | None:
        """What an event on `life` happens to, settled; None if that has expired."""
        if self.settle(life):
            return life
        head = self.current(life)
        return head if self.settle(head) else None

    # Events

    def say(self, text: str, *, memory_type: MemoryType | None, producer: Producer, core: bool) -> tuple[str, Life]:
        """Remember: the outcome, and the memory."""
        there = next((life for life in self.lives if life.text == text and not life.archived), None)
        if there is None:
            tier, energy = self.law.birth(memory_type=memory_type, producer=producer, core=core)
            _, birth = self.law.birth(memory_type=memory_type, producer=producer, core=False)
            life = Life(text, birth, tier, energy, self.now, core, [tier])
            self.lives.append(life)
            self.lift(life)
            return "created", life
        outcome = "reinforced" if self.settle(there) else "revived"
        there.restatements += 1
        if outcome == "reinforced":
            there.energy = reinforced(there.energy, there.tier, self.law)
        else:
            there.energy, there.at = revived(there.birth, there.restatements, self.law), max(there.at, self.now)
            there.tier, there.state = Tier.WORKING, "live"
            there.tiers[-1] = Tier.WORKING
        self.lift(there)
        return outcome, there

    def boost(self, life: Life) -> Life:
        head = self.on_live(life)
        if head is None:
            raise Refusal("NotFound")
        head.energy, head.accesses = boosted(head.energy, self.law), head.accesses + 1
        self.lift(head)
        return head

    def open(self, life: Life) -> Life:
        if life.state == "forgotten":
            return life
        head = self.on_live(life)
        if head is None:
            return self.current(life)
        head.accesses += 1
        if head.opened is None or head.at - head.opened >= OPEN_INTERVAL:
            head.energy, head.opened = boosted(head.energy, self.law), head.at
        self.lift(head)
        return head

    def pin(self, life: Life, *, core: bool) -> Life:
        head = self.on_live(life)
        if head is None:
            raise Refusal("Refused")
        head.core = core
        self.lift(head)
        return head

    def forget(self, life: Life) -> Life:
        if self.current(life) is not life:
            raise Refusal("Refused")
        self.settle(life)
        life.at, life.state = max(life.at, self.now), "forgotten"
        return life

    def restore(self, life: Life) -> Life:
        if life.state != "forgotten":
            raise Refusal("Refused")
        if any(other.text == life.text and not other.archived for other in self.lives):
            raise Refusal("Refused")
        life.at, life.state = max(life.at, self.now), "expired" if life.tier is Tier.EXPIRED else "live"
        return life

    def supersede(self, old: Life, new: Life) -> Life:
        if self.current(old) is not old:
            raise Refusal("Refused")
        head = self.current(new)
        if head is old:
            raise Refusal("InvalidValue")
        if head.state != "live":
            raise Refusal("Refused")
        self.settle(old)
        if not self.settle(head):
            raise Refusal("Refused")
        old.at, old.state, old.superseded_by = max(old.at, self.now), "superseded", head
        return old

    def relate(self, source: Life, relation: Relation, target: Life) -> None:
        source, target = self.current(source), self.current(target)
        if source is target:
            raise Refusal("InvalidValue")
        drawn = [(edge.source.root, edge.relation, edge.target.root) for edge in self.edges]
        if (source.root, relation, target.root) not in drawn:
            self.edges.append(Edge(source, relation, target))

    # Passes

    def run(self, operation: str) -> None:
        """A whole run, or a pass alone, which settles first where it compares."""
        if operation != "relate":
            for life in self.lives:
                if life.state == "live":
                    life.settle(self.now, self.law)
        if operation in ("consolidate", "relate"):
            self._relate()
        if operation in ("consolidate", "expire"):
            for life in filter(self._faded, self.lives):
                self._expire(life)
        if operation in ("consolidate", "promote"):
            for tier in (Tier.SHORT_TERM, Tier.WORKING):
                for life in self.lives:
                    if life.tier is tier and self._rises(life):
                        self._promote(life)

    def _relate(self) -> None:
        day = self.now.astimezone(UTC).date().isoformat()
        due = [edge for edge in self.edges if edge.checked < day]
        live = [edge for edge in due if all([self.settle(edge.source), self.settle(edge.target)])]
        for edge in due:
            edge.checked = day
        for edge in sorted(live, key=lambda edge: edge.relation is Relation.CONTRADICTS):
            against = edge.relation is Relation.CONTRADICTS
            for end in (edge.source, edge.target) if against else (edge.target,):
                if end.state == "live" and not end.core:
                    end.energy = (
                        contradicted(end.energy, end.tier, self.law) if against else supported(end.energy, self.law)
                    )

    def _faded(self, life: Life) -> bool:
        expires = life.state == "live" and not life.core and life.tier in (Tier.WORKING, Tier.SHORT_TERM)
        return expires and life.energy < self.law.expiry_threshold

    def _rises(self, life: Life) -> bool:
        threshold = self.law.threshold(life.tier)
        return life.state == "live" and not life.core and threshold is not None and life.energy > threshold

    def _expire(self, life: Life) -> None:
        life.tier, life.state = Tier.EXPIRED, "expired"
        life.tiers[-1] = Tier.EXPIRED

    def _promote(self, life: Life) -> None:
        onward = life.tier.next
        assert onward is not None
        life.tier = onward
        life.tiers.append(onward)

    # What to compare

    def picture(self) -> dict[str, dict[str, Any]]:
        """How every memory stands, by its root."""
        return {
            life.root: {
                "state": life.state,
                "tiers": [tier.value for tier in life.tiers],
                "core": life.core,
                "accesses": life.accesses,
                "restatements": life.restatements,
                "opened": life.opened,
                "supersededBy": life.superseded_by.root if life.superseded_by else None,
                "relations": sorted(f"{e.relation.name} {e.target.root}" for e in self.edges if e.source is life),
            }
            for life in self.lives
        }

    def energies(self) -> dict[str, float]:
        """The effective energy of every memory, by its root."""
        return {life.root: life.left(self.now, self.law) for life in self.lives}
