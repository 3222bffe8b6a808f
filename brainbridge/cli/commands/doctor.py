"""doctor: everything brainbridge stands on, a line each, whatever else is broken."""

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Verb
from brainbridge.cli.output import Column, Grid
from brainbridge.domain.errors import BrainbridgeError
from brainbridge.domain.extras import how_to_install

if TYPE_CHECKING:
    from brainbridge.graph.connection import Graph
    from brainbridge.settings import Settings

LEAST_PYTHON = (3, 11)
LEAST_NEO4J = (5, 26)
# A store of a million memories takes about 2 GB; below the second figure Neo4j stops writing.
LITTLE_DISK, NO_DISK = 2_000_000_000, 200_000_000  # bytes


class Check(NamedTuple):
    """One thing looked at. `level`: ok, warning or error."""

    name: str
    level: str
    text: str


@click.command(
    "doctor",
    cls=Verb,
    help=f"{COMMANDS['doctor'][1]}\n\nStarts nothing and changes nothing. Exit code 1 if a line is an error.",
)
@click.pass_obj
def doctor(context: Context) -> int:
    checks = list(_checks(context))
    levels = {check.level for check in checks}
    level = next((level for level in ("error", "warning") if level in levels), "ok")
    grid = Grid((Column("level"), Column("looked at"), Column("found")), [(c.level, c.name, c.text) for c in checks])
    data = {"level": level, "checks": [check._asdict() for check in checks]}
    context.out.show("doctor/1", data, grid)
    return 1 if level == "error" else 0


def _checks(context: Context) -> Iterator[Check]:
    enough = sys.version_info >= LEAST_PYTHON
    yield Check("python", "ok" if enough else "error", f"{platform.python_version()} at {sys.executable}")
    try:
        settings = context.settings
    except BrainbridgeError as error:
        yield Check("settings", "error", str(error))
        return
    yield _settings_file()
    yield _log(settings)
    yield _disk(settings)
    brain = context.brain or settings.brain
    here = settings.for_brain(brain)
    if here.uri is None:
        yield _server(context)
    yield from _database(context, here, brain)


def _settings_file() -> Check:
    from brainbridge.settings import config_file

    file = config_file()
    return Check("settings", "ok", str(file) if file.is_file() else f"no file at {file}; defaults and environment")


def _log(settings: "Settings") -> Check:
    file = settings.log_file
    folder = next((folder for folder in (file, *file.parents) if folder.exists()), file)
    if os.access(folder, os.W_OK):
        return Check("log", "ok", str(file))
    return Check(
        "log", "error", f"{file} cannot be written: no right on {folder}. Set BRAINBRIDGE_HOME to another place."
    )


def _disk(settings: "Settings") -> Check:
    folder = next((folder for folder in (settings.home, *settings.home.parents) if folder.exists()), settings.home)
    free = shutil.disk_usage(folder).free
    level = "error" if free < NO_DISK else "warning" if free < LITTLE_DISK else "ok"
    return Check("disk", level, f"{free / 1e9:,.1f} GB free at {folder}")


def _server(context: Context) -> Check:
    try:
        with context.server() as local:
            found, made = local.status(), local.path.is_dir()
    except (BrainbridgeError, ImportError) as error:
        return Check("server", "error", f"{error}. The managed Neo4j needs: {how_to_install('local')}")
    if found.running:
        level, how = ("ok", "") if found.answers else ("error", ", does not answer")
        return Check("server", level, f"Neo4j {found.version}, process {found.pid}{how}")
    if made:
        return Check("server", "warning", "not running; the next command that needs it starts it")
    return Check("server", "error", "there is none yet. Run: brainbridge init NAME, or set BRAINBRIDGE_URI")


