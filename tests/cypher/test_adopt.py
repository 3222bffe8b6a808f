"""Memories from elsewhere: the shape of document 004, hand edits in Neo4j Browser, and what cannot be adopted (P13)."""

import math
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from brainbridge.app import Brain
from tests.support import T0, everything_but, hours, query

# Exactly the thirteen names of document 004.
SEED_SHAPE = """
CREATE (s:Insight {name: 'where it came from', key: $id})
CREATE (s)-[:HAS_MEMORY]->(m:Memory {
  id: $id, content: 'the old program wrote this', tier: $tier, energy: $energy, created: $at, lastAccessed: $at,
  lastDecay: $at, accessCount: 1, isTest: $isTest, memoryType: 'learning', sourceNodeId: 'original', validFrom: $at,
  validTo: null})
"""


@pytest.fixture
def owner(make_brain: Callable[..., Brain]) -> Brain:
    """A brain to which memories that name no brain belong."""
    return make_brain(owns_unowned=True)


def seed(brain: Brain, *, energy: Any = 1.5, tier: Any = "working", is_test: bool = True, at: Any = T0) -> str:
    """A memory of the seed's shape; its id."""
    id_ = str(uuid4())
    query(brain.graph, SEED_SHAPE, id=id_, energy=energy, tier=tier, isTest=is_test, at=at)
    return id_


def read(brain: Brain, id_: str) -> dict[str, Any]:
    """A memory with its labels."""
    (row,) = query(brain.graph, "MATCH (m:Memory {id: $id}) RETURN m {.*, labels: labels(m)} AS m", id=id_)
    return row["m"] | {"labels": set(row["m"]["labels"])}


def forget_strays(brain: Brain) -> None:
    """Leave no stray behind for the tests that follow."""
    query(brain.graph, "MATCH (m:Memory) WHERE m.brain IS NULL OR m.brain = $b DETACH DELETE m", b=brain.name)


@pytest.fixture(autouse=True)
def _clean(owner: Brain) -> Any:
    yield
    forget_strays(owner)


def test_a_memory_of_the_seed_s_shape_is_adopted_and_decays(owner: Brain) -> None:
    """Label, brain, root, scope and a ledger event are added; energy decays from its own lastDecay (R-004-21, P13)."""
    id_ = seed(owner)

    report = owner.consolidate(test=True, now=T0 + hours(1))

    adopted = read(owner, id_)
    assert 1 == report.changed("adopt")
    assert {"Memory", "LiveMemory"} == adopted["labels"]
    assert (owner.name, id_, owner.scope(test=True).token) == (adopted["brain"], adopted["root"], adopted["scope"])
    assert pytest.approx(1.5 * math.exp(-0.5), abs=1e-9) == adopted["energy"]
    assert "the old program wrote this" == adopted["content"]
    assert ["adopted"] == [event.kind for event, _ in owner.history(id_, test=True)]


def test_a_decay_called_alone_adopts_first(owner: Brain) -> None:
    """Every operation sees hand-written memories."""
    id_ = seed(owner)

    owner.decay(test=True, now=T0 + hours(1))

    assert pytest.approx(1.5 * math.exp(-0.5), abs=1e-9) == read(owner, id_)["energy"]


@pytest.mark.parametrize(
    ("written", "means"),
    [
        ("2026-03-01T12:00:00Z", 0),
        ("2026-03-01T13:00:00+01:00", 0),
        ("2026-03-01T11:00", 1),
        (1772366400000, 0),
        ("last Tuesday", None),
        ("2026-02-31T00:00:00Z", None),
        (None, None),
    ],
)
def test_instants_of_every_form_become_instants_with_a_zone(owner: Brain, written: Any, means: int | None) -> None:
    """Text, text without a zone (UTC), milliseconds; what cannot be read counts as missing: decay starts now."""
    id_ = seed(owner, at=written)
    now = T0 + hours(2)

    owner.decay(test=True, now=now)

    expected = 1.5 if means is None else 1.5 * math.exp(-0.5 * (2 + means))
    assert pytest.approx(expected, abs=1e-9) == read(owner, id_)["energy"]
    assert now == read(owner, id_)["lastDecay"]


def test_local_datetimes_and_dates_count_as_utc(owner: Brain) -> None:
    """`localdatetime()` and `date()` values are normalised, so the passes' range seek finds them."""
    id_ = seed(owner)
    query(
        owner.graph,
        "MATCH (m:Memory {id: $id}) "
        "SET m.lastDecay = localdatetime('2026-03-01T12:00'), m.created = date('2026-03-01')",
        id=id_,
    )

    owner.decay(test=True, now=T0 + hours(1))

    assert pytest.approx(1.5 * math.exp(-0.5), abs=1e-9) == read(owner, id_)["energy"]


