"""Every energy is provable: a storm of events leaves ledgers that lead to what is stored, and a hand edit is found."""

import math
import random
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

import pytest

from brainbridge.app import Brain
from brainbridge.domain.errors import BrainbridgeError
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.inspection import verify
from tests.support import T0, everything_but, hours, minutes, query

WORDS = ("river", "stone", "lantern", "harbour", "violin", "copper", "meadow", "engine", "paper", "winter", "signal")


class Storm:
    """Random events on one brain's scope, at instants that mostly go forward and now and then stand still."""

    def __init__(self, brain: Brain, seed: int, *, test: bool) -> None:
        self.brain, self.test, self.random = brain, test, random.Random(seed)
        self.now: datetime = T0
        self.ids, self.texts = list[str](), list[str]()

    def run(self, steps: int) -> None:
        deeds: list[tuple[Callable[[], object], int]] = [
            (self._bear, 6),
            (lambda: self._any(self.brain.boost), 6),
            (lambda: self._any(self.brain.open), 8),
            (lambda: self._any(self.brain.pin), 2),
            (lambda: self._any(self.brain.unpin), 2),
            (lambda: self._any(self.brain.forget), 2),
            (lambda: self._any(self.brain.restore), 3),
            (self._supersede, 1),
            (self._link, 3),
            (lambda: self.brain.consolidate(test=self.test, now=self.now), 5),
            (lambda: self.brain.decay(test=self.test, now=self.now), 1),
            (self._change_law, 1),
        ]
        for _ in range(steps):
            self.now += minutes(self.random.choice([0, 0, 1, 7, 15, 29, 31, 60, 600]))
            (deed,) = self.random.choices([deed for deed, _ in deeds], [weight for _, weight in deeds])
            with suppress(BrainbridgeError):  # expired, forgotten, superseded: refusals are part of the weather
                deed()

    def _bear(self) -> None:
        if self.test:
            energy, tier = self.random.uniform(0.05, 7), self.random.choice(["working", "shortTerm", "longTerm"])
            self.ids.append(self.brain.create_test_memory("a note", energy, tier, now=self.now).id)
            return
        if not self.texts or self.random.random() < 0.7:
            self.texts.append(" ".join(self.random.sample(WORDS, 6)))
        text = self.random.choice(self.texts)  # some are said again: they reinforce, or revive
        kind = self.random.choice(["crystallization", "reminder", "learning", None])
        born = self.brain.remember(text, memory_type=kind, core=self.random.random() < 0.1, at=self.now)
        self.ids.append(born.id)

    def _any(self, verb: Callable[..., object]) -> None:
        if self.ids:
            verb(self.random.choice(self.ids), test=self.test, now=self.now)

    def _supersede(self) -> None:
        if len(self.ids) > 1:
            self.brain.supersede(*self.random.sample(self.ids, 2), test=self.test, now=self.now)

    def _link(self) -> None:
        if len(self.ids) > 1:
            first, second = self.random.sample(self.ids, 2)
            relation = self.random.choice(["extends", "updates", "derives", "contradicts"])
            self.brain.link(first, relation, second, test=self.test, now=self.now)

    def _change_law(self) -> None:
        self.brain.set_law(
            self.now,
            lambda_working=self.random.uniform(0.2, 1.0),
            lambda_long_term=self.random.uniform(0.001, 0.05),
            boost_amount=self.random.uniform(0.5, 1.5),
        )


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("is_test", [True, False])
def test_after_a_storm_nothing_is_wrong(brain: Brain, seed: int, is_test: bool) -> None:
    """Births, boosts, openings, pins, forgettings, relations, runs and changes of λ, replayed to 1e-9 (model.md §4)."""
    storm = Storm(brain, seed, test=is_test)
    storm.run(70)

    found = brain.verify(test=is_test)

    assert () == found.wrong
    assert found.memories > 2
    assert found.events > 20
    assert 0 == found.unproven


def edit(brain: Brain, change: str, id_: str) -> None:
    """A hand's edit in Neo4j Browser."""
    query(brain.graph, f"MATCH (m:Memory {{id: $id}}) {change}", id=id_)


@pytest.mark.parametrize(
    ("change", "event", "what"),
    [
        ("SET m.energy = m.energy * 1.0000001", "stored", "energy"),
        ("SET m.lastDecay = m.lastDecay + duration('PT1M')", "stored", "energy"),
        ("SET m.tier = 'longTerm'", "stored", "tier"),
        ("WITH m MATCH (e:EnergyEvent {kind: 'boosted'})-[:OF]->(m) DETACH DELETE e", "opened", "before"),
        ("WITH m MATCH (e:EnergyEvent {kind: 'boosted'})-[:OF]->(m) SET e.after = 9.0", "boosted", "after"),
    ],
)
def test_a_hand_edit_is_found(brain: Brain, change: str, event: str, what: str) -> None:
    """By the memory's id, with the first event that does not follow; its neighbours are not accused."""
    ids = [brain.create_test_memory(f"note {number}", 1.0, "working", now=T0).id for number in range(3)]
    for id_ in ids:
        brain.boost(id_, test=True, now=T0 + minutes(10))
        brain.open(id_, test=True, now=T0 + minutes(20))
    edit(brain, change, ids[1])

    found = brain.verify(test=True)

    assert {ids[1]} == {wrong.id for wrong in found.wrong}
    assert (event, what) == (found.wrong[0].fault.event, found.wrong[0].fault.what)
    assert found.wrong == brain.verify(ids[1], test=True).wrong
    assert () == brain.verify(ids[0], test=True).wrong


