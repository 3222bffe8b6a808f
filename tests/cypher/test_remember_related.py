"""Remembering with a relation and a source: both are written with the memory, or nothing is."""

from typing import Any

import pytest

from brainbridge.app import Brain
from brainbridge.domain.errors import Ambiguous, BrainbridgeError, InvalidValue, NotFound, Refused
from brainbridge.domain.relation import Declaration, Relation
from brainbridge.domain.source import Source
from brainbridge.memory.note import Declared, Note
from tests.support import T0, everything_but, hours, query

OLD = "The staging database listens on port 8080 behind the proxy"
NEW = "The staging database listens on port 9090 behind the proxy"


def edges(brain: Brain) -> list[tuple[str, str, str, str]]:
    """Every declared relation of the brain: from, type, to, who declared it."""
    rows = query(
        brain.graph,
        "MATCH (a:Memory {brain: $b})-[r:EXTENDS|UPDATES|DERIVES|CONTRADICTS]->(c) "
        "RETURN a.id AS start, type(r) AS type, c.id AS end, r.declaredBy AS by ORDER BY c.content",
        b=brain.name,
    )
    return [(row["start"], row["type"], row["end"], row["by"]) for row in rows]


def texts(brain: Brain) -> list[str]:
    """The contents of all memories of the brain, in any state."""
    rows = query(brain.graph, "MATCH (m:Memory {brain: $b}) RETURN m.content AS text ORDER BY text", b=brain.name)
    return [row["text"] for row in rows]


@pytest.mark.parametrize("relation", Relation)
def test_a_new_memory_says_what_it_is_to_another(brain: Brain, relation: Relation) -> None:
    """Named by a piece of text; the edge leads from the new one, declared by its producer (R-000-18, R-000-19)."""
    old = brain.remember(OLD, at=T0)

    new = brain.remember(NEW, relation=relation, related_to="port 8080", producer="inference", at=T0)

    assert "created" == new.outcome
    assert (Declared(relation, old.id, created=True, inert=False),) == new.declared
    assert [(new.id, relation.name, old.id, "inference")] == edges(brain)


def test_nothing_is_related_unless_someone_says_so(brain: Brain) -> None:
    """Similar texts are named in the outcome, and no edge is made up between them (R-000-20)."""
    brain.remember(OLD, at=T0)

    new = brain.remember(NEW, at=T0)

    assert (1, (), []) == (len(new.related), new.declared, edges(brain))


def test_a_restatement_declares_it_of_the_memory_that_is_there_once(brain: Brain) -> None:
    """The edge starts at the existing memory; said again it is the same edge (R-000-25)."""
    old, first = brain.remember(OLD, at=T0), brain.remember(NEW, at=T0)

    again = [brain.remember(NEW, relation="updates", related_to=old.id, at=T0) for _ in range(2)]

    assert ["reinforced", "reinforced"] == [each.outcome for each in again]
    assert [True, False] == [each.declared[0].created for each in again]
    assert [(first.id, "UPDATES", old.id, "user")] == edges(brain)


def test_several_targets_are_one_statement(brain: Brain) -> None:
    """One relation to each of them, none twice."""
    ids = [brain.remember(text, at=T0).id for text in ("Ada likes oat milk", "Bert likes rye bread")]

    new = brain.remember("Ada and Bert have breakfast at eight", relation="derives", related_to=[*ids, ids[0]], at=T0)

    assert ids == [each.id for each in new.declared]
    assert [(new.id, "DERIVES", each, "user") for each in ids] == edges(brain)


def test_a_promoted_target_is_followed_and_an_expired_one_is_inert(brain: Brain) -> None:
    """The old id of a promoted memory leads to the live one; to an expired one the edge stands without effect."""
    strong = brain.remember("The build takes nine minutes on the big runner", memory_type="crystallization", at=T0)
    faded = brain.remember("Somebody mentioned the coffee machine", producer="system", at=T0)
    brain.consolidate(now=T0)
    brain.consolidate(now=T0 + hours(3))

    new = brain.remember("It got slower", relation="extends", related_to=[strong.id, faded.id], at=T0 + hours(3))

    head, gone = new.declared
    assert (strong.id, False) == (brain.lineage(head.id)[0]["id"], head.inert)
    assert head.id != strong.id
    assert (faded.id, True) == (gone.id, gone.inert)


