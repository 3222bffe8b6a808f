"""Vectors on a real server: back-filled, never mixed, and recall that uses them where it may."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest

from brainbridge.app import Brain
from brainbridge.daemon.upkeep import EMBED_PAUSE, Upkeep
from brainbridge.domain.errors import EmbedderFailed, Refused
from brainbridge.domain.recall import Strength
from brainbridge.graph.connection import Address, Graph
from brainbridge.graph.statements.embeddings import Slot
from brainbridge.recall import spaces
from brainbridge.recall.embedders.fake import Fake
from brainbridge.settings import RecallSettings, Settings
from tests.support import T0, create_test_memories, properties_of, query


@pytest.fixture
def speaking(make_brain: Callable[..., Brain]) -> Iterator[Callable[..., Brain]]:
    """Brains with a fake embedder; the places for vectors are free before and after."""

    def make(version: str = "1", *, like: Brain | None = None, dimensions: int = 64) -> Brain:
        name = like.name if like else make_brain().name
        made = Brain(graph, name, Settings(recall=RecallSettings(embedder="fake")), owns_unowned=False)
        made.__dict__["embedder"] = Fake(dimensions, version)
        return made

    graph = make_brain().graph
    empty(graph)
    yield make
    empty(graph)


def empty(graph: Graph) -> None:
    """Free both places, whoever uses them."""
    query(graph, "MATCH (b:Brain) SET b.embeddingModel = null, b.embeddingNext = null")
    query(graph, "MATCH (s:EmbeddingSpace) DELETE s")
    query(graph, "MATCH (m:Memory) WHERE m.embeddingA IS NOT NULL OR m.embeddingB IS NOT NULL "
                 "SET m.embeddingA = null, m.embeddingB = null")  # fmt: skip
    for slot in Slot:
        query(graph, f"DROP INDEX {slot.index_name} IF EXISTS")


def test_back_fill_then_recall_by_both_legs(speaking: Callable[..., Brain]) -> None:
    """remember waits for no model; after the back-fill the page says that meaning took part (retrieval §3)."""
    brain = speaking()
    made = brain.remember("the staging server listens on port 8443", subject="Operations")
    before = brain.recall("staging server port")

    filled = brain.embed()
    after = brain.recall("staging server port")

    assert filled is not None
    assert (1, True, True) == (filled.embedded, filled.complete, filled.switched)
    assert (False, True) == (before.semantic, after.semantic)
    assert (1, 1, Strength.STRONG) == (
        after.hits[0].lexical_rank,
        after.hits[0].semantic_rank,
        after.hits[0].strength,
    )
    assert {"cosine", "semantic"} <= after.hits[0].terms.keys()
    expected = Fake().embed_query("Operations: the staging server listens on port 8443")
    assert pytest.approx(expected, abs=1e-6) == properties_of(brain, made.id)["embeddingA"]


def test_again_embeds_what_is_new_only(speaking: Callable[..., Brain]) -> None:
    """Real and test memories, live ones only; a second time there is nothing to do."""
    brain = speaking()
    brain.remember("a real note")
    create_test_memories(brain, [("a test note", 5.0, "longTerm"), ("gone", 0.01, "expired")])

    embedded = []
    for _ in range(2):
        filled = brain.embed()
        assert filled is not None
        embedded.append((filled.embedded, filled.switched))
    brain.remember("another note altogether")
    filled = brain.embed()
    found = brain.vectors()

    assert [(2, True), (0, False)] == embedded
    assert filled is not None
    assert found is not None
    assert (1, 3, 0) == (filled.embedded, found.filled, found.bare)


def test_meaning_alone_is_found_but_weak(speaking: Callable[..., Brain], monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory that shares no word with the question comes by its vector, and is no answer by that alone."""
    brain = speaking()
    brain.remember("she owns a feline companion")
    fake = brain.embedder
    assert fake is not None
    monkeypatch.setattr(Fake, "embed_query", lambda self, text: Fake.embed_documents(self, [text])[0])
    monkeypatch.setattr(Fake, "embed_documents", lambda self, texts: [[1.0] * 64 for _ in texts])
    brain.embed()

    page = brain.recall("kitten")

    assert [("she owns a feline companion", None, 1)] == [
        (hit.memory.content, hit.lexical_rank, hit.semantic_rank) for hit in page.hits
    ]
    assert page.miss