def test_an_edit_of_a_tier_that_a_run_has_noted_is_no_fault(brain: Brain) -> None:
    """A run writes `edited` for a memory that a hand brought back; the replay goes on from there."""
    made = brain.create_test_memory("faint", 0.05, "working", now=T0)
    brain.consolidate(test=True, now=T0)
    edit(brain, "SET m.tier = 'working', m.energy = 1.5", made.id)
    brain.consolidate(test=True, now=T0 + hours(1))
    brain.boost(made.id, test=True, now=T0 + hours(2))

    assert () == brain.verify(test=True).wrong


def test_a_change_of_the_law_settles_what_faded_before_it(brain: Brain) -> None:
    """Two hours by λ 0.5, then one by λ 1.0, although no run came in between (R-004-34)."""
    made = brain.create_test_memory("a note", 2.0, "working", now=T0)
    real = brain.remember("a fact", memory_type="learning", at=T0)

    brain.set_law(T0 + hours(2), lambda_working=1.0)
    for is_test in (True, False):
        brain.decay(test=is_test, now=T0 + hours(3))

    energies = [brain.find(made.id, test=True).energy, brain.find(real.id).energy]
    assert [pytest.approx(2.0 * math.exp(-0.5 * 2 - 1.0), abs=1e-9)] * 2 == energies
    assert () == brain.verify(test=True).wrong + brain.verify().wrong


def test_a_change_that_does_not_touch_fading_settles_nothing(brain: Brain) -> None:
    """Thresholds and amounts act at events; a million energies need not be written for them."""
    made = brain.create_test_memory("a note", 2.0, "working", now=T0)

    brain.set_law(T0 + hours(2), boost_amount=0.5, threshold_working=2.5)

    assert T0 == brain.find(made.id, test=True).last_decay


def test_pages_of_any_size_see_every_memory(brain: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page boundary falls nowhere special; archives of a promotion have no ledger of their own."""
    for number in range(10):
        brain.create_test_memory(f"note {number}", 3.0, "working", now=T0)
    brain.consolidate(test=True, now=T0)

    counts = set()
    for page in (1, 3, 7, 1_000):
        monkeypatch.setattr(verify, "PAGE", page)
        found = brain.verify(test=True)
        counts.add((found.memories, found.events, found.unproven, len(found.wrong)))

    assert {(10, 20, 0, 0)} == counts


def test_a_memory_without_events_is_not_accused(brain: Brain) -> None:
    """Its ledger was pruned: nothing can be said of it, and that is said."""
    made = brain.create_test_memory("a note", 3.0, "working", now=T0)
    edit(brain, "WITH m MATCH (e:EnergyEvent)-[:OF]->(m) DETACH DELETE e", made.id)

    found = brain.verify(test=True)

    assert (0, 1, ()) == (found.memories, found.unproven, found.wrong)


def test_a_pruned_ledger_is_replayed_from_its_oldest_event(brain: Brain) -> None:
    """The birth is gone; what is left still leads to the stored energy (event_retention_days)."""
    made = brain.create_test_memory("a note", 3.0, "longTerm", now=T0)
    brain.pin(made.id, test=True, now=T0 + hours(1))
    brain.unpin(made.id, test=True, now=T0 + hours(5))
    brain.boost(made.id, test=True, now=T0 + hours(9))
    edit(brain, "WITH m MATCH (e:EnergyEvent)-[:OF]->(m) WHERE e.kind IN ['born', 'pinned'] DETACH DELETE e", made.id)

    assert (1, ()) == ((found := brain.verify(test=True)).memories, found.wrong)


def test_verifying_beside_writers_accuses_nobody(brain: Brain) -> None:
    """Properties and events may be read on both sides of a commit; what looks wrong is looked at again."""
    ids = [brain.create_test_memory(f"note {number}", 1.0, "longTerm").id for number in range(5)]
    stop, failed = threading.Event(), list[Exception]()

    def write(seed: int) -> None:
        chosen = random.Random(seed)
        while not stop.is_set():
            try:
                chosen.choice([brain.boost, brain.open])(chosen.choice(ids), test=True)
            except Exception as error:
                failed.append(error)
                return

    writers = [threading.Thread(target=write, args=(seed,)) for seed in range(2)]
    for writer in writers:
        writer.start()
    found = [brain.verify(test=True) for _ in range(20)]
    stop.set()
    for writer in writers:
        writer.join()

    assert [] == failed
    assert [()] * 20 == [each.wrong for each in found]
    assert found[0].events < found[-1].events
    assert () == brain.verify(test=True).wrong


def test_verifying_writes_nothing(brain: Brain, graph: Graph) -> None:
    """Neither in its own scope nor elsewhere."""
    brain.create_test_memory("a note", 1.0, "working", now=T0)
    nobody = Scope("nobody").brain
    before = everything_but(graph, nobody, is_test=False)

    brain.verify(test=True)
    brain.verify()

    assert before == everything_but(graph, nobody, is_test=False)
