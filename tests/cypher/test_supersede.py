"""Supersede: the old memory is archived and leads to the new one from then on."""

import math

import pytest

from brainbridge.app import Brain
from brainbridge.domain.errors import InvalidValue, NotFound, Refused
from tests.support import T0, everything_but, hours, kinds_of, properties_of, query

EXACT = 1e-9


@pytest.fixture
def pair(brain: Brain) -> tuple[str, str]:
    """Two test memories: the port as it was, and as it is."""
    old = brain.create_test_memory("the port is 8080", 4.0, "working", now=T0)
    new = brain.create_test_memory("the port is 9090", 1.0, "working", now=T0)
    return old.id, new.id


def test_the_old_one_is_archived_and_the_new_one_left_as_it_is(brain: Brain, pair: tuple[str, str]) -> None:
    """(old)-[:SUPERSEDED_BY {at, reason}]->(new); effective energies stay as they are."""
    old, new = pair
    before = properties_of(brain, new)

    _, _, done = brain.supersede(old, new, reason="it moved", test=True, now=T0 + hours(1))

    left = 4.0 * math.exp(-0.5)
    assert (pytest.approx(left, abs=EXACT), "working", T0 + hours(1)) == (done.energy, done.tier, done.at)
    archived = properties_of(brain, old)
    assert (T0 + hours(1), ["ArchivedMemory"]) == (archived["validTo"], archived["labels"])
    settled = {"energy": pytest.approx(math.exp(-0.5), abs=EXACT), "lastDecay": T0 + hours(1)}
    assert before | settled == properties_of(brain, new)
    assert [{"at": T0 + hours(1), "reason": "it moved"}] == [
        row["r"]
        for row in query(
            brain.graph,
            "MATCH (:Memory {id: $old})-[r:SUPERSEDED_BY]->(:Memory {id: $new}) RETURN properties(r) AS r",
            old=old,
            new=new,
        )
    ]
    assert (["born", "superseded"], ["born"]) == (kinds_of(brain, old, test=True), kinds_of(brain, new, test=True))


def test_the_old_id_leads_to_the_new_one(brain: Brain, pair: tuple[str, str]) -> None:
    """Boosts and openings go to it, also after it was promoted and superseded itself (R-004-27)."""
    old, new = pair
    brain.supersede(old, new, test=True, now=T0)
    newest = brain.create_test_memory("the port is 7070", 2.0, "longTerm", now=T0).id

    boosted, _ = brain.boost(old, test=True, now=T0)
    brain.boost(old, test=True, now=T0)
    brain.consolidate(test=True, now=T0)
    promoted = brain.open(old, test=True, now=T0).memory
    brain.supersede(new, newest, test=True, now=T0)
    opened = brain.open(old, test=True, now=T0)

    assert new == boosted.id
    assert ("shortTerm", new) == (promoted.tier, promoted.root)
    assert (newest, 3.0) == (opened.memory.id, opened.energy)
    assert [promoted.id] == [each.id for each in opened.record.supersedes]


def test_ids_from_before_a_promotion_name_the_same_memories(brain: Brain) -> None:
    """Both old and new may be named by an archive's id (R-004-27)."""
    old = brain.create_test_memory("the port is 8080", 3.0, "working", now=T0).id
    new = brain.create_test_memory("the port is 9090", 3.0, "working", now=T0).id
    brain.consolidate(test=True, now=T0)

    before, after, _ = brain.supersede(old, new, test=True, now=T0)

    assert (old, new) == (before.root, after.root)
    assert after.id == brain.open(old, test=True, now=T0).memory.id


def test_an_expired_memory_can_be_replaced_but_cannot_replace(brain: Brain, pair: tuple[str, str]) -> None:
    """What has faded may still be said better; the other way round the live one would be lost."""
    old, new = pair
    expired = brain.create_test_memory("faint", 0.05, "expired", now=T0).id

    with pytest.raises(Refused, match=f"{expired} expired on 2026-03-01 and cannot take the place"):
        brain.supersede(old, expired, test=True, now=T0)
    _, _, done = brain.supersede(expired, new, test=True, now=T0)

    assert "expired" == done.tier
    assert ["LiveMemory"] == properties_of(brain, old)["labels"]


def test_no_memory_replaces_itself(brain: Brain, pair: tuple[str, str]) -> None:
    """Not under an archive's id either, and not in a circle."""
    old, new = pair
    with pytest.raises(InvalidValue, match="cannot supersede itself"):
        brain.supersede(old, old, test=True, now=T0)
    brain.supersede(old, new, test=True, now=T0)

    with pytest.raises(InvalidValue, match="cannot supersede itself"):
        brain.supersede(new, old, test=True, now=T0)

    assert ["LiveMemory"] == properties_of(brain, new)["labels"]


def test_what_was_superseded_cannot_be_superseded_forgotten_or_restored(brain: Brain, pair: tuple[str, str]) -> None:
    """To do it to the memory that took its place would be a surprise; that one is named instead."""
    old, new = pair
    other = brain.create_test_memory("another", 2.0, "working", now=T0).id
    brain.supersede(old, new, test=True, now=T0)

    with pytest.raises(Refused, match=f"superseded by {new} and cannot be superseded"):
        brain.supersede(old, other, test=True, now=T0)
    with pytest.raises(Refused, match=f"superseded by {new} and cannot be forgotten"):
        brain.forget(old, test=True, now=T0)
    with pytest.raises(Refused, match=f"cannot be restored: it was superseded by {new}"):
        brain.restore(old, test=True, now=T0)

    assert ["LiveMemory"] == properties_of(brain, new)["labels"]


def test_an_archive_in_front_of_a_superseded_memory_leads_on(brain: Brain) -> None:
    """working → shortTerm → superseded: every id of the way leads to the one that took its place (R-004-27)."""
    first = brain.create_test_memory("the port is 8080", 3.0, "working", now=T0).id
    brain.consolidate(test=True, now=T0)
    new = brain.create_test_memory("the port is 9090", 1.0, "working", now=T0).id
    brain.supersede(first, new, test=True, now=T0)

    assert new == brain.open(first, test=True, now=T0).memory.id


@pytest.mark.parametrize("is_test", [True, False])
def test_superseding_touches_one_scope(brain: Brain, is_test: bool) -> None:
    """A memory of the other scope is no candidate for either side, and nothing outside changes (R-004-10, P6)."""
    test = [brain.create_test_memory(text, 2.0, "working", now=T0).id for text in ("one", "two")]
    real = [brain.remember(text, at=T0).id for text in ("one thing", "another matter")]
    mine, theirs = (test, real) if is_test else (real, test)
    outside = everything_but(brain.graph, brain.name, is_test=is_test)

    for old, new in ((mine[0], theirs[0]), (theirs[0], mine[0])):
        with pytest.raises(NotFound):
            brain.supersede(old, new, test=is_test, now=T0)
    brain.supersede(*mine, test=is_test, now=T0)

    assert outside == everything_but(brain.graph, brain.name, is_test=is_test)