def test_a_stamp_in_the_future_counts_as_now(owner: Brain) -> None:
    """A lastDecay ten years ahead neither keeps the memory fresh for ten years nor raises its energy (P10)."""
    id_ = seed(owner, at=T0 + hours(24 * 3650))

    owner.decay(test=True, now=T0)
    owner.decay(test=True, now=T0 + hours(1))

    assert pytest.approx(1.5 * math.exp(-0.5), abs=1e-9) == read(owner, id_)["energy"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"tier": "long"}, "its tier is 'long'"),
        ({"energy": "high"}, "its energy is 'high'"),
        ({"energy": -1.0}, "its energy is -1.0"),
        ({"energy": math.nan}, "its energy is nan"),
    ],
)
def test_what_cannot_be_adopted_is_left_untouched_and_named(owner: Brain, change: dict[str, Any], reason: str) -> None:
    """A misfit keeps every property and label; health says what is wrong with which memory."""
    id_ = seed(owner, is_test=False, **change)

    owner.consolidate(now=T0)

    assert {"Memory"} == read(owner, id_)["labels"]
    assert any(id_ in finding.text and reason in finding.text for finding in owner.health().findings)


def test_a_core_that_is_no_boolean_stops_no_run(brain: Brain) -> None:
    """It counts as false; the passes treat the memory as any other, and health names it."""
    spoiled = brain.create_test_memory("the ferry is blue", 3.0, "working", now=T0)
    query(brain.graph, "MATCH (m:Memory {id: $id}) SET m.core = 'yes'", id=spoiled.id)

    report = brain.consolidate(test=True, now=T0)

    assert ("ok", 1) == (report.outcome, report.changed("promote"))
    assert 1 == brain.status(test=True, now=T0).total
    assert not brain.verify(test=True).wrong


def test_misfits_do_not_hide_the_strays_behind_them(owner: Brain) -> None:
    """A page full of memories that cannot be adopted is stepped over (a stale tail is reached)."""
    from brainbridge.consolidation.adopt import adopt
    from brainbridge.consolidation.passes import Run

    for _ in range(5):
        seed(owner, tier="long")
    fit = [seed(owner) for _ in range(3)]

    adopted = adopt(owner.graph, Run("r", owner.scope(test=True), T0, owner.law().law, owns_unowned=True), batch=2)

    assert 3 == adopted
    assert [True] * 3 == ["LiveMemory" in read(owner, id_)["labels"] for id_ in fit]


def test_memories_without_a_brain_are_not_touched_where_several_share_the_database(brain: Brain) -> None:
    """They belong to no one until a profile says so; health counts them."""
    id_ = seed(brain, is_test=False)
    before = read(brain, id_)

    brain.consolidate(now=T0)

    assert before == read(brain, id_)
    assert any("name no brain" in finding.text for finding in brain.health().findings)


def test_sources_and_other_nodes_stay_as_they_were(owner: Brain) -> None:
    """Adoption changes nothing but the stray (R-004-36)."""
    seed(owner)
    before = everything_but(owner.graph, owner.name, is_test=True)
    strays = [row for row in before if "Memory" in row["labels"] and row["properties"].get("brain") is None]

    owner.consolidate(test=True, now=T0)

    after = everything_but(owner.graph, owner.name, is_test=True)
    gone = {row["node"] for row in strays}
    assert [row for row in before if row["node"] not in gone and "Insight" not in row["labels"]] == [
        row for row in after if "Insight" not in row["labels"]
    ]


@pytest.mark.parametrize(
    ("edit", "label", "tier"),
    [
        ("SET m.tier = 'expired'", "ExpiredMemory", "expired"),
        ("SET m.validTo = datetime()", "ArchivedMemory", "working"),
    ],
)
def test_a_hand_edit_of_tier_or_validto_gets_its_label(brain: Brain, edit: str, label: str, tier: str) -> None:
    """Someone expires or archives a memory in Neo4j Browser: the label follows at the next run."""
    made = brain.create_test_memory("edited", 1.5, "working", now=T0)
    query(brain.graph, f"MATCH (m:Memory {{id: $id}}) {edit}", id=made.id)

    brain.consolidate(test=True, now=T0 + hours(1))

    edited = read(brain, made.id)
    assert {"Memory", label} == edited["labels"]
    assert (tier, 1.5) == (edited["tier"], edited["energy"])


def test_an_expired_memory_brought_back_by_hand_decays_from_now(brain: Brain) -> None:
    """Tier and energy set in Browser are honoured, not undone by the time it lay expired."""
    made = brain.create_test_memory("back", 0.05, "working", now=T0)
    brain.consolidate(test=True, now=T0)
    query(brain.graph, "MATCH (m:Memory {id: $id}) SET m.tier = 'working', m.energy = 1.8", id=made.id)

    brain.consolidate(test=True, now=T0 + hours(100))
    brain.consolidate(test=True, now=T0 + hours(101))

    back = read(brain, made.id)
    assert {"Memory", "LiveMemory"} == back["labels"]
    assert ("working", pytest.approx(1.8 * math.exp(-0.5), abs=1e-9)) == (back["tier"], back["energy"])
    assert "expiredAt" not in back