def test_a_memory_that_has_no_vector_yet_is_judged_by_its_words(speaking: Callable[..., Brain]) -> None:
    """It can be strong the moment after it was remembered, beside others that have one."""
    brain = speaking()
    brain.remember("the garden gate squeaks")
    brain.embed()
    brain.remember("the staging server listens on port 8443")

    hit = brain.recall("which port does the staging server listen on").hits[0]

    assert ("the staging server listens on port 8443", None, Strength.STRONG) == (
        hit.memory.content,
        hit.semantic_rank,
        hit.strength,
    )


def test_a_new_model_takes_the_other_place_and_the_old_goes_on_meanwhile(speaking: Callable[..., Brain]) -> None:
    """Another key, another property and index; half-filled it is not used; then the switch, and the old vectors go."""
    old = speaking("1")
    ids = create_test_memories(old, [(f"lantern number {n}", 5.0, "longTerm") for n in range(3)])
    old.embed()
    new = speaking("2", like=old, dimensions=32)

    half = new.embed(seconds=0)
    meanwhile = [brain.recall("lantern", test=True, now=T0).semantic for brain in (old, new)]
    whole = new.embed()
    after = [brain.recall("lantern", test=True, now=T0).semantic for brain in (old, new)]

    assert half is not None
    assert whole is not None
    assert (False, False, True, True) == (half.complete, half.switched, whole.complete, whole.switched)
    assert ([True, False], [False, True]) == (meanwhile, after)
    properties = properties_of(new, ids[0])
    assert ("embeddingA" in properties, len(properties["embeddingB"])) == (False, 32)
    assert [("B", new.embedder.model_key)] == [  # type: ignore[union-attr]
        (row["slot"], row["model"])
        for row in query(new.graph, "MATCH (s:EmbeddingSpace) RETURN s.slot AS slot, s.model AS model")
    ]


def test_two_brains_with_two_models_and_no_third(speaking: Callable[..., Brain]) -> None:
    """Both places are theirs; a third model is refused with the names of who uses them, and nothing is touched."""
    first, second, third = speaking("1"), speaking("2"), speaking("3")
    for brain in (first, second):
        brain.remember("the attic is dry")
        brain.embed()

    with pytest.raises(Refused, match=f"{first.name}.*{second.name}|{second.name}.*{first.name}"):
        third.embed()

    assert [True, True, False] == [brain.recall("attic").semantic for brain in (first, second, third)]


def test_a_model_that_nobody_uses_makes_room(speaking: Callable[..., Brain]) -> None:
    """Its vectors, its index and its place go when a third is wanted."""
    first, second = speaking("1"), speaking("2")
    for brain in (first, second):
        brain.remember("the attic is dry")
        brain.embed()
    query(first.graph, "MATCH (b:Brain {name: $name}) SET b.embeddingModel = null", name=first.name)
    third = speaking("3")
    third.remember("the cellar is wet")

    filled = third.embed()

    assert filled is not None
    assert filled.switched
    (left,) = query(first.graph, "MATCH (m:Memory {brain: $b}) RETURN m.embeddingA AS v", b=first.name)
    assert left["v"] is None
    assert second.recall("attic").semantic


def test_scopes_and_brains_do_not_meet_in_the_index_either(speaking: Callable[..., Brain]) -> None:
    """The nearest vectors belong to others: the filter is inside the search, so the page is full of its own (P6)."""
    big, small = speaking(), speaking()
    create_test_memories(big, [(f"harbour lights {n}", 5.0, "longTerm") for n in range(300)])
    create_test_memories(small, [(f"old quay lamp {n}", 5.0, "longTerm") for n in range(12)])
    small.remember("harbour lights, but real")
    for brain in (big, small):
        brain.embed()

    page = small.recall("harbour lights", test=True, now=T0)

    assert 10 == len(page.hits)
    assert {(small.name, True)} == {(hit.memory.brain, hit.memory.is_test) for hit in page.hits}
    assert {None} == {hit.lexical_rank for hit in page.hits}


def test_both_ways_of_searching_agree(speaking: Callable[..., Brain], monkeypatch: pytest.MonkeyPatch) -> None:
    """By index and by looking at each vector: the same ten, and the same scores to what a float carries."""
    brain = speaking()
    create_test_memories(brain, [(f"lamp {n} of {n % 7} in row {n % 5}", 5.0, "longTerm") for n in range(60)])
    brain.embed()

    def page() -> dict[str, float]:
        found = brain.recall("lamp 3 of 3 in row 3", limit=10, test=True, now=T0)
        return {hit.memory.id: hit.score for hit in found.hits}

    exact = brain.__dict__
    exact["_by_index"] = False
    by_looking = page()
    exact["_by_index"] = spaces.searches_by_index(brain.graph.server_version())

    assert by_looking == pytest.approx(page(), abs=1e-4)


