"""The Cypher console reads, unless someone says write; what reaches outside the graph is refused either way."""

import pytest

from brainbridge.app import Brain
from brainbridge.domain.errors import InvalidValue, QueryFailed, Refused
from tests.support import T0, query

# Cheap to compare, and each of the refused texts would change one of them.
COUNTS = """
MATCH (n)
WITH count(n) AS nodes, sum(toFloatOrNull(n.energy)) AS energy
RETURN nodes, energy, COUNT { ()-->() } AS edges, COUNT { (:ConsoleNote) } AS notes
"""
DEBUG_QUERIES = (
    "MATCH (m:Memory) WHERE m.validTo IS NULL RETURN m ORDER BY m.energy DESC",
    "MATCH (c:ConsolidationConfig) RETURN c",
    "MATCH (m1:Memory)-[:PROMOTED_TO]->(m2:Memory) RETURN m1, m2",
)


@pytest.mark.parametrize("text", DEBUG_QUERIES)
def test_the_debug_queries_of_document_004_run_unchanged(brain: Brain, text: str) -> None:
    """Live list by energy, configuration, promotion history (R-004-12, R-004-35)."""
    brain.create_test_memory("strong", 3.0, "working", now=T0)
    brain.consolidate(test=True, now=T0)

    table = brain.cypher(text)

    assert len(table.rows) > 0


@pytest.mark.parametrize(
    "text",
    [
        "CREATE (n:Note) RETURN n",
        "MATCH (m:Memory) SET m.energy = 9",
        "MATCH (m:Memory) DETACH DELETE m",
        "MERGE (n:Note {a: 1})",
        "CALL { CREATE (n:Note) } RETURN 1",
        "CREATE INDEX x FOR (n:Note) ON (n.a)",
        "DROP CONSTRAINT memory_id",
        "LOAD CSV FROM 'http://127.0.0.1/x' AS line RETURN line",
        "MATCH (m:Memory) CALL { LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line } RETURN line",
        "CALL dbms.killConnection('bolt-1')",
        "CALL dbms.listConfig()",
        "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
        "SHOW SETTINGS",
        "SHOW USERS",
        "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'",
        "CREATE USER eve SET PASSWORD 'abcdefgh'",
        "/* harmless */ SHOW SETTINGS",
        "// harmless\nTERMINATE TRANSACTIONS 'x'",
        "CYPHER 5 SHOW SETTINGS",
        "/* harmless */ SHOW TRANSACTIONS",
        "CYPHER 25 SHOW TRANSACTIONS",
        "RETURN [x IN [1] | COLLECT { LOAD CSV FROM 'http://127.0.0.1:9/s' AS l RETURN l }] AS z",
        "RETURN [x IN [1] WHERE EXISTS { LOAD CSV FROM 'file:///etc/passwd' AS l RETURN l } | x] AS z",
        "RETURN [x IN [1] | COLLECT { CALL db.prepareForReplanning() RETURN 1 AS a }] AS z",
        "CALL `db`.`prepareForReplanning`()",
        "PROFILE MATCH (m:Memory) SET m.energy = 9",
        "EXPLAIN MATCH (m:Memory) SET m.energy = 9",
    ],
)
def test_what_writes_or_reaches_outside_is_refused_without_write(brain: Brain, text: str) -> None:
    """Refused before it runs, and nothing changes."""
    before = query(brain.graph, COUNTS)

    with pytest.raises((Refused, QueryFailed)):
        brain.cypher(text)

    assert before == query(brain.graph, COUNTS)


@pytest.mark.parametrize(
    "text",
    [
        "SHOW INDEXES",
        "SHOW CONSTRAINTS YIELD name RETURN name",
        "CALL db.labels() YIELD label RETURN label",
        "RETURN 1 AS one;",
        "EXPLAIN MATCH (m:Memory) RETURN m",
        "PROFILE MATCH (m:Memory) RETURN count(m)",
        "RETURN 'SET DELETE CREATE TERMINATE TRANSACTIONS LOAD CSV SHOW USERS' AS words // SHOW SETTINGS",
        "CALL (*) { MATCH (m:Memory) RETURN m LIMIT 1 } RETURN count(m)",
        "UNWIND range(1, 3) AS x RETURN x",
    ],
)
def test_what_only_reads_runs(brain: Brain, text: str) -> None:
    """Words in strings, SHOW of indexes, listed procedures."""
    brain.cypher(text)


def test_more_than_a_thousand_rows_are_cut_and_said_to_be(brain: Brain) -> None:
    """1,000 rows come back, and `truncated` says that there are more."""
    cut, whole = (
        brain.cypher("UNWIND range(1, 1001) AS x RETURN x"),
        brain.cypher("UNWIND range(1, 1000) AS x RETURN x"),
    )

    assert [(1000, True), (1000, False)] == [(len(table.rows), table.truncated) for table in (cut, whole)]


def test_write_is_explicit(brain: Brain) -> None:
    """With write=True the same text changes the graph."""
    brain.cypher("CREATE (:ConsoleNote {of: $brain})", {"brain": brain.name}, write=True)

    table = brain.cypher("MATCH (n:ConsoleNote {of: $brain}) RETURN count(n) AS notes", {"brain": brain.name})

    assert ((1,),) == table.rows


@pytest.mark.parametrize("text", ["", "  ", ";"])
def test_empty_cypher_is_refused(brain: Brain, text: str) -> None:
    """Nothing to run is an error that shows an example."""
    with pytest.raises(InvalidValue, match="the Cypher is empty"):
        brain.cypher(text)


def test_a_mistake_is_one_line(brain: Brain) -> None:
    """The server's message without its line breaks."""
    with pytest.raises(QueryFailed) as raised:
        brain.cypher("MATCH (m RETURN m")

    assert "\n" not in str(raised.value)
