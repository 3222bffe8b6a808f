"""`make demo`: the notes in examples/ really live, fade and harden, and a second demo finds them where they are."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from brainbridge.graph.connection import Address, Graph
from tests.support import query

DEMO = Path(__file__).parents[2] / "examples" / "demo.py"


@pytest.fixture
def environment(neo4j_address: Address, graph: Graph, tmp_path: Path) -> dict[str, str]:
    """The demo pointed at the test database, where no earlier demo has been."""
    query(graph, "MATCH (n {brain: 'demo'}) DETACH DELETE n")
    return {
        **os.environ,
        "BRAINBRIDGE_URI": neo4j_address.uri,
        "BRAINBRIDGE_USERNAME": neo4j_address.username,
        "BRAINBRIDGE_PASSWORD": neo4j_address.password,
        "BRAINBRIDGE_CONNECT_TIMEOUT": "15",
        "BRAINBRIDGE_HOME": str(tmp_path),
    }


def demo(environment: dict[str, str]) -> str:
    """What one demo prints."""
    done = subprocess.run(
        [sys.executable, str(DEMO)], env=environment, capture_output=True, text=True, timeout=240, check=False
    )
    assert (0, "") == (done.returncode, done.stderr)
    return done.stdout


def test_the_demo_shows_status_before_and_after_a_path_and_what_next(environment: dict[str, str], graph: Graph) -> None:
    """Memories in every tier, one with two promotions behind it; the second demo adds none and says so."""
    first, second = demo(environment), demo(environment)

    for word in ("Before:", "After:", "PROMOTED_TO", "strong", "Not known", "What to do next", "longTerm", "expired"):
        assert word in first
    assert "there from an earlier demo" in second
    (row,) = query(
        graph,
        """
        MATCH (m:Memory {brain: 'demo', isTest: false})
        RETURN count(CASE WHEN m.validTo IS NULL THEN 1 END) AS notes, collect(DISTINCT m.tier) AS tiers,
               max(COUNT { (:Memory)-[:PROMOTED_TO*2..2]->(m) }) AS climbed
        """,
    )
    assert (27, 1) == (row["notes"], row["climbed"])
    assert {"working", "shortTerm", "longTerm", "expired"} >= set(row["tiers"]) >= {"longTerm", "expired"}
