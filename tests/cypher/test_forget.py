"""Forget and restore: into the archive and back, with everything the memory had; nothing is deleted."""

import math

import pytest

from brainbridge.app import Brain
from brainbridge.domain.errors import NotFound, Refused
from tests.support import T0, everything_but, hours, kinds_of, properties_of, query

EXACT = 1e-9


def count_nodes(brain: Brain) -> int:
    """Memories of this brain in any state."""
    rows = query(brain.graph, "MATCH (m:Memory {brain: $brain}) RETURN count(m) AS n", brain=brain.name)
    return int(rows[0]["n"])


def test_forgetting_archives(brain: Brain) -> None:
    """validTo, the reason, the label; energy and tier are what they were at that instant (R-000-29)."""
    made = brain.create_test_memory("a note", 4.0, "working", now=T0)
    before = properties_of(brain, made.id)

    _, done = brain.forget(made.id, reason="it is wrong", test=True, now=T0 + hours(1))

    left = 4.0 * math.exp(-0.5)
    assert (pytest.approx(left, abs=EXACT), "working", T0 + hours(1), False) == (
        done.energy,
        done.tier,
        done.at,
        done.core,
    )
    changed = {
        "energy": done.energy,
        "lastDecay": T0 + hours(1),
        "validTo": T0 + hours(1),
        "forgottenReason": "it is wrong",
        "labels": ["ArchivedMemory"],
    }
    after = properties_of(brain, made.id)
    assert before | changed == {name: value for name, value in after.items() if name != "forgottenKey"}
    assert ["born", "forgotten"] == kinds_of(brain, made.id, test=True)


@pytest.mark.parametrize("reason", [None, "", "  "])
def test_a_reason_need_not_be_given(brain: Brain, reason: str | None) -> None:
    """That there was none is kept too."""
    made = brain.create_test_memory("a note", 4.0, "working", now=T0)

    brain.forget(made.id, reason=reason, test=True, now=T0)

    assert "no reason given" == properties_of(brain, made.id)["forgottenReason"]


@pytest.mark.parametrize(
    ("energy", "tier"), [(1.5, "working"), (3.0, "working"), (6.0, "shortTerm"), (4.0, "longTerm"), (0.05, "expired")]
)
def test_restoring_undoes_it(brain: Brain, energy: float, tier: str) -> None:
    """Everything is as it was, but that it fades from now on, not for the time it was gone."""
    made = brain.create_test_memory("a note", energy, tier, now=T0)
    before = properties_of(brain, made.id)

    brain.forget(made.id, test=True, now=T0)
    brain.consolidate(test=True, now=T0 + hours(50))
    _, done = brain.restore(made.id, test=True, now=T0 + hours(100))

    assert (energy, tier, None) == (done.energy, done.tier, done.taken)
    assert before | {"lastDecay": T0 + hours(100)} == properties_of(brain, made.id)
    assert ["born", "forgotten", "restored"] == kinds_of(brain, made.id, test=True)


def test_a_restored_memory_fades_again(brain: Brain) -> None:
    """From the instant at which it came back (R-004-13)."""
    made = brain.create_test_memory("a note", 1.5, "working", now=T0)
    brain.forget(made.id, test=True, now=T0 + hours(1))
    brain.restore(made.id, test=True, now=T0 + hours(100))

    brain.decay(test=True, now=T0 + hours(101))

    assert pytest.approx(1.5 * math.exp(-1), abs=EXACT) == properties_of(brain, made.id)["energy"]


def test_nothing_is_deleted_and_no_edge_is_lost(brain: Brain) -> None:
    """Relations, source and ledger are there after both (R-000-29, P7)."""
    made = brain.create_test_memory("a note", 4.0, "longTerm", now=T0)
    other = brain.create_test_memory("something else", 4.0, "longTerm", now=T0)
    brain.link(made.id, "extends", other.id, test=True, now=T0)
    query(brain.graph, "MATCH (m:Memory {id: $id}) CREATE (:Insight {key: $id})-[:HAS_MEMORY]->(m)", id=made.id)
    count = "MATCH (:Memory {id: $id})-[r]-() RETURN type(r) AS type, count(*) AS n ORDER BY type"
    before, nodes = query(brain.graph, count, id=made.id), count_nodes(brain)

    brain.forget(made.id, test=True, now=T0)
    forgotten = query(brain.graph, count, id=made.id)
    brain.restore(made.id, test=True, now=T0)

    def but_events(rows: list[dict[str, object]]) -> list[dict[str, object]]:
        return [row for row in rows if row["type"] != "OF"]

    assert but_events(before) == but_events(forgotten) == but_events(query(brain.graph, count, id=made.id))
    assert nodes == count_nodes(brain)


