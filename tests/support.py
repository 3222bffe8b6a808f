"""What tests share: where the test database comes from, and small tools to look at the graph."""

import os
import secrets
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from brainbridge.app import Brain
from brainbridge.graph.connection import Address, Graph
from brainbridge.graph.records import iso, native
from brainbridge.graph.statements import memory
from brainbridge.settings import ServerSettings, Settings

# The image a container engine would run; the managed server runs the version of its lock.
NEO4J_IMAGE = "neo4j:2026.08.1-community"
# Made up, and put together here, so that no scanner takes this file for a leak.
SECRET = "ghp_" + "a1B2" * 9
T0 = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def minutes(count: float) -> timedelta:
    """A span in minutes."""
    return timedelta(minutes=count)


def hours(count: float) -> timedelta:
    """A span in hours."""
    return timedelta(hours=count)


def free_port() -> int:
    """A port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def container_engine_answers() -> bool:
    """Whether a container engine is there; looks for its socket before importing its client, which leaks one."""
    named = os.environ.get("DOCKER_HOST")
    if not named and not Path("/var/run/docker.sock").exists():
        return False
    import docker

    try:
        client = docker.from_env()
        try:
            return bool(client.ping())
        finally:
            client.close()
    except docker.errors.DockerException:
        return False


def database_source() -> str:
    """Where the test database comes from: the pytest header shows it."""
    if uri := os.environ.get("BRAINBRIDGE_TEST_URI"):
        return f"given by BRAINBRIDGE_TEST_URI: {uri}"
    if container_engine_answers():
        return f"container {NEO4J_IMAGE}"
    return f"managed server, Neo4j {server_settings().version}"


def server_settings(**changes: Any) -> ServerSettings:
    """A managed server for tests on free ports: small, quick to start, the version of BRAINBRIDGE_TEST_NEO4J if set."""
    chosen: dict[str, Any] = {"profile": "tests", "heap": "256m", "page_cache": "64m"}
    if version := os.environ.get("BRAINBRIDGE_TEST_NEO4J"):
        chosen["version"] = version
    if java := os.environ.get("BRAINBRIDGE_TEST_JAVA_HOME"):
        chosen["java_home"] = Path(java)
    return ServerSettings(**(chosen | changes))


@contextmanager
def test_database(home: Path, cache: Path) -> Iterator[Address]:
    """A running Neo4j for a test session, from the first source that applies; never a skip."""
    if uri := os.environ.get("BRAINBRIDGE_TEST_URI"):
        yield Address(
            uri, os.environ.get("BRAINBRIDGE_TEST_USERNAME", "neo4j"), os.environ.get("BRAINBRIDGE_TEST_PASSWORD", "")
        )
    elif container_engine_answers():
        from testcontainers.community.neo4j import Neo4jContainer

        with Neo4jContainer(NEO4J_IMAGE, password=secrets.token_urlsafe(12)) as container:
            yield Address(container.get_connection_url(), container.username, container.password)
    else:
        from brainbridge.local_neo4j.server import LocalServer

        ports = server_settings(bolt_port=free_port(), http_port=free_port())
        server = LocalServer(Settings(home=home, cache=cache, server=ports))
        endpoint = server.start()
        try:
            yield Address(endpoint.uri, endpoint.username, endpoint.password)
        finally:
            server.stop()


def query(graph: Graph, text: str, **parameters: Any) -> list[dict[str, Any]]:
    """Run Cypher as a test's own hand and return its rows."""
    with graph.session() as session:
        result = session.run(text, parameters)  # type: ignore[arg-type]
        return [{key: native(record[key]) for key in result.keys()} for record in result]  # noqa: SIM118  # a Result


def everything_but(graph: Graph, brain: str, *, is_test: bool) -> list[dict[str, Any]]:
    """Every node that is not in one scope of one brain, with its edges: a picture to compare before and after."""
    return query(
        graph,
        """
        MATCH (n)
        WHERE NOT (n.brain = $brain AND coalesce(n.isTest, false) = $isTest) AND NOT n:Lease AND NOT n:ConsolidationRun
        RETURN elementId(n) AS node, labels(n) AS labels, properties(n) AS properties,
               COLLECT { MATCH (n)-[r]->(o) RETURN [type(r), elementId(o), properties(r)] } AS edges
        ORDER BY node
        """,
        brain=brain,
        isTest=is_test,
    )


def create_test_memories(brain: Brain, memories: Iterable[tuple[str, float, str]], *, now: datetime = T0) -> list[str]:
    """Many test memories (content, energy, tier) in one transaction; their ids."""
    births = [
        {
            "id": str(uuid4()),
            "event": str(uuid4()),
            "content": content,
            "tier": tier,
            "energy": float(energy),
            "core": False,
            "memoryType": None,
            "producer": "user",
            "subject": None,
            "sourceNodeId": None,
            "at": iso(now),
        }
        for content, energy, tier in memories
    ]
    scope = brain.scope(test=True)
    brain.graph.write("a test", partial(memory.create_memories, scope=scope, births=births))
    return [birth["id"] for birth in births]


def properties_of(brain: Brain, id_: str) -> dict[str, Any]:
    """All properties of one memory as they are stored, and its state label."""
    (row,) = query(
        brain.graph,
        "MATCH (m:Memory {id: $id}) RETURN m {.*, labels: [l IN labels(m) WHERE l <> 'Memory']} AS m",
        id=id_,
    )
    return dict(row["m"])


def kinds_of(brain: Brain, id_: str, *, test: bool = False) -> list[str]:
    """The kinds of a memory's events, as they happened."""
    return [event.kind for event, _ in brain.history(id_, test=test)]