def _database(context: Context, settings: "Settings", brain: str | None) -> Iterator[Check]:
    """The database and what is in it; each line only if the one before could be answered."""
    from brainbridge.app import open_graph

    chosen = _how_chosen(context, settings, brain)
    try:
        graph = open_graph(settings, start=False)
    except BrainbridgeError as error:
        # A managed server that rests is no trouble: its own line above has said so.
        resting = settings.uri is None
        if not resting:
            yield Check("database", "error", f"{error} ({chosen})")
        return
    with graph:
        yield Check("database", "ok", f"{graph.address.uri}, {chosen}")
        yield _version(graph)
        for name, look in (("schema", _schema), ("brain", _brain), ("law", _law), ("recall", _recall)):
            try:
                yield look(graph, brain)
            except BrainbridgeError as error:
                yield Check(name, "error", str(error))


def _how_chosen(context: Context, settings: "Settings", brain: str | None) -> str:
    from brainbridge.cli.origins import origin_of

    if settings.uri is None:
        return f"unpacked at {settings.neo4j_home}" if settings.neo4j_home else "the managed server"
    profile = context.settings.brains.get(brain or "")
    if profile and profile.uri:
        return f"from the profile of brain {brain}"
    return f"from {origin_of('uri', flags={'uri': context.uri})}"


def _version(graph: "Graph") -> Check:
    version = graph.server_version()
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers >= LEAST_NEO4J:
        return Check("neo4j", "ok", version)
    return Check("neo4j", "error", f"{version} is too old; brainbridge needs 5.26 or newer")


def _schema(graph: "Graph", _: str | None) -> Check:
    from brainbridge.graph import schema

    version = schema.check(graph)
    if version is None:
        return Check("schema", "warning", "not prepared yet. Run: brainbridge init NAME")
    if version < schema.SCHEMA_VERSION:
        todo = f"the next command that opens a brain brings it up to {schema.SCHEMA_VERSION}, and there is no way back"
        return Check("schema", "warning", f"version {version}, of an older brainbridge; {todo}")
    return Check("schema", "ok", f"version {version}")


def _brain(graph: "Graph", brain: str | None) -> Check:
    from brainbridge.app import list_brains
    from brainbridge.domain.naming import listed

    known = list_brains(graph)
    there = f"there are: {listed(known)}" if known else "there is none yet"
    if brain is None:
        return Check("brain", "warning", f"none is named and none is the default; {there}")
    if brain in known:
        return Check("brain", "ok", f"{brain} is registered")
    return Check("brain", "error", f"{brain} is not registered; {there}. Run: brainbridge --brain={brain} init")


def _law(graph: "Graph", brain: str | None) -> Check:
    from brainbridge.app import Brain
    from brainbridge.settings import load_settings

    if brain is None:
        return Check("law", "warning", "not looked at: no brain is named")
    # Not Brain.on, which would prepare the schema: doctor changes nothing.
    version = Brain(graph, brain, load_settings(), owns_unowned=False).law()
    return Check("law", "ok", f"constants of version {version.version} are in force")


def _recall(graph: "Graph", brain: str | None) -> Check:
    """How recall finds: by words alone, or with a model that loads and that the memories have the vectors of."""
    from brainbridge.app import Brain
    from brainbridge.settings import load_settings

    settings = load_settings()
    if brain is None:
        return Check("recall", "warning", "not looked at: no brain is named")
    opened = Brain(graph, brain, settings, owns_unowned=False)
    here, embedder = opened.vectors(), opened.embedder
    if embedder is None:
        unused = f"; {here.filled:,} memories have vectors of {here.space.model}, which nothing uses" if here else ""
        return Check("recall", "ok", f"by words alone: recall.embedder is none{unused}")
    embedder.embed_query("doctor")  # whether it answers, and with vectors of the length it should
    if here is None or here.space.model != embedder.model_key:
        before = f" (they have those of {here.space.model})" if here else ""
        todo = f"not every memory has a vector of {embedder.model_key} yet{before}. Run: brainbridge embed"
        return Check("recall", "warning", f"by words alone: {todo}")
    late = f"; {here.bare:,} have none yet" if here.bare else ""
    return Check("recall", "ok", f"by words and {embedder.model_key}: {here.filled:,} memories have its vectors{late}")