def test_a_core_memory_can_be_forgotten_and_says_so(brain: Brain) -> None:
    """Forgetting is the one way to take a protected memory out; restored, it is protected still (R-000-29)."""
    made = brain.remember("my name is Milo", core=True, at=T0)

    _, done = brain.forget(made.id, now=T0)
    brain.restore(made.id, now=T0 + hours(9))
    brain.consolidate(now=T0 + hours(10_000))

    assert done.core
    after = properties_of(brain, made.id)
    assert (True, done.energy) == (after["core"], after["energy"])


def test_a_forgotten_memory_is_not_found_by_its_text(brain: Brain) -> None:
    """Nor decayed, boosted or forgotten again; its id says how to bring it back (R-004-29)."""
    made = brain.remember("the capital of France", at=T0)
    brain.forget(made.id, reason="known anyway", now=T0)
    before = properties_of(brain, made.id)

    with pytest.raises(NotFound, match="no real memory"):
        brain.find("capital of France")
    for verb in (brain.boost, brain.pin, brain.forget):
        with pytest.raises(NotFound, match=rf"forgotten on 2026-03-01 \(known anyway\).*brainbridge restore {made.id}"):
            verb(made.id, now=T0 + hours(1))
    brain.consolidate(now=T0 + hours(5))

    assert before == properties_of(brain, made.id)


def test_the_text_can_be_remembered_anew(brain: Brain) -> None:
    """A forgotten memory has no claim on its text; restoring it beside a new one is refused by that one's name."""
    old = brain.remember("the capital of France", at=T0)
    brain.forget(old.id, now=T0)

    new = brain.remember("the capital of France", at=T0 + hours(1))

    assert ("created", True) == (new.outcome, new.id != old.id)
    with pytest.raises(Refused, match=f"remembered anew as {new.id}"):
        brain.restore(old.id, now=T0 + hours(2))
    brain.forget(new.id, now=T0 + hours(2))
    brain.restore(old.id, now=T0 + hours(2))
    assert ["LiveMemory"] == properties_of(brain, old.id)["labels"]


def test_a_promoted_id_forgets_the_memory_it_lives_on_in(brain: Brain) -> None:
    """The archive is the same memory in an earlier tier; restore by that id is refused by the live one's name."""
    made = brain.create_test_memory("a note", 3.0, "working", now=T0)
    brain.consolidate(test=True, now=T0)

    found, _ = brain.forget(made.id, test=True, now=T0)

    assert "forgotten" == brain.find(found.id, test=True).state
    with pytest.raises(Refused, match=f"promoted and lives on in {found.id}"):
        brain.restore(made.id, test=True, now=T0)


def test_what_cannot_be_restored(brain: Brain) -> None:
    """Live and expired memories, and what was archived by hand; each by name, nothing changed."""
    live = brain.create_test_memory("live", 3.0, "working", now=T0).id
    expired = brain.create_test_memory("expired", 0.05, "expired", now=T0).id
    by_hand = brain.create_test_memory("by hand", 3.0, "working", now=T0).id
    query(brain.graph, "MATCH (m:Memory {id: $id}) SET m.validTo = $now", id=by_hand, now=T0)
    brain.decay(test=True, now=T0)
    before = [properties_of(brain, each) for each in (live, expired, by_hand)]

    for id_, said in ((live, "it is live"), (expired, "it is expired"), (by_hand, "archived by hand")):
        with pytest.raises(Refused, match=said):
            brain.restore(id_, test=True, now=T0)

    assert before == [properties_of(brain, each) for each in (live, expired, by_hand)]


def test_a_memory_written_by_hand_must_be_adopted_first(brain: Brain) -> None:
    """Without a state label nothing may settle it; the error says what to do."""
    query(
        brain.graph,
        "CREATE (:Memory {id: 'by-hand-1', brain: $brain, isTest: true, content: 'c', tier: 'working', energy: 1.0, "
        "created: $now})",
        brain=brain.name,
        now=T0,
    )

    with pytest.raises(NotFound, match="Adopt it first"):
        brain.forget("by-hand-1", test=True, now=T0)


@pytest.mark.parametrize("is_test", [True, False])
def test_forgetting_touches_one_scope(brain: Brain, is_test: bool) -> None:
    """An id of the other scope is not found, and nothing outside changes (R-004-10, P6)."""
    test = brain.create_test_memory("a note", 2.0, "working", now=T0).id
    real = brain.remember("a note", at=T0).id
    mine, theirs = (test, real) if is_test else (real, test)
    outside = everything_but(brain.graph, brain.name, is_test=is_test)

    for verb in (brain.forget, brain.restore):
        verb(mine, test=is_test, now=T0 + hours(1))
        with pytest.raises(NotFound):
            verb(theirs, test=is_test, now=T0 + hours(1))

    assert outside == everything_but(brain.graph, brain.name, is_test=is_test)
