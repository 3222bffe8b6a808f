"""What each pass does to the graph: before and after, at the thresholds, and a second time."""

from datetime import datetime
from uuid import uuid4

import pytest

from brainbridge.app import Brain
from brainbridge.domain.tier import Tier
from tests.support import T0, everything_but, hours, minutes, query


def memories(brain: Brain, *, is_test: bool = True) -> list[dict[str, object]]:
    """Every memory of a scope in any state, by creation and tier."""
    rows = query(
        brain.graph,
        "MATCH (m:Memory {brain: $brain, isTest: $isTest}) "
        "RETURN m {.*, labels: [l IN labels(m) WHERE l <> 'Memory']} AS m ORDER BY m.content, m.validFrom, m.id",
        brain=brain.name,
        isTest=is_test,
    )
    return [row["m"] for row in rows]


def events(brain: Brain, *, is_test: bool = True) -> list[str]:
    """The kinds of all ledger events of a scope."""
    return [
        row["kind"]
        for row in query(
            brain.graph,
            "MATCH (e:EnergyEvent {brain: $brain, isTest: $isTest}) RETURN e.kind AS kind ORDER BY kind",
            brain=brain.name,
            isTest=is_test,
        )
    ]


@pytest.mark.parametrize(
    ("energy", "tier", "after"),
    [
        (2.0, "working", "working"),
        (2.0000000001, "working", "shortTerm"),
        (5.0, "shortTerm", "shortTerm"),
        (5.0000000001, "shortTerm", "longTerm"),
        (9.9, "longTerm", "longTerm"),
        (0.1, "working", "working"),
        (0.0999999999, "working", "expired"),
        (0.1, "shortTerm", "shortTerm"),
        (0.0999999999, "shortTerm", "expired"),
        (0.05, "longTerm", "longTerm"),
        (0.0, "working", "expired"),
    ],
)
def test_thresholds_are_strict(brain: Brain, energy: float, tier: str, after: str) -> None:
    """Equality neither promotes nor expires; longTerm does neither (R-004-18, R-004-19, R-004-38)."""
    brain.create_test_memory("a note", energy, tier, now=T0)

    brain.consolidate(test=True, now=T0)

    assert [after] == [m["tier"] for m in memories(brain) if m.get("validTo") is None]


def test_a_memory_climbs_one_tier_per_run(brain: Brain) -> None:
    """Energy 9 in working needs two runs to reach longTerm, even at the same instant (R-004-28, R-004-41)."""
    brain.create_test_memory("strong", 9.0, "working", now=T0)

    course = []
    for _ in range(3):
        brain.consolidate(test=True, now=T0)
        course.append([m["tier"] for m in memories(brain) if m.get("validTo") is None])

    assert [["shortTerm"], ["longTerm"], ["longTerm"]] == course


def test_promotion_makes_a_new_memory_and_keeps_the_old_one_as_an_archive(brain: Brain) -> None:
    """New id, next tier, same energy, content, created, counts; the old one gets validTo (R-004-25, R-004-26)."""
    made = brain.create_test_memory("strong", 3.0, "working", now=T0)
    now = T0 + minutes(15)

    brain.consolidate(test=True, now=now)

    old, new = sorted(memories(brain), key=lambda m: m.get("validTo") is None)
    assert made.id == old["id"] == new["promotedFrom"] == new["root"]
    assert (["ArchivedMemory"], ["LiveMemory"]) == (old["labels"], new["labels"])
    assert (now, None) == (old["validTo"], new.get("validTo"))
    assert ("working", "shortTerm") == (old["tier"], new["tier"])
    # The archive is not looked for any more, so it gives up what finds it.
    changed = {"id", "tier", "validFrom", "validTo", "promotedFrom", "labels", "bands", "contentKey"}
    assert {k: v for k, v in old.items() if k not in changed} == {k: v for k, v in new.items() if k not in changed}