@pytest.mark.parametrize(
    ("relation", "related_to", "error", "said"),
    [
        ("updates", "nothing like it", NotFound, "matches 'nothing like it'"),
        ("updates", "database", Ambiguous, "matches several memories"),
        ("updates", (), InvalidValue, "lacks its target"),
        (None, "8080", InvalidValue, "Name a relation too"),
        ("likes", "8080", InvalidValue, "is not a relation"),
        ("co_recalled", "8080", Refused, "cannot be declared"),
        ("updates", ["8080", "nothing like it"], NotFound, "nothing like it"),
    ],
)
def test_what_cannot_be_declared_leaves_no_memory(
    brain: Brain, relation: str | None, related_to: Any, error: type[BrainbridgeError], said: str
) -> None:
    """Unknown, ambiguous, or one without the other: refused before anything is written (R-000-19, R-000-20)."""
    brain.remember(OLD, at=T0)
    brain.remember("The production database listens on port 5432", at=T0)
    before = texts(brain)

    with pytest.raises(error, match=said):
        brain.remember("A text of its own", relation=relation, related_to=related_to, at=T0)

    assert before == texts(brain)


def test_an_ambiguous_target_lists_the_candidates(brain: Brain) -> None:
    """With their ids, to choose from (R-000-19)."""
    ids = {brain.remember(OLD, at=T0).id, brain.remember(NEW, at=T0).id}

    with pytest.raises(Ambiguous) as refused:
        brain.remember("A text of its own", relation="extends", related_to="staging database", at=T0)

    assert ids == {candidate.split()[0] for candidate in refused.value.candidates}


def test_a_memory_is_not_related_to_itself(brain: Brain) -> None:
    """A restatement that names what it restates is refused, and has not reinforced it (R-000-25)."""
    first = brain.remember(OLD, at=T0)

    with pytest.raises(InvalidValue, match="cannot be related to itself"):
        brain.remember(OLD.upper(), relation="extends", related_to=first.id, at=T0)

    assert (["born"], []) == ([event.kind for event, _ in brain.history(first.id)], edges(brain))


def test_in_a_batch_one_bad_target_stops_the_whole_batch(brain: Brain) -> None:
    """As one bad note does."""
    notes = [Note("A good note"), Note("A second note", declares=Declaration(Relation.EXTENDS, ("nowhere",)))]

    with pytest.raises(NotFound):
        brain.remember_many(notes)

    assert [] == texts(brain)


def test_a_relation_stays_in_its_scope(brain: Brain) -> None:
    """A test memory cannot name a real one, and nothing real changes when it names another test memory (P6)."""
    brain.remember(OLD, at=T0)
    before = everything_but(brain.graph, brain.name, is_test=True)

    with pytest.raises(NotFound):
        brain.remember(NEW, relation="updates", related_to="port 8080", at=T0, test=True)
    brain.remember(OLD, at=T0, test=True)
    brain.remember(NEW, relation="updates", related_to="port 8080", at=T0, test=True)

    assert before == everything_but(brain.graph, brain.name, is_test=True)


def test_a_source_that_is_there_is_found_and_keeps_what_it_has(brain: Brain) -> None:
    """A node of the user's own, of no brain, gets the memory and stays as it was (R-004-24, R-004-36)."""
    label = f"Ticket{brain.name}"
    query(brain.graph, f"CREATE (:{label} {{id: '42', title: 'Slow start'}})")

    done = brain.remember(OLD, source=Source(label, "42", {"title": "another"}), at=T0)
    brain.remember(OLD, source=Source(label, "42"), at=T0, test=True)

    rows = query(
        brain.graph,
        f"MATCH (s:{label}) RETURN s.title AS title, s.brain AS brain, "
        "COLLECT { MATCH (s)-[:HAS_MEMORY]->(m) RETURN m.isTest } AS memories ORDER BY title",
    )
    assert [
        {"title": "Slow start", "brain": None, "memories": [False]},
        {"title": None, "brain": brain.name, "memories": [True]},
    ] == rows
    assert "42" == brain.find(done.id).source_node_id


def test_a_source_of_another_brain_is_not_taken(brain: Brain) -> None:
    """It says whose it is; ours gets one of its own (P6)."""
    label = f"Ticket{brain.name}"
    query(brain.graph, f"CREATE (:{label} {{id: '42', brain: 'bystander', isTest: false}})")

    brain.remember(OLD, source=Source(label, "42"), at=T0)

    rows = query(brain.graph, f"MATCH (s:{label})-[:HAS_MEMORY]->() RETURN s.brain AS brain")
    assert [{"brain": brain.name}] == rows
