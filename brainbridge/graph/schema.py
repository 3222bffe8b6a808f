"""Constraints and indexes, versioned. Preparing is idempotent and safe when two programs start at once."""

from datetime import datetime
from functools import partial

from brainbridge.domain.errors import BrainbridgeError, SchemaTooNew
from brainbridge.graph import law
from brainbridge.graph.connection import Graph
from brainbridge.graph.cypher import statements
from brainbridge.graph.statements import brains, schema

# Raise it with every change that an older brainbridge could not work with.
SCHEMA_VERSION = 2
INDEX_WAIT = 300  # seconds; building the indexes over a million memories took 60 s


def prepare(graph: Graph, now: datetime) -> bool:
    """Bring the store to this program's schema, if it is older or new; every brain in it gets the constants it lacks.

    Returns:
        True if anything had to be done.

    Raises:
        SchemaTooNew: a newer brainbridge has been here; going back is not possible.
    """
    version = check(graph)
    if version == SCHEMA_VERSION:
        return False
    for name in structures():
        # Each in a transaction of its own: Neo4j allows no mixing of schema changes with data.
        graph.write(name, partial(schema.ensure, name=name))
    graph.write("schema/await_indexes", partial(schema.await_indexes, seconds=INDEX_WAIT))
    for brain in graph.read("brains/list_brains", brains.list_brains):
        law.ensure(graph, brain, now)
    graph.write("schema/write_version", partial(schema.write_version, version=SCHEMA_VERSION, now=now))
    return True


def check(graph: Graph) -> int | None:
    """The store's schema version, None if it was never prepared.

    Raises:
        SchemaTooNew: it is newer than this program's.
    """
    version = graph.read("schema/read_version", schema.read_version)
    if version is not None and not isinstance(version, int):
        raise BrainbridgeError(
            f"the database says that its schema is {version!r}, which is no number. Set SchemaVersion.version to "
            f"{SCHEMA_VERSION} in Neo4j Browser if no newer brainbridge uses it."
        )
    if version is not None and version > SCHEMA_VERSION:
        raise SchemaTooNew(
            f"the database has schema {version}; this brainbridge knows {SCHEMA_VERSION}. "
            "Upgrade brainbridge; a store cannot go back to an older schema."
        )
    return version


def structures() -> tuple[str, ...]:
    """The statements that make a constraint or an index, by name."""
    return tuple(name for name, s in statements().items() if name.startswith("schema/") and s.text.startswith("CREATE"))


def has_constraint(graph: Graph, name: str) -> bool:
    """Whether the constraint `name` is in force."""
    return name in graph.read("schema/list_constraints", schema.list_constraints)
