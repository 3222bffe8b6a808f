"""The installed program with a brain of the test's own, on the session's Neo4j."""

import os
from pathlib import Path
from uuid import uuid4

import pytest

from brainbridge.app import initialise
from brainbridge.graph.connection import Address, Graph
from tests.program import Program


@pytest.fixture
def program(neo4j_address: Address, graph: Graph, tmp_path: Path) -> Program:
    """The program with a brain that no other test uses."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("BRAINBRIDGE_", "NEO4J_"))}
    environment |= {
        "BRAINBRIDGE_URI": neo4j_address.uri,
        "BRAINBRIDGE_CONNECT_TIMEOUT": "15",
        "BRAINBRIDGE_USERNAME": neo4j_address.username,
        "BRAINBRIDGE_PASSWORD": neo4j_address.password,
        "BRAINBRIDGE_DATABASE": neo4j_address.database,
        "BRAINBRIDGE_HOME": str(tmp_path / "home"),
        "BRAINBRIDGE_CONFIG": str(tmp_path / "none.toml"),
    }
    made = Program(f"cli{uuid4().hex[:10]}", environment)
    initialise(graph, made.brain)
    return made
