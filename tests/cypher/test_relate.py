"""The relate pass: what each relation does to energies, how often, and when it does nothing."""

import math
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from brainbridge.app import Brain
from brainbridge.consolidation.passes import Run
from brainbridge.consolidation.relate import relate
from brainbridge.domain.energy import contradicted, effective_energy
from brainbridge.domain.tier import Tier
from tests.support import T0, create_test_memories, everything_but, hours, query

GAIN, LOSS, CAP = math.exp(0.25), math.exp(-0.5), 2.0 * math.e


def two(brain: Brain, *memories: tuple[float, str], now: datetime = T0) -> list[str]:
    """Test memories of these energies and tiers; their ids."""
    return create_test_memories(brain, [(f"note {uuid4()}", *memory) for memory in memories], now=now)


def energies(brain: Brain, *ids: str) -> list[float]:
    """The stored energies."""
    return [brain.find(each, test=True).energy for each in ids]


def related(brain: Brain, now: datetime = T0) -> int:
    """Run the relate pass alone; how many relations it applied."""
    report = brain.run("relate", test=True, now=now)
    assert report.error is None
    return report.changed("relate")


def effects(brain: Brain) -> list[dict[str, Any]]:
    """The ledger's events of relations."""
    return query(
        brain.graph,
        "MATCH (e:EnergyEvent {brain: $brain, kind: 'related'})-[:OF]->(m) "
        "RETURN m.id AS of, e.before AS before, e.after AS after, e.at AS at, e.tier AS tier, e.relation AS relation",
        brain=brain.name,
    )


@pytest.mark.parametrize(
    ("relation", "source", "target", "expected"),
    [
        ("extends", (1.0, "working"), (1.0, "working"), (1.0, GAIN)),
        ("updates", (1.0, "longTerm"), (2.0, "shortTerm"), (1.0, 2.0 * GAIN)),
        ("derives", (1.0, "working"), (3.0, "longTerm"), (1.0, 3.0 * GAIN)),
        ("extends", (1.0, "working"), (0.0, "working"), (1.0, 0.0)),
        ("extends", (1.0, "working"), (5.0, "longTerm"), (1.0, CAP)),
        ("extends", (1.0, "working"), (CAP, "longTerm"), (1.0, CAP)),
        ("extends", (1.0, "working"), (8.0, "longTerm"), (1.0, 8.0)),
        ("contradicts", (2.0, "working"), (3.0, "shortTerm"), (2.0 * LOSS, 3.0 * LOSS)),
        ("contradicts", (0.12, "longTerm"), (0.12, "working"), (0.1, 0.12 * LOSS)),
        ("contradicts", (0.05, "longTerm"), (0.1, "longTerm"), (0.05, 0.1)),
    ],
)
def test_what_a_relation_does(
    brain: Brain, relation: str, source: tuple[float, str], target: tuple[float, str], expected: tuple[float, float]
) -> None:
    """Support: the target × exp(0.25) up to 5.4366, never lower; contradiction: both (R-000-21, R-000-22)."""
    ends = two(brain, source, target)
    brain.link(ends[0], relation, ends[1], test=True, now=T0)

    assert 1 == related(brain)

    assert pytest.approx(expected, abs=1e-9) == tuple(energies(brain, *ends))


@pytest.mark.parametrize(("relation", "other"), [("extends", 1.0), ("contradicts", LOSS)])
def test_a_core_memory_is_exempt_and_the_other_end_is_not(brain: Brain, relation: str, other: float) -> None:
    """Relations neither raise nor lower a core memory, at either end (R-000-28, model.md §3)."""
    core = brain.remember("protected", core=True, at=T0, test=True)
    (note,) = two(brain, (1.0, "working"))
    brain.link(note, relation, core.id, test=True, now=T0)

    related(brain)

    assert pytest.approx([other, CAP], abs=1e-9) == energies(brain, note, core.id)
    assert [note] * (relation == "contradicts") == [effect["of"] for effect in effects(brain)]


def test_an_effect_comes_once_per_utc_day(brain: Brain) -> None:
    """Runs at 23:59, again, and at 00:01: two effects; an hour by another clock's midnight is none (R-000-23)."""
    first, second = two(brain, (1.0, "longTerm"), (1.0, "longTerm"))
    brain.link(first, "extends", second, test=True, now=T0)
    day = [datetime(2026, 3, 1, 23, 59, tzinfo=UTC)] * 2 + [datetime(2026, 3, 2, 0, 1, tzinfo=UTC)]

    applied = [related(brain, now) for now in day]

    assert [1, 0, 1] == applied
    left = math.exp(-0.001 * (12 + 1 / 60)) * GAIN**2
    assert pytest.approx([left], abs=1e-9) == energies(brain, second)
    assert day[2] == brain.relations(first, test=True)[0].last_applied


