"""Fixtures of all tests: one real Neo4j per session, one brain per test, and no way to a real user's directories."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import platformdirs
import pytest
from hypothesis import settings

from brainbridge import app
from brainbridge.app import Brain
from brainbridge.graph.connection import Address, Graph
from brainbridge.settings import Settings
from tests.support import database_source, test_database

# How long an example takes depends on who else uses the machine; timing is measured in bench/, never asserted here.
settings.register_profile("brainbridge", deadline=None)
settings.load_profile("brainbridge")


def pytest_report_header() -> str:
    return f"neo4j: {database_source()}"


@pytest.fixture(scope="session")
def jar_cache() -> Path:
    """Where Neo4j's jars are kept between sessions: a cache, shared with real use."""
    named = os.environ.get("BRAINBRIDGE_CACHE")
    return Path(named) if named else platformdirs.user_cache_path("brainbridge")


@pytest.fixture(autouse=True, scope="session")
def _private_world(tmp_path_factory: pytest.TempPathFactory, jar_cache: Path) -> Iterator[None]:
    """Home and configuration of this session's own; nothing set outside reaches a test."""
    world = tmp_path_factory.mktemp("world")
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            outside = name.startswith(("BRAINBRIDGE_", "NEO4J_"))
            if outside and not name.startswith(("BRAINBRIDGE_TEST_", "BRAINBRIDGE_MAVEN")):
                patch.delenv(name)
        patch.setenv("BRAINBRIDGE_HOME", str(world / "home"))
        patch.setenv("BRAINBRIDGE_CACHE", str(jar_cache))
        patch.setenv("BRAINBRIDGE_CONFIG", str(world / "config.toml"))
        yield


@pytest.fixture(scope="session")
def neo4j_address(tmp_path_factory: pytest.TempPathFactory, jar_cache: Path, _private_world: None) -> Iterator[Address]:
    """The test database; see tests/support.py for where it comes from."""
    with test_database(tmp_path_factory.mktemp("neo4j"), jar_cache) as address:
        yield address


@pytest.fixture(scope="session")
def graph(neo4j_address: Address) -> Iterator[Graph]:
    """A connection to the test database, its schema prepared."""
    with Graph.open(neo4j_address, timeout=15) as opened:
        app.initialise(opened, "bystander")
        yield opened


@pytest.fixture
def make_brain(graph: Graph) -> Callable[..., Brain]:
    """Register and open a brain that no other test uses."""

    def make(name: str | None = None, *, owns_unowned: bool = False) -> Brain:
        name = name or f"t{uuid4().hex[:12]}"
        app.initialise(graph, name)
        return Brain(graph, name, Settings(), owns_unowned=owns_unowned)

    return make


@pytest.fixture
def brain(make_brain: Callable[..., Brain]) -> Brain:
    """A brain that no other test uses."""
    return make_brain()
