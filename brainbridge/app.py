"""The composition root: settings become a connection, a connection and a name a Brain. Nothing else builds things."""

from functools import partial
from typing import TYPE_CHECKING

from brainbridge.brain import Brain, list_brains
from brainbridge.domain.errors import SettingsError
from brainbridge.domain.scope import checked_brain
from brainbridge.graph import law as graph_law
from brainbridge.graph import schema
from brainbridge.graph.connection import Address, Graph, ReadingGraph
from brainbridge.graph.statements import brains as brain_statements
from brainbridge.settings import Settings, load_settings

if TYPE_CHECKING:
    from brainbridge.local_neo4j.progress import Progress

__all__ = ["Brain", "address", "chosen_brain", "connect", "initialise", "list_brains", "open_graph"]


def connect(
    brain: str | None = None,
    *,
    settings: Settings | None = None,
    start: bool = True,
    reading: bool = False,
    progress: "Progress | None" = None,
) -> "Brain":
    """Open a brain: `with brainbridge.connect(brain="milo") as brain: brain.remember("…")`.

    Args:
        brain: its name; the settings' default brain if not given.
        settings: all settings; read from flags, environment and file if not given.
        start: start the managed local server if the settings point at no other and it is not running.
        reading: only to look: whatever would write is refused.
        progress: hears what a long start is doing.

    Raises:
        UnknownBrain: it is not registered; `brainbridge init` registers one.
        DatabaseUnreachable, AuthenticationFailed, SettingsError, SchemaTooNew.
    """
    settings = settings or load_settings()
    name = chosen_brain(brain, settings)
    graph = open_graph(settings.for_brain(name), start=start, reading=reading, progress=progress)
    try:
        return Brain.on(graph, name, settings)
    except BaseException:
        graph.close()
        raise


def chosen_brain(brain: str | None, settings: Settings) -> str:
    """The brain that is meant: the one named, else the settings' default.

    Raises:
        SettingsError: neither is given. InvalidValue: it cannot be a name.
    """
    name = brain if brain is not None else settings.brain
    if name is None:
        raise SettingsError(
            "no brain is named and none is the default. Give --brain=NAME, or set BRAINBRIDGE_BRAIN; "
            "`brainbridge brains` lists them."
        )
    return checked_brain(name)


def open_graph(
    settings: Settings, *, start: bool = True, reading: bool = False, progress: "Progress | None" = None
) -> Graph:
    """A connection to the database that the settings point at: an address, else the managed local server.

    Args:
        start: start the managed server if it is not running.
        reading: refuse whatever would write.
        progress: hears what a long start is doing.
    """
    kind = ReadingGraph if reading else Graph
    return kind.open(address(settings, start=start, progress=progress), timeout=settings.connect_timeout)


def address(settings: Settings, *, start: bool = True, progress: "Progress | None" = None) -> Address:
    """Where the database is: the settings' URI, else the managed local server, started if allowed."""
    if settings.uri is not None:
        password = settings.password.get_secret_value() if settings.password else ""
        return Address(settings.uri, settings.username, password, settings.database)
    from brainbridge.local_neo4j.server import LocalServer

    server = LocalServer(settings, progress)
    endpoint = server.start() if start else server.endpoint()
    return Address(endpoint.uri, endpoint.username, endpoint.password, "neo4j")


def initialise(graph: Graph, brain: str) -> bool:
    """Prepare the schema, register `brain` and give it its constants; all of it idempotent.

    Returns:
        True if the brain was not registered before.
    """
    now = graph.now()
    schema.prepare(graph, now)
    created = graph.write(
        "brains/register_brain", partial(brain_statements.register_brain, brain=checked_brain(brain), now=now)
    )
    graph_law.ensure(graph, brain, now)
    return created