def test_a_clock_that_steps_back_applies_nothing_twice(brain: Brain) -> None:
    """A run dated before the last effect finds none due (P2)."""
    first, second = two(brain, (1.0, "working"), (1.0, "longTerm"))
    brain.link(first, "extends", second, test=True, now=T0)

    assert [1, 0] == [related(brain, now) for now in (T0 + hours(24), T0)]


def test_a_long_term_memory_that_is_behind_is_settled_first(brain: Brain) -> None:
    """On schedule longTerm may be 10 h behind: decay and effect are one step, and the event has both (model.md §3)."""
    first, second = two(brain, (1.0, "longTerm"), (4.0, "longTerm"))
    brain.link(first, "extends", second, test=True, now=T0)
    now = T0 + hours(9)

    report = brain.consolidate(test=True, now=now, trigger="schedule")

    before = 4.0 * math.exp(-0.009)
    assert (0, 1) == (report.changed("decay"), report.changed("relate"))
    (effect,) = effects(brain)
    assert (pytest.approx(before, abs=1e-9), pytest.approx(before * GAIN, abs=1e-9)) == (
        effect["before"],
        effect["after"],
    )
    assert (now, "longTerm", "EXTENDS", second) == tuple(effect[key] for key in ("at", "tier", "relation", "of"))
    assert now == brain.find(second, test=True).last_decay


def test_what_changes_nothing_leaves_no_event(brain: Brain) -> None:
    """A ledger holds changes: above the cap and at the floor there is none."""
    high, low = two(brain, (8.0, "longTerm"), (0.1, "longTerm"))
    brain.link(low, "extends", high, test=True, now=T0)
    brain.link(low, "contradicts", two(brain, (0.1, "longTerm"))[0], test=True, now=T0)

    assert (2, []) == (related(brain), effects(brain))


@pytest.mark.parametrize(
    ("relation", "energy", "tier"),
    [
        ("extends", 1.8, "shortTerm"),
        ("contradicts", 2.5, "working"),
        ("extends", 0.09, "working"),
        ("contradicts", 0.12, "expired"),
        ("extends", 7.0, "shortTerm"),
    ],
)
def test_relations_act_between_decay_and_the_thresholds(brain: Brain, relation: str, energy: float, tier: str) -> None:
    """In one run a supported memory is promoted or rescued, a contradicted one is not or expires (R-000-23, -30)."""
    first, _ = ends = two(brain, (energy, "working"), (1.0, "longTerm"))
    brain.link(ends[1], relation, first, test=True, now=T0)

    report = brain.consolidate(test=True, now=T0)

    assert ["adopt", "decay", "relate", "expire", "promote"] == [done.name for done in report.passes]
    (row,) = query(brain.graph, "MATCH (m:Memory {root: $id}) WHERE m.validTo IS NULL RETURN m.tier AS tier", id=first)
    assert tier == row["tier"]


def test_a_successor_inherits_the_relations(brain: Brain) -> None:
    """Promotion keeps them at the live memory, and they go on acting the day after (R-000-24, R-004-26)."""
    source, target = two(brain, (3.0, "working"), (4.0, "working"))
    brain.link(source, "extends", target, test=True, now=T0)

    applied = [brain.consolidate(test=True, now=T0 + hours(h)).changed("relate") for h in (0, 1, 24)]

    (there,) = brain.relations(source, test=True)
    assert [1, 0, 1] == applied
    assert there.other.live
    assert target == there.other.root != there.other.id


def test_an_end_that_is_not_live_makes_a_relation_inert(brain: Brain) -> None:
    """To or from an expired memory nothing acts; the next day after it is back, it does (R-000-24)."""
    live, gone, longer = two(brain, (1.0, "longTerm"), (0.05, "expired"), (1.0, "longTerm"))
    for pair in ((live, gone), (gone, live)):
        brain.link(pair[0], "contradicts", pair[1], test=True, now=T0)
    brain.link(live, "extends", longer, test=True, now=T0)

    counts = [related(brain), related(brain)]
    left = energies(brain, live, gone)
    query(
        brain.graph,
        "MATCH (m:Memory {id: $id}) SET m:LiveMemory, m.tier = 'longTerm', m.energy = 1.0, m.lastDecay = $now "
        "REMOVE m:ExpiredMemory",
        id=gone,
        now=T0 + hours(24),
    )

    assert ([1, 0], [1.0, 0.05]) == (counts, left)
    assert 3 == related(brain, T0 + hours(24))


def test_a_relation_drawn_to_an_archive_or_across_scopes_or_to_itself_is_inert(brain: Brain) -> None:
    """Only hands can draw such; nothing is changed on either side, in either scope's run (R-000-24, P6)."""
    strong, note = two(brain, (3.0, "working"), (1.0, "longTerm"))
    brain.consolidate(test=True, now=T0)
    real = brain.remember("a real one", at=T0)
    query(
        brain.graph,
        """
        MATCH (archive:Memory {id: $archive}), (note:Memory {id: $note}), (real:Memory {id: $real})
        CREATE (note)-[:EXTENDS]->(archive), (archive)-[:CONTRADICTS]->(note), (note)-[:CONTRADICTS]->(note),
               (note)-[:CONTRADICTS]->(real),
               (real)-[:EXTENDS {brain: $b, isTest: true, checkedDay: '', created: $now}]->(note)
        """,
        archive=strong,
        note=note,
        real=real.id,
        b=brain.name,
        now=T0,
    )

    applied = [brain.run("relate", test=test, now=T0).changed("relate") for test in (True, False, True)]

    assert ([0, 0, 0], []) == (applied, effects(brain))
    assert [1.0] == energies(brain, note)


