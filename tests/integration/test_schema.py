"""The schema: prepared once, by any number of programs; a newer one is refused by name (P13)."""

from collections.abc import Callable, Iterator

import pytest

from brainbridge.app import Brain, list_brains
from brainbridge.domain.errors import SchemaTooNew, UnknownBrain
from brainbridge.graph import schema
from brainbridge.graph.connection import Graph
from brainbridge.settings import Settings
from tests.support import T0, query


@pytest.fixture
def brain_in_a_newer_store(brain: Brain) -> Iterator[Brain]:
    """A brain in a store as a newer brainbridge would leave it."""
    graph = brain.graph
    query(graph, "MATCH (v:SchemaVersion) SET v.version = 99")
    yield brain
    query(graph, "MATCH (v:SchemaVersion) SET v.version = $version", version=schema.SCHEMA_VERSION)


def test_preparing_again_changes_nothing(graph: Graph) -> None:
    """A prepared store needs nothing; one without its version is prepared again, idempotently."""
    again = schema.prepare(graph, T0)
    query(graph, "MATCH (v:SchemaVersion) DETACH DELETE v")
    anew = schema.prepare(graph, T0)

    assert (False, True) == (again, anew)


def test_an_older_store_is_brought_up(graph: Graph) -> None:
    """One of version 1, without what learning needs, gets it, and its events with it (P13)."""
    query(graph, "MATCH (v:SchemaVersion) SET v.version = 1")
    query(graph, "DROP INDEX energy_event_at")
    query(graph, "DROP CONSTRAINT co_recalled_pair")

    assert schema.prepare(graph, T0)

    (row,) = query(graph, "MATCH (v:SchemaVersion) RETURN v.version AS version")
    names = {row["name"] for row in query(graph, "SHOW INDEXES YIELD name, state WHERE state = 'ONLINE'")}
    assert schema.SCHEMA_VERSION == row["version"]
    assert {"energy_event_at", "co_recalled_pair"} <= names


def test_every_brain_of_an_older_store_gets_the_constants_it_lacks(make_brain: Callable[..., Brain]) -> None:
    """Not only the one that is opened first; none needs another `init`, and what was changed stays (P13)."""
    first, second = make_brain(), make_brain()
    second.set_law(birth_learning=1.5)
    query(first.graph, "MATCH (c:ConsolidationConfig) WHERE c.validTo IS NULL REMOVE c.promotionBasis")
    query(first.graph, "MATCH (v:SchemaVersion) SET v.version = 1")

    opened = Brain.on(first.graph, first.name, Settings())

    assert "created" == opened.remember("the store was made by an older brainbridge").outcome
    assert ("run", 1.5) == (second.law().law.promotion_basis, second.law().law.birth_learning)


def test_every_structure_is_in_force(graph: Graph) -> None:
    """Each file of cypher/schema that creates something has created it under its own name."""
    names = {row["name"] for row in query(graph, "SHOW INDEXES YIELD name, state WHERE state = 'ONLINE'")}

    assert {name.partition("/")[2] for name in schema.structures()} <= names


def test_a_newer_store_is_refused_by_name(brain_in_a_newer_store: Brain) -> None:
    """SchemaTooNew names both versions and what to do; nothing is written (R-003-39)."""
    known = schema.SCHEMA_VERSION
    with pytest.raises(SchemaTooNew, match=rf"has schema 99; this brainbridge knows {known}\. Upgrade brainbridge"):
        Brain.on(brain_in_a_newer_store.graph, brain_in_a_newer_store.name, Settings())


def test_an_unknown_brain_is_refused_with_the_list_of_known_ones(graph: Graph) -> None:
    """It is never made by accident (interfaces §1)."""
    with pytest.raises(UnknownBrain, match=r"there is no brain 'bystandr' here\. Did you mean bystander\? Known: "):
        Brain.on(graph, "bystandr", Settings())

    assert [] == query(graph, "MATCH (b:Brain {name: 'bystandr'}) RETURN b")


def test_a_long_list_of_brains_is_cut(make_brain: Callable[..., Brain]) -> None:
    """Five are named, and how many more there are."""
    made = [make_brain() for _ in range(6)]
    graph = made[0].graph
    more = len(list_brains(graph)) - 5

    with pytest.raises(UnknownBrain, match=rf"Known: \S+, \S+, \S+, \S+, \S+ and {more} more\."):
        Brain.on(graph, "nobody", Settings())
