"""Declaring relations: who may be at their ends, that each stands once, and how they are read."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from brainbridge.app import Brain
from brainbridge.domain.errors import Ambiguous, BrainbridgeError, InvalidValue, NotFound, Refused
from brainbridge.domain.relation import Relation
from tests.support import T0, create_test_memories, hours, query


@pytest.fixture
def pair(brain: Brain) -> list[str]:
    """The ids of two test memories."""
    return create_test_memories(brain, [("the port is 7687", 1.0, "working"), ("the port is 7688", 1.5, "working")])


def drawn(brain: Brain) -> list[dict[str, Any]]:
    """Every declared relation that touches a memory of the brain."""
    return query(
        brain.graph,
        "MATCH (a:Memory)-[r:EXTENDS|UPDATES|DERIVES|CONTRADICTS]->(b) WHERE $brain IN [a.brain, b.brain] "
        "RETURN a.id AS source, type(r) AS type, b.id AS target, properties(r) AS properties ORDER BY type",
        brain=brain.name,
    )


@pytest.mark.parametrize("relation", Relation)
def test_a_relation_is_declared_with_its_author_and_never_applied_yet(
    brain: Brain, pair: list[str], relation: Relation
) -> None:
    """One relationship of the literal type, created and declaredBy set, lastApplied not (R-000-18)."""
    done = brain.link(pair[0], relation, pair[1], declared_by="an agent", test=True, now=T0)

    assert (True, False) == (done.created, done.inert)
    (edge,) = drawn(brain)
    assert (pair[0], relation.name, pair[1]) == (edge["source"], edge["type"], edge["target"])
    assert {
        "brain": brain.name,
        "isTest": True,
        "created": T0,
        "declaredBy": "an agent",
        "checkedDay": "",
    } == edge["properties"]


def test_declaring_again_changes_nothing(brain: Brain, pair: list[str]) -> None:
    """The same pair, direction and kind is one relationship; its first author and date stay (R-000-25)."""
    brain.link(pair[0], "extends", pair[1], test=True, now=T0)
    before = drawn(brain)

    again = brain.link(pair[0], "extends", pair[1], declared_by="another", test=True, now=T0 + hours(1))

    assert (False, before) == (again.created, drawn(brain))


def test_eight_declarations_at_once_make_one_relationship(brain: Brain, pair: list[str]) -> None:
    """Both ends are locked in the order of their ids, whichever way round they are given (R-000-25)."""

    def declare(i: int) -> bool:
        ends = pair if i % 2 else pair[::-1]
        return brain.link(ends[0], "contradicts", ends[1], test=True).created

    with ThreadPoolExecutor(8) as threads:
        created = list(threads.map(declare, range(8)))

    assert (2, 2) == (created.count(True), len(drawn(brain)))


def test_an_archive_stands_for_its_successor(brain: Brain) -> None:
    """The old id still names the memory; its relations are those of the live one (R-000-18, R-004-25)."""
    old, other = create_test_memories(brain, [("strong", 3.0, "working"), ("other", 1.0, "working")])
    brain.consolidate(test=True, now=T0)
    head = brain.find("strong", test=True)

    done = brain.link(old, "extends", other, test=True, now=T0)
    again = brain.link(head.id, "extends", other, test=True, now=T0)

    assert old != head.id == done.source.id
    assert [(head.id, other)] == [(edge["source"], edge["target"]) for edge in drawn(brain)]
    assert (False, 1) == (again.created, len(brain.relations(old, test=True)))


def test_an_expired_end_makes_a_relation_without_effect(brain: Brain) -> None:
    """It is declared, and says so (R-000-24)."""
    live, gone = create_test_memories(brain, [("live", 1.0, "working"), ("gone", 0.05, "expired")])

    done = brain.link(live, "updates", gone, test=True)

    assert (True, True) == (done.created, done.inert)


def refused(brain: Brain, *arguments: str, test: bool = True) -> str:
    """The text of the error that a declaration ends in; fails if anything was written."""
    with pytest.raises(BrainbridgeError) as caught:
        brain.link(*arguments, test=test)
    assert [] == drawn(brain)
    return f"{type(caught.value).__name__}: {caught.value}"


def test_what_cannot_be_an_end_is_refused_before_anything_is_written(
    brain: Brain, pair: list[str], make_brain: Callable[..., Brain]
) -> None:
    """Missing, ambiguous (candidates listed), itself, of the other scope or brain (R-000-18, -19, -24, -25)."""
    real = brain.remember("a real one").id
    elsewhere = make_brain().create_test_memory("of another brain", 1.0, "working").id

    texts = [
        refused(brain, pair[0], "extends", other) for other in ("no such text", "the port", pair[0], real, elsewhere)
    ]

    assert ["NotFound", "Ambiguous", "InvalidValue", "NotFound", "NotFound"] == [
        text.partition(":")[0] for text in texts
    ]
    assert all(each in texts[1] for each in pair)
    assert "the same memory" in texts[2]


def test_what_is_no_relation_is_refused_before_anything_is_written(brain: Brain, pair: list[str]) -> None:
    """A closed set; co_recalled with the reason; somebody has to declare it (R-000-20, R-003-10)."""
    for relation, error in (("co_recalled", Refused), ("likes", InvalidValue), ("", InvalidValue)):
        with pytest.raises(error):
            brain.link(pair[0], relation, pair[1], test=True)
    with pytest.raises(InvalidValue, match="who declares it"):
        brain.link(pair[0], "extends", pair[1], declared_by=" ", test=True)

    assert [] == drawn(brain)


def test_taking_a_relation_back_removes_it_once_and_nothing_else(brain: Brain, pair: list[str]) -> None:
    """Other kinds and the other direction stay; again changes nothing; what it did to energies stays."""
    brain.link(pair[0], "extends", pair[1], test=True, now=T0)
    brain.link(pair[0], "updates", pair[1], test=True, now=T0)
    brain.link(pair[1], "extends", pair[0], test=True, now=T0)
    brain.run("relate", test=True, now=T0)
    before = [brain.find(each, test=True).energy for each in pair]

    removed = [brain.unlink(pair[0], "extends", pair[1], test=True).removed for _ in range(2)]

    assert [True, False] == removed
    assert [(pair[1], "EXTENDS"), (pair[0], "UPDATES")] == [(edge["source"], edge["type"]) for edge in drawn(brain)]
    assert before == [brain.find(each, test=True).energy for each in pair]


def test_relations_are_seen_from_both_ends(brain: Brain, pair: list[str]) -> None:
    """Kind, direction, the other memory, author and dates, oldest first; an unknown type is skipped (R-003-12)."""
    brain.link(pair[0], "derives", pair[1], declared_by="me", test=True, now=T0)
    query(
        brain.graph,
        "MATCH (a:Memory {id: $a}), (b:Memory {id: $b}) CREATE (a)-[:co_recalled {weight: 1}]->(b), (a)-[:LIKES]->(b)",
        a=pair[0],
        b=pair[1],
    )

    (there,) = brain.relations(pair[0], test=True)
    (back,) = brain.relations(pair[1], test=True)

    assert (Relation.DERIVES, True, pair[1], T0, "me", None) == (
        there.relation,
        there.outgoing,
        there.other.id,
        there.created,
        there.declared_by,
        there.last_applied,
    )
    assert (Relation.DERIVES, False, pair[0]) == (back.relation, back.outgoing, back.other.id)


def test_relations_of_nothing_are_an_error(brain: Brain, pair: list[str]) -> None:
    """A reference is resolved as everywhere."""
    with pytest.raises(NotFound):
        brain.relations("no such memory", test=True)
    with pytest.raises(Ambiguous):
        brain.relations("the port", test=True)
    assert [] == brain.relations(pair[0], test=True)


def test_health_names_contradictions_of_core_memories(brain: Brain) -> None:
    """They take nothing from the core memory, so a person has to settle them (model.md §3)."""
    core, note = brain.remember("milo lives in Oslo", core=True), brain.remember("milo lives in Rome")
    silent = [found.name for found in brain.health().findings]
    brain.link(note.id, "contradicts", core.id)

    (finding,) = (found for found in brain.health().findings if found.name == "contradictions")

    assert "contradictions" not in silent
    assert "warning" == finding.level
    assert f"{note.id} and core memory {core.id}" in finding.text