@pytest.mark.parametrize("is_test", [True, False])
def test_the_pass_stays_in_its_scope(brain: Brain, is_test: bool) -> None:
    """With relations due in both scopes, the other one is byte for byte what it was (P6)."""
    for test in (True, False):
        ids = [brain.remember(f"fact {uuid4()}", at=T0, test=test).id for _ in range(2)]
        brain.link(ids[0], "extends", ids[1], test=test, now=T0)
    before = everything_but(brain.graph, brain.name, is_test=is_test)

    applied = brain.run("relate", test=is_test, now=T0).changed("relate")

    assert (1, before) == (applied, everything_but(brain.graph, brain.name, is_test=is_test))


@pytest.mark.parametrize("batch", [1, 2, 100])
def test_several_relations_of_a_memory_act_one_after_the_other(brain: Brain, batch: int) -> None:
    """Support before contradiction, however they were declared and paged: 5.0 → cap → × exp(−0.5), not 3.03 → 3.89."""
    target, *others = two(brain, (5.0, "longTerm"), *[(1.0, "longTerm")] * 3)
    for other, relation in zip(others, ("contradicts", "derives", "extends"), strict=True):
        brain.link(other, relation, target, test=True, now=T0)

    assert 3 == relate(brain.graph, run_at(brain), batch=batch)

    assert pytest.approx([CAP * LOSS], abs=1e-9) == energies(brain, target)


def run_at(brain: Brain, now: datetime = T0) -> Run:
    """What a run on the test scope shares."""
    return Run("r", brain.scope(test=True), now, brain.law().law)


def test_a_contradicted_long_term_memory_reaches_its_floor_in_days(brain: Brain) -> None:
    """5.0 with a run a day: the eighth effect meets the floor, which it keeps (model.md §5, R-000-27)."""
    contradictory = two(brain, (5.0, "longTerm"), (5.0, "longTerm"))
    brain.link(contradictory[0], "contradicts", contradictory[1], test=True, now=T0)
    course, expected, twin = [], [], 5.0
    for day in range(1, 11):
        brain.consolidate(test=True, now=T0 + hours(24 * day))
        course += energies(brain, contradictory[0])
        twin = contradicted(effective_energy(twin, Tier.LONG_TERM, 24.0), Tier.LONG_TERM)
        expected.append(twin)

    assert pytest.approx(expected, abs=1e-9) == course
    assert 8 == next(day for day, energy in enumerate(course, 1) if energy == 0.1)


def test_a_relation_drawn_by_hand_is_adopted_and_acts_once(brain: Brain) -> None:
    """Without any property, and drawn twice: completed, one effect; a lastApplied of today is honoured (P13)."""
    ids = two(brain, *[(1.0, "longTerm")] * 3)
    query(
        brain.graph,
        "MATCH (a:Memory {id: $a}), (b:Memory {id: $b}), (c:Memory {id: $c}) "
        "CREATE (a)-[:EXTENDS]->(b), (a)-[:EXTENDS]->(b), (a)-[:UPDATES {lastApplied: $now, declaredBy: 'me'}]->(c)",
        **dict(zip("abc", ids, strict=True)),
        now=T0,
    )

    preview = brain.consolidate(test=True, now=T0, dry_run=True)
    reports = [brain.consolidate(test=True, now=T0) for _ in range(2)]

    assert 3 == preview.changed("adopt")
    assert [(3, 1), (0, 0)] == [(report.changed("adopt"), report.changed("relate")) for report in reports]
    assert pytest.approx([1.0, GAIN, 1.0], abs=1e-9) == energies(brain, *ids)
    assert ["hand", "hand", "me"] == sorted(str(each.declared_by) for each in brain.relations(ids[0], test=True))


def test_a_dry_run_counts_what_is_due_and_writes_nothing(brain: Brain) -> None:
    """As many as the run then applies; an inert one is none of them."""
    live, other, gone = two(brain, (1.0, "longTerm"), (1.0, "longTerm"), (0.05, "expired"))
    for target in (other, gone):
        brain.link(live, "extends", target, test=True, now=T0)

    preview = brain.consolidate(test=True, now=T0, dry_run=True).changed("relate")
    untouched = (energies(brain, live, other), effects(brain))

    assert ([1.0, 1.0], []) == untouched
    assert 1 == preview == brain.consolidate(test=True, now=T0).changed("relate")