def test_a_promoted_memory_keeps_its_vector_and_its_archive_has_none(speaking: Callable[..., Brain]) -> None:
    """The live memory is the same node; a copy of the vector would be dead weight."""
    brain = speaking()
    made = brain.create_test_memory("a lamp climbs", 4.0, "working", now=T0)
    brain.embed()
    brain.consolidate(test=True, now=T0)

    hit = brain.recall("lamp climbs", test=True, now=T0).hits[0]

    assert (1, True) == (hit.semantic_rank, hit.memory.id != made.id)
    assert "embeddingA" not in properties_of(brain, made.id)


def test_a_model_that_fails_does_not_stop_recall(
    speaking: Callable[..., Brain], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says that it went by words; the back-fill says why, and what is there stays."""
    brain = speaking()
    brain.remember("the attic is dry")
    brain.embed()

    def fail(*_: object) -> None:
        raise EmbedderFailed("the model is away")

    monkeypatch.setattr(Fake, "embed_query", fail)
    monkeypatch.setattr(Fake, "embed_documents", fail)
    page = brain.recall("attic")
    brain.remember("the cellar is wet and cold")

    assert (False, False, 1) == (page.semantic, page.miss, len(page.hits))
    with pytest.raises(EmbedderFailed, match="away"):
        brain.embed()


def test_filters_reach_the_semantic_leg(speaking: Callable[..., Brain]) -> None:
    """Tier, subject and the rest, and the fading of memories, hold for what meaning finds too."""
    brain = speaking()
    brain.remember("old quay lamp", subject="Harbour", memory_type="learning")
    brain.remember("new quay lantern", subject="Harbour")
    create_test_memories(brain, [("faded quay beacon", 0.2, "longTerm")])
    brain.embed()

    assert ["old quay lamp"] == [hit.memory.content for hit in brain.recall("beacon", memory_type="learning").hits]
    assert 2 == len(brain.recall("beacon", subject="harbour").hits)
    assert () == brain.recall("beacon", tier="longTerm").hits
    assert () == brain.recall("quay", test=True, now=T0).hits


def test_an_export_has_no_vectors(speaking: Callable[..., Brain]) -> None:
    """They are derived, and of a model that another machine may not have; an import is embedded anew."""
    brain, other = speaking(), speaking()
    brain.remember("the attic is dry")
    brain.embed()
    with_vectors, file = StringIO(), StringIO()
    brain.export_to(with_vectors)
    query(brain.graph, "MATCH (m:Memory {brain: $b}) SET m.embeddingA = null", b=brain.name)
    brain.export_to(file)

    assert with_vectors.getvalue() == file.getvalue()
    forged = file.getvalue().replace('"memory": {', '"memory": {"embeddingA": [1.0], ', 1)
    query(brain.graph, "MATCH (n:Memory|EnergyEvent {brain: $b}) DETACH DELETE n", b=brain.name)
    other.import_from(StringIO(forged))
    (row,) = query(brain.graph, "MATCH (m:Memory {brain: $b}) RETURN m.embeddingA AS vector", b=other.name)
    assert row["vector"] is None


def test_the_daemon_embeds_after_its_run(
    speaking: Callable[..., Brain], neo4j_address: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In pieces, coming back soon while there is more; a model that fails ends no pass."""
    brain = speaking()
    brain.remember("the attic is dry")

    def open_brain(settings: Settings) -> Brain:
        return Brain(Graph.open(neo4j_address, timeout=15), brain.name, settings, owns_unowned=False)

    settings = Settings(home=tmp_path, recall=RecallSettings(embedder="fake"))
    upkeep = Upkeep(settings, brain.name, open_brain=open_brain)
    with monkeypatch.context() as patch:
        patch.setattr("brainbridge.daemon.upkeep.EMBED_TIME", timedelta())
        soon = upkeep.once()
    later = upkeep.once()
    found = brain.vectors()
    monkeypatch.setattr(Fake, "embed_documents", lambda *_: (_ for _ in ()).throw(EmbedderFailed("away")))
    brain.remember("the cellar is wet and cold")
    failing = upkeep.once()

    assert found is not None
    assert (EMBED_PAUSE, 1, 0) == (soon.after, found.filled, found.bare)
    assert all(wake.after > EMBED_PAUSE for wake in (later, failing))