def test_promotion_carries_every_edge_and_gives_the_archive_its_source(brain: Brain) -> None:
    """HAS_MEMORY leads to both; other edges and the ledger stay with the live memory (R-004-24, R-004-26)."""
    made = brain.create_test_memory("strong", 6.0, "working", now=T0)
    query(
        brain.graph,
        """
        MATCH (m:Memory {id: $id})
        CREATE (:Insight {key: $id})-[:HAS_MEMORY {created: datetime()}]->(m)
        CREATE (m)-[:EXTENDS {declaredBy: 'a test'}]->(:Memory:LiveMemory {id: $other, brain: $brain, isTest: true,
               content: 'other', tier: 'longTerm', energy: 1.0, lastDecay: $now, created: $now, root: $other})
        """,
        id=made.id,
        other=str(uuid4()),
        brain=brain.name,
        now=T0,
    )

    brain.consolidate(test=True, now=T0)
    brain.consolidate(test=True, now=T0)

    rows = query(
        brain.graph,
        """
        MATCH (:Insight {key: $root})-[:HAS_MEMORY]->(first:Memory {id: $root})
        MATCH path = (first)-[:PROMOTED_TO*]->(last:LiveMemory)
        RETURN [n IN nodes(path) | n.tier] AS tiers,
               COUNT { (:Insight {key: $root})-[:HAS_MEMORY]->() } AS sources,
               COUNT { (last)-[:EXTENDS]->(:LiveMemory) } AS relations,
               COUNT { (:EnergyEvent)-[:OF]->(last) } AS events,
               COUNT { (:EnergyEvent)-[:OF]->(first) } AS eventsLeft,
               [r IN relationships(path) WHERE type(r) = 'PROMOTED_TO' | r.energy] AS energies
        """,
        root=made.id,
    )
    expected = {
        "tiers": ["working", "shortTerm", "longTerm"],
        "sources": 3,
        "relations": 1,
        "events": 3,
        "eventsLeft": 0,
        "energies": [6.0, 6.0],
    }
    assert [expected] == rows


def test_expiry_marks_and_keeps(brain: Brain) -> None:
    """tier expired, expiredAt, expiredFrom; node, content and energy stay, validTo stays null (R-004-19, -30, -37)."""
    made = brain.create_test_memory("faint", 0.05, "shortTerm", now=T0)

    brain.consolidate(test=True, now=T0)

    (kept,) = memories(brain)
    assert (made.id, "expired", "shortTerm", T0, 0.05) == (
        kept["id"],
        kept["tier"],
        kept["expiredFrom"],
        kept["expiredAt"],
        kept["energy"],
    )
    assert "validTo" not in kept
    assert ["ExpiredMemory"] == kept["labels"]


def test_archived_and_expired_memories_are_left_alone(brain: Brain) -> None:
    """Neither decays, expires nor promotes again (R-004-29)."""
    brain.create_test_memory("faint", 0.05, "working", now=T0)
    brain.create_test_memory("strong", 3.0, "working", now=T0)
    brain.consolidate(test=True, now=T0)
    before = [m for m in memories(brain) if m["labels"] != ["LiveMemory"]]

    brain.consolidate(test=True, now=T0 + hours(50))

    assert before == [m for m in memories(brain) if m["content"] == "faint" or m.get("validTo") == T0]
    assert 2 == len(before)


def test_core_memories_are_untouched(brain: Brain) -> None:
    """Neither decay nor expiry nor promotion, in any tier (R-000-28)."""
    made = brain.remember("my name is Milo", core=True, at=T0)
    before = memories(brain, is_test=False)

    brain.consolidate(now=T0 + hours(24 * 365))

    (after,) = memories(brain, is_test=False)
    assert made.id == after["id"]
    assert ("longTerm", before[0]["energy"]) == (after["tier"], after["energy"])


@pytest.mark.parametrize("operation", ["consolidate", "decay", "expire", "promote"])
def test_a_second_run_at_the_same_instant_changes_nothing(brain: Brain, operation: str) -> None:
    """Idempotent at one `now`, but for a due second hop (R-004-41)."""
    for energy, tier in ((0.05, "working"), (1.0, "working"), (3.0, "working"), (6.0, "shortTerm"), (1.0, "longTerm")):
        brain.create_test_memory(f"{energy} {tier}", energy, tier, now=T0)
    now = T0 + minutes(15)
    brain.run(operation, test=True, now=now)
    before = memories(brain)

    report = brain.run(operation, test=True, now=now)

    assert before == memories(brain)
    assert 0 == sum(done.changed for done in report.passes)


def test_decay_alone_neither_expires_nor_promotes(brain: Brain) -> None:
    """decayEnergy is decay only (R-004-03)."""
    brain.create_test_memory("faint", 0.11, "working", now=T0)
    brain.create_test_memory("strong", 3.0, "working", now=T0)

    brain.decay(test=True, now=T0 + hours(1))

    assert ["working", "working"] == [m["tier"] for m in memories(brain)]


def test_promotion_alone_does_not_expire_and_compares_what_is_left(brain: Brain) -> None:
    """promoteMemories is promotion only; a stored 3.0 that has faded to 1.8 does not promote (R-004-02)."""
    brain.create_test_memory("faded", 3.0, "working", now=T0)
    brain.create_test_memory("gone", 0.05, "working", now=T0)
    brain.create_test_memory("strong", 4.0, "working", now=T0)

    brain.promote(test=True, now=T0 + hours(1))

    assert {"faded": "working", "gone": "working", "strong": "shortTerm"} == {
        str(m["content"]): m["tier"] for m in memories(brain) if m.get("validTo") is None
    }


