"""Counting the bonds again from the ledger gives what the openings made one by one (R-003-11)."""

import random
from contextlib import suppress
from datetime import datetime
from typing import Any

import pytest

from brainbridge.app import Brain
from brainbridge.domain.coactivation import MOST
from brainbridge.domain.errors import BrainbridgeError
from tests.learning_support import notes
from tests.support import T0, everything_but, minutes, query


def bonds(brain: Brain) -> dict[str, tuple[Any, ...]]:
    """Every bond of the brain by its pair."""
    found = query(
        brain.graph,
        "MATCH (a)-[r:co_recalled {brain: $brain}]->(b) RETURN r {.*, ends: a.root + '|' + b.root} AS r",
        brain=brain.name,
    )
    return {
        row["r"]["pair"]: (
            pytest.approx(row["r"]["weight"], abs=1e-12),
            *(row["r"][name] for name in ("lastFired", "lastFiredDay", "fires", "isTest", "ends")),
        )
        for row in found
    }


class Weeks:
    """Openings over weeks, among runs, forgettings, restorations, replacements and declared relations."""

    def __init__(self, brain: Brain, seed: int) -> None:
        self.brain, self.random, self.now = brain, random.Random(seed), T0
        self.ids = [*notes(brain, 14), *notes(brain, 4, energy=2.5, tier="working")]

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.now += minutes(self.random.choice([0, 1, 3, 8, 20, 31, 700, 1500]))
            with suppress(BrainbridgeError):  # expired, forgotten, superseded: refusals are part of the weather
                self._deed()

    def _deed(self) -> None:
        one, other = self.random.sample(self.ids, 2)
        options: dict[str, Any] = {"test": True, "now": self.now}
        match self.random.random():
            case chance if chance < 0.75:
                self.brain.open(one, **options)
            case chance if chance < 0.80:
                self.brain.consolidate(**options)
            case chance if chance < 0.86:
                self.brain.forget(one, **options)
            case chance if chance < 0.93:
                self.brain.restore(one, **options)
            case chance if chance < 0.94:
                self.brain.supersede(one, other, **options)
            case _:
                self.brain.link(one, "extends", other, **options)


@pytest.mark.parametrize("seed", range(3))
def test_counting_again_gives_the_same(brain: Brain, seed: int) -> None:
    """Weights to 1e-12, last fires, days, counts, ends: after weeks of all that happens to memories."""
    Weeks(brain, seed).run(100)
    before = bonds(brain)

    done = brain.rebuild_co_recalled(test=True)

    assert len(before) > 5
    assert before == bonds(brain)
    assert (len(before), len(before)) == (done.before, done.after)


def test_counting_again_keeps_the_same_of_a_full_memory(brain: Brain) -> None:
    """40 others over days, so that the weakest went again and again: the same 32 are left."""
    hub, *others = notes(brain, 41)
    chance = random.Random(7)
    at: datetime = T0
    for other in [*others, *chance.choices(others, k=12)]:
        at += minutes(300)
        brain.open(other, test=True, now=at)
        brain.open(hub, test=True, now=at + minutes(5))
    before = bonds(brain)

    brain.rebuild_co_recalled(test=True)

    assert MOST == sum(hub in pair for pair in before)
    assert before == bonds(brain)


def test_what_was_thrown_away_comes_back_and_what_was_forged_goes(brain: Brain) -> None:
    """The openings alone decide."""
    one, other, third = notes(brain, 3)
    for id_ in (one, other):
        brain.open(id_, test=True, now=T0)
    before = bonds(brain)
    query(
        brain.graph,
        "MATCH (a:Memory {id: $low})-[r:co_recalled]-() DELETE r WITH a MATCH (b:Memory {id: $high}) "
        "CREATE (a)-[:co_recalled {brain: a.brain, isTest: true, pair: 'forged ' + a.id, weight: 1.0}]->(b)",
        low=one,
        high=third,
    )

    done = brain.rebuild_co_recalled(test=True)

    assert (2, 1, 1) == (done.openings, done.before, done.after)
    assert before == bonds(brain)


@pytest.mark.parametrize("is_test", [True, False])
def test_counting_again_stays_in_its_scope(brain: Brain, is_test: bool) -> None:
    """The bonds of the other scope are neither deleted nor counted (R-004-10, P6)."""
    for scope in (True, False):
        for text in ("the port is 7687", "rivers freeze from above"):
            brain.open(brain.remember(text, at=T0, test=scope).id, test=scope, now=T0)
    outside = everything_but(brain.graph, brain.name, is_test=is_test)

    done = brain.rebuild_co_recalled(test=is_test)

    assert (2, 1, 1) == (done.openings, done.before, done.after)
    assert outside == everything_but(brain.graph, brain.name, is_test=is_test)
