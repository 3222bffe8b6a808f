"""P12: model = graph. A Python model and a real brain live through the same events, and never part.

Bounded for the suite. BRAINBRIDGE_TEST_EXAMPLES=500 looks longer, and each time elsewhere.
"""

import io
import os
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from brainbridge.app import Brain
from brainbridge.domain.energy import DEFAULT_LAW
from brainbridge.domain.errors import BrainbridgeError
from brainbridge.domain.relation import Relation
from brainbridge.domain.tier import MemoryType, Producer, PromotionBasis
from brainbridge.graph.records import memory, native
from brainbridge.transfer import restore
from tests.properties.model import Life, Model, Refusal
from tests.support import T0, query

EXACT = 1e-9
EXAMPLES = int(os.environ.get("BRAINBRIDGE_TEST_EXAMPLES", "0"))
TEXTS = (
    "The lamp in the hall is broken",
    "Oat milk goes into the second cup",
    "Trains leave at noon from platform 9",
    "Every release is tagged by the build",
)
BIRTHS: tuple[dict[str, Any], ...] = (
    {"memory_type": None, "producer": Producer.SYSTEM, "core": False},
    {"memory_type": None, "producer": Producer.INFERENCE, "core": False},
    {"memory_type": None, "producer": Producer.USER, "core": False},
    {"memory_type": None, "producer": Producer.USER, "core": True},
    *({"memory_type": kind, "producer": Producer.USER, "core": False} for kind in MemoryType),
)
VERBS = (
    *("say", "say", "say", "say", "boost", "boost", "boost", "open", "open", "relate", "relate", "run", "run", "run"),
    *("pin", "unpin", "open", "forget", "restore", "restore", "supersede"),
)
OPERATIONS = ("consolidate", "consolidate", "consolidate", "relate", "decay", "expire", "promote")
SPANS = (0, 0, 0, 0, 0, 1, 2, 5, 5, 10, 10, 15, 20, 25, 40, 60, 120, 400, 1_500, 20_000)  # minutes
lived = settings(
    stateful_step_count=30,
    derandomize=not EXAMPLES,
    deadline=None,
    # No shrinking: it takes minutes, and a step depends on how many went before. They are printed as they were.
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
# All memories of a scope in any state, by the indexes of the states, with what hangs on them.
SNAPSHOT = """
CALL () {
  MATCH (m:LiveMemory) WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier IS NOT NULL AND m.lastDecay IS NOT NULL
  RETURN m
  UNION ALL
  MATCH (m:ExpiredMemory) WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier IS NOT NULL
  RETURN m
  UNION ALL
  MATCH (m:ArchivedMemory) WHERE m.brain = $brain AND m.isTest = $isTest
  RETURN m
}
RETURN m {.*} AS m, labels(m) AS labels, COLLECT { MATCH (m)-[:PROMOTED_TO]->(new) RETURN new.id } AS promoted,
       COLLECT { MATCH (m)-[:SUPERSEDED_BY]->(new) RETURN new.root } AS supersededBy,
       COUNT { (m)<-[:OF]-() } AS events,
       COLLECT { MATCH (m)-[r:EXTENDS|UPDATES|DERIVES|CONTRADICTS]->(o) RETURN type(r) + ' ' + o.root } AS relations
"""


def refused(deed: Callable[[], Any]) -> str | None:
    """The kind of error that `deed` was refused with; None if it was not."""
    try:
        deed()
    except Refusal as refusal:
        return refusal.kind
    except BrainbridgeError as error:
        return type(error).__name__
    return None


class Machine(RuleBasedStateMachine):
    """One brain; the scope that is lived in, and a bystander in the other."""

    def __init__(self, make_brain: Callable[..., Brain]) -> None:
        super().__init__()
        self.brain = make_brain()
        self.nodes = self.steps = 0

    @initialize(
        test=st.booleans(),
        basis=st.sampled_from(PromotionBasis),
        births=st.lists(st.sampled_from(BIRTHS), min_size=2, max_size=3),
        seed=st.integers(0, 10**9),
    )
    def begin(self, test: bool, basis: PromotionBasis, births: list[dict[str, Any]], seed: int) -> None:
        self.test, self.seed = test, seed
        if basis is PromotionBasis.EVENT:
            self.brain.set_law(T0, promotion_basis=basis)
        for text in TEXTS[:2]:
            self.brain.remember(text, at=T0, test=not test)
        self.bystander = self.snapshot(test=not test)
        self.model = Model(DEFAULT_LAW.with_changes(promotion_basis=basis), T0)
        for text, birth in zip(TEXTS, births, strict=False):
            self.say(text, birth)

    def snapshot(self, *, test: bool) -> list[dict[str, Any]]:
        rows = query(self.brain.graph, SNAPSHOT, brain=self.brain.name, isTest=test)
        return sorted((native(row) for row in rows), key=lambda row: str(row["m"]["id"]))

    def same(self, theirs: Callable[[], Any], ours: Callable[[], Any]) -> None:
        """Let it happen to both: either both do it, or both refuse with the same kind of error."""
        assert refused(ours) == refused(theirs)

    def head(self, life: Life) -> str:
        """The id of the node that a memory lives on in, or ended in."""
        rows = query(
            self.brain.graph,
            "MATCH (:Memory {id: $root})-[:PROMOTED_TO*0..]->(m) "
            "WHERE NOT EXISTS { (m)-[:PROMOTED_TO]->() } RETURN m.id AS id",
            root=life.root,
        )
        return str(rows[0]["id"])

    # One rule does nearly all: Hypothesis leaves some rules out of each example, and a life needs all of them.

    @rule(dice=st.integers(0, 9_999))
    def something_happens(self, dice: int) -> None:
        # Drawn one by one, most choices would be the first of their list in the few examples a suite has time for.
        chance = Random(f"{self.seed} {dice} {self.steps}")
        self.steps += 1
        # And seven seconds, so that no energy meets a threshold but for its last bit.
        self.model.now += timedelta(minutes=chance.choice(SPANS), seconds=7)
        verb, life, other = chance.choice(VERBS), chance.choice(self.model.lives), chance.choice(self.model.lives)
        note(f"{verb} {life.text!r}, {other.text!r} at {self.model.now}")
        match verb:
            case "run":
                self.run(chance.choice(OPERATIONS))
            case "say":
                self.say(chance.choice([life.text, life.text, *TEXTS]), chance.choice(BIRTHS))
            case _:
                self.same(*self.twins(verb, life, other, chance.choice(list(Relation))))

    @rule(minutes=st.integers(1, 90))
    def the_clock_steps_back(self, minutes: int) -> None:
        self.model.now -= timedelta(minutes=minutes, seconds=13)

    def run(self, operation: str) -> None:
        """A run or a pass, on both sides."""
        report = self.brain.run(operation, test=self.test, now=self.model.now)
        assert report.error is None
        self.model.run(operation)

    def say(self, text: str, birth: dict[str, Any]) -> None:
        """Remember, on both sides."""
        done = self.brain.remember(text, at=self.model.now, test=self.test, **birth)
        outcome, life = self.model.say(text, **birth)
        assert (outcome, life.tier) == (done.outcome, done.tier)
        if outcome == "created":
            life.root = str(self.brain.find(done.id, test=self.test).root)

    def twins(
        self, verb: str, life: Life, other: Life, relation: Relation
    ) -> tuple[Callable[[], object], Callable[[], object]]:
        """One event, to the brain and to the model."""
        brain, model, where = self.brain, self.model, {"test": self.test, "now": self.model.now}
        return {
            "boost": (lambda: brain.boost(life.root, **where), lambda: model.boost(life)),
            "open": (lambda: brain.open(self.head(life), **where), lambda: model.open(life)),
            "pin": (lambda: brain.pin(life.root, **where), lambda: model.pin(life, core=True)),
            "unpin": (lambda: brain.unpin(life.root, **where), lambda: model.pin(life, core=False)),
            "forget": (lambda: brain.forget(life.root, **where), lambda: model.forget(life)),
            "restore": (lambda: brain.restore(self.head(life), **where), lambda: model.restore(life)),
            "supersede": (
                lambda: brain.supersede(life.root, other.root, **where),
                lambda: model.supersede(life, other),
            ),
            "relate": (
                lambda: brain.link(life.root, relation, other.root, **where),
                lambda: model.relate(life, relation, other),
            ),
        }[verb]

    # What always holds

    @invariant()
    def model_is_graph(self) -> None:
        if not hasattr(self, "model"):
            return
        rows = self.snapshot(test=self.test)
        assert len(rows) >= self.nodes  # P7
        self.nodes = len(rows)
        lineages = self.lineages(rows)
        heads = {root: lineage[-1] for root, lineage in lineages.items()}
        assert self.model.picture() == {root: self.drawn(lineage) for root, lineage in lineages.items()}
        now, law = self.model.now, self.model.law
        theirs = {root: memory(row["m"]).energy_at(now, law) for root, row in heads.items()}
        assert pytest.approx(self.model.energies(), rel=EXACT, abs=EXACT) == theirs

    @staticmethod
    def lineages(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
        """The nodes of each memory along PROMOTED_TO, from its root: one successor each, and no node is left over."""
        by_id = {row["m"]["id"]: row for row in rows}
        found = {}
        for root in {row["m"]["root"] for row in rows}:
            lineage = [by_id[root]]
            while promoted := lineage[-1]["promoted"]:
                assert len(promoted) == 1  # P3
                lineage.append(by_id[promoted[0]])
            found[root] = lineage
        assert len(rows) == sum(map(len, found.values()))
        return found

    @staticmethod
    def drawn(lineage: list[dict[str, Any]]) -> dict[str, Any]:
        """The picture of one memory, from the graph."""
        row, stored = lineage[-1], lineage[-1]["m"]
        found = memory(stored)
        return {
            "state": "superseded" if row["supersededBy"] else found.state,
            "tiers": [each["m"]["tier"] for each in lineage],
            "core": found.core,
            "accesses": found.access_count,
            "restatements": stored["reinforceCount"],
            "opened": found.last_opened,
            "supersededBy": row["supersededBy"][0] if row["supersededBy"] else None,
            "relations": sorted(row["relations"]),
        }

    def teardown(self) -> None:
        if hasattr(self, "model"):
            assert self.bystander == self.snapshot(test=not self.test)  # P6
            assert self.brain.verify(test=self.test).wrong == ()


class Carried(Machine):
    """One that is carried over at the end of its life: exported, deleted, and imported memory by memory."""

    def teardown(self) -> None:
        super().teardown()
        brain, scope = self.brain, self.brain.scope(test=self.test)
        before = io.StringIO()
        brain.export_to(before, test=self.test)
        query(brain.graph, "MATCH (n:Memory|EnergyEvent) WHERE n.brain = $b DETACH DELETE n", b=brain.name)
        restore.import_from(brain.graph, scope, io.StringIO(before.getvalue()), batch=1)
        after = io.StringIO()
        brain.export_to(after, test=self.test)
        assert before.getvalue() == after.getvalue()
        assert brain.verify(test=self.test).wrong == ()


def test_the_graph_is_the_model(make_brain: Callable[..., Brain]) -> None:
    """Any events and passes in any order: states, tiers, counts, relations, and energies to 1e-9 (P3, P6, P7, P12)."""
    run_state_machine_as_test(lambda: Machine(make_brain), settings=settings(lived, max_examples=EXAMPLES or 45))


def test_any_life_can_be_carried_over(make_brain: Callable[..., Brain]) -> None:
    """Export, wipe, import one memory a transaction, export: the same bytes (P8)."""
    run_state_machine_as_test(lambda: Carried(make_brain), settings=settings(lived, max_examples=EXAMPLES or 8))