@pytest.mark.parametrize("is_test", [True, False])
def test_a_run_touches_nothing_outside_its_scope(brain: Brain, is_test: bool) -> None:
    """Test runs leave real memories as they are, real runs test memories, and both other brains (R-004-09, -10, P6)."""
    for energy, tier in ((0.05, "working"), (3.0, "working"), (6.0, "shortTerm"), (1.0, "longTerm")):
        brain.create_test_memory("test", energy, tier, now=T0)
        brain.remember("real", memory_type="crystallization", at=T0)
        brain.remember("real", producer="system", at=T0)
    before = everything_but(brain.graph, brain.name, is_test=is_test)

    for operation in ("consolidate", "decay", "expire", "promote"):
        brain.run(operation, test=is_test, now=T0 + hours(3))

    assert before == everything_but(brain.graph, brain.name, is_test=is_test)


def test_clearing_test_memories_leaves_everything_else(brain: Brain) -> None:
    """The only delete there is takes test memories and their ledger, nothing else (P6, P7)."""
    brain.remember("real", at=T0)
    for i in range(5):
        brain.create_test_memory(f"test {i}", 3.0, "working", now=T0)
    brain.consolidate(test=True, now=T0)
    before = everything_but(brain.graph, brain.name, is_test=True)

    cleared = brain.clear_test_memories()

    assert 10 == cleared
    assert before == everything_but(brain.graph, brain.name, is_test=True)
    assert [] == memories(brain) == events(brain)


def test_every_change_but_decay_has_its_event(brain: Brain) -> None:
    """born, boosted, promoted, expired stand in the ledger; decay composes and does not (model.md §4)."""
    brain.create_test_memory("faint", 0.11, "working", now=T0)
    strong = brain.create_test_memory("strong", 3.0, "working", now=T0)
    brain.boost(strong.id, test=True, now=T0 + minutes(10))
    brain.consolidate(test=True, now=T0 + hours(1))

    assert ["boosted", "born", "born", "expired", "promoted"] == events(brain)


def test_a_run_is_recorded_with_its_counts(brain: Brain) -> None:
    """One ConsolidationRun per run: trigger, scope, counts, durations, outcome, version of the constants."""
    brain.create_test_memory("faint", 0.05, "working", now=T0)

    report = brain.consolidate(test=True, now=T0)

    (run,) = query(
        brain.graph, "MATCH (r:ConsolidationRun {brain: $brain}) RETURN properties(r) AS r", brain=brain.name
    )
    record = run["r"]
    assert (report.run_id, "api", True, "ok", 1) == (
        record["id"],
        record["trigger"],
        record["isTest"],
        record["outcome"],
        record["configVersion"],
    )
    assert (0, 0, 1, 0) == tuple(record[name] for name in ("adopted", "decayed", "expired", "promoted"))


@pytest.mark.parametrize("now", [T0, T0 + minutes(15), T0 + hours(5)])
def test_a_dry_run_says_what_the_run_then_does(brain: Brain, now: datetime) -> None:
    """Preview and run agree on every count, and the preview writes nothing."""
    for energy, tier in ((0.11, "working"), (1.0, "working"), (3.0, "working"), (5.5, "shortTerm"), (1.0, "longTerm")):
        brain.create_test_memory(f"{energy} {tier}", energy, tier, now=T0)
    before = memories(brain)

    preview = brain.consolidate(test=True, now=now, dry_run=True)
    untouched = memories(brain)
    report = brain.consolidate(test=True, now=now)

    assert before == untouched
    assert [(p.name, p.changed) for p in report.passes] == [(p.name, p.changed) for p in preview.passes]


def test_batches_of_any_size_give_the_same_graph(brain: Brain) -> None:
    """A page boundary falls nowhere special: 7 memories in pages of 3 are all decayed, expired and promoted."""
    from brainbridge.consolidation import decay, expire, passes, promote

    for i in range(7):
        brain.create_test_memory(f"faint {i}", 0.11, "working", now=T0)
        brain.create_test_memory(f"strong {i}", 4.0, "working", now=T0)
    now = T0 + hours(1)
    run = passes.Run("a run", brain.scope(test=True), now, brain.law().law)

    counts = [step(brain.graph, run, batch=3) for step in (decay.decay, expire.expire, promote.promote)]

    assert [14, 7, 7] == counts
    assert {("expired", now), ("shortTerm", now)} == {
        (m["tier"], m["lastDecay"]) for m in memories(brain) if m.get("validTo") is None
    }
    assert Tier.WORKING in {m["tier"] for m in memories(brain)}


def test_on_schedule_long_term_memories_wait_until_one_percent_has_accrued(brain: Brain) -> None:
    """A scheduled run settles longTerm after 10 h; what readers see is the same either way."""
    made = brain.remember("my fact", core=False, at=T0)
    query(brain.graph, "MATCH (m:Memory {id: $id}) SET m.tier = 'longTerm', m.energy = 5.0", id=made.id)

    counts = [brain.consolidate(now=T0 + hours(h), trigger="schedule").changed("decay") for h in (9, 11)]

    assert [0, 1] == counts
