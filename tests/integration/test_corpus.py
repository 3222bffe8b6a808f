"""What the model does to a whole store (R-000-40): to a mirror of document 000's, and to a copy of yours.

    brainbridge export milo.jsonl
    MEMORY_CORPUS=milo.jsonl python -m pytest tests/integration/test_corpus.py

Trends are asserted, not counts: near a threshold the last bit decides.
"""

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from brainbridge.app import Brain
from brainbridge.domain.energy import energy_of_weight, weight_of_energy
from brainbridge.domain.tier import Tier
from tests.support import T0, hours, query

CORPUS = os.environ.get("MEMORY_CORPUS")
# Document 000 counted 31 items: 16 global ones, all at w = 0.800, 15 of the session at w = 0.2 to 0.7, and no edges.
THINGS = [
    *("anchor", "barrel", "candle", "dagger", "engine", "feather", "garden", "hammer", "island", "jacket", "kettle"),
    *("ladder", "mirror", "needle", "orchard", "pillow", "quarry", "ribbon", "saddle", "tunnel", "umbrella", "violin"),
    *("window", "yacht", "zipper", "bucket", "carpet", "drawer", "easel", "fiddle", "goblet"),
]
GLOBAL = [(f"the {thing} belongs to everybody", energy_of_weight(0.8), "longTerm") for thing in THINGS[:16]]
SESSION = [
    (f"somebody moved the {thing} today", energy_of_weight(0.2 + 0.5 * n / 14), "working")
    for n, thing in enumerate(THINGS[16:])
]


def memories(brain: Brain, now: datetime, *, test: bool) -> dict[str, dict[str, Any]]:
    """How all memories stand that are not archived, by their root, with their effective energies."""
    rows = query(
        brain.graph,
        "MATCH (m:Memory) WHERE m.brain = $b AND m.isTest = $t AND m.validTo IS NULL AND m.root IS NOT NULL "
        "RETURN m.root AS root, m.id AS id",
        b=brain.name,
        t=test,
    )
    law = brain.law().law
    found = {row["root"]: brain.find(row["id"], test=test) for row in rows}
    return {
        root: {"tier": each.tier, "energy": each.energy_at(now, law), "core": each.core, "content": each.content}
        for root, each in found.items()
    }


@pytest.fixture
def mirror(brain: Brain) -> Brain:
    """The store that document 000 counted, as test memories."""
    for content, energy, tier in (*GLOBAL, *SESSION):
        brain.create_test_memory(content, energy, tier, now=T0)
    return brain


@pytest.fixture
def copy(make_brain: Callable[..., Brain]) -> Iterator[Brain]:
    """A brain of the test's own with the memories of an export; gone afterwards, so that it can come again."""
    assert CORPUS is not None
    brain = make_brain()
    try:
        assert brain.import_from(Path(CORPUS)).created > 0
        yield brain
    finally:
        query(brain.graph, "MATCH (n {brain: $b}) DETACH DELETE n", b=brain.name)
        query(brain.graph, "MATCH (b:Brain {name: $b}) DETACH DELETE b", b=brain.name)


def assert_trends(brain: Brain, start: datetime, *, test: bool) -> None:
    """Twelve untouched hours and then forty days: what the model does to any store."""
    runs = [start + hours(h) for h in (0, 1, 2, 6, 12, 24 * 40)]
    courses, promoted = [], []
    for now in runs:
        report = brain.consolidate(test=test, now=now)
        assert report.error is None
        promoted.append(report.changed("promote"))
        courses.append(memories(brain, now, test=test))

    for before, after in pairwise(courses):
        assert before.keys() == after.keys()  # nothing is ever deleted
        for root, there in after.items():
            was = before[root]
            related = was["energy"] * 1.3  # a relation that is due may raise by exp(0.25), once a day
            assert there["energy"] <= (related if brain.relations(root, test=test) else was["energy"] + 1e-9)
            if was["core"] or was["tier"] is Tier.EXPIRED:
                assert was == there
            if was["tier"] is Tier.LONG_TERM:
                assert Tier.LONG_TERM is there["tier"]
                assert there["energy"] >= min(was["energy"], 0.1)
    assert promoted[1:] == sorted(promoted[1:], reverse=True)  # untouched memories only fade
    last = courses[-1].values()
    assert all(each["core"] or each["tier"] in (Tier.LONG_TERM, Tier.EXPIRED) for each in last)
    assert () == brain.verify(test=test).wrong


def test_an_untouched_mirror_fades_and_keeps_its_facts(mirror: Brain) -> None:
    """Every session note goes, the weaker the sooner; every global fact stays (R-000-15, -17, -26, -27, -40)."""
    assert_trends(mirror, T0, test=True)


def test_in_the_mirror_the_machinery_is_alive(mirror: Brain) -> None:
    """Document 000's finding was that nothing could promote and no edge ever acted; restatement and edges do it now.

    The strongest notes, said again four times, are promoted half an hour later; the others fade. One declared edge
    lifts its target by 0.05 of weight, and nothing else (R-000-13, R-000-21, R-000-40).
    """
    strongest = [content for content, energy, _ in SESSION if weight_of_energy(energy) > 0.65]
    for _ in range(4):
        for content in strongest:
            assert "reinforced" == mirror.remember(content, at=T0, test=True).outcome
    mirror.link("anchor", "extends", "barrel", test=True, now=T0)

    mirror.consolidate(test=True, now=T0 + hours(0.5))

    standing = {each["content"]: each for each in memories(mirror, T0 + hours(0.5), test=True).values()}
    promoted = {content for content, each in standing.items() if each["tier"] is Tier.SHORT_TERM}
    assert set(strongest) == promoted
    weights = {content: weight_of_energy(each["energy"]) for content, each in standing.items() if "belongs" in content}
    raised = weights.pop("the barrel belongs to everybody")
    assert pytest.approx(0.8 + 0.05, abs=1e-3) == raised
    assert pytest.approx([0.8] * 15, abs=1e-3) == list(weights.values())


@pytest.mark.skipif(CORPUS is None, reason="MEMORY_CORPUS names no export to copy")
def test_a_copy_of_a_real_store_obeys_the_trends(copy: Brain) -> None:
    """Imported into a brain of its own; the store it came from is not touched (R-000-40)."""
    assert_trends(copy, copy.graph.now(), test=False)
