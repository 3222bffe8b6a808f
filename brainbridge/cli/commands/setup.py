"""init: from nothing to a brain that can remember."""

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Verb
from brainbridge.domain.errors import UsageError


@click.command(
    "init",
    cls=Verb,
    help=f"{COMMANDS['init'][1]}\n\nInstalls and starts a local Neo4j unless BRAINBRIDGE_URI or --uri names one. "
    "Again changes nothing.",
)
@click.argument("name", required=False)
@click.pass_obj
def init(context: Context, *, name: str | None) -> None:
    from brainbridge.app import initialise
    from brainbridge.domain.scope import checked_brain

    brain = checked_brain(_chosen(context, name))
    context.brain = brain
    with context.open_graph(prepared=False) as graph:
        created = initialise(graph, brain)
        where, version = graph.address.uri, graph.server_version()
    managed = context.settings.for_brain(brain).uri is None
    data = {"brain": brain, "created": created, "uri": where, "managed": managed, "neo4j": version}
    again = "" if created else ", as it was"
    context.out.show("init/1", data, f"brain {brain} is ready{again}: Neo4j {version} at {where}")
    if not context.json:
        for line in _next_steps(context, brain):
            context.out.say(line)


def _chosen(context: Context, name: str | None) -> str:
    if name is not None and context.brain not in (None, name):
        raise UsageError(f"two brains are named, {name!r} and --brain={context.brain}. Give one.")
    for chosen in (name, context.brain, context.settings.brain):
        if chosen is not None:
            return chosen
    raise UsageError("give the brain a name, such as: brainbridge init milo")


def _next_steps(context: Context, brain: str) -> list[str]:
    from brainbridge.settings import config_file

    default = context.settings.brain == brain
    flag = "" if default else f" --brain={brain}"
    lines = [
        "Next:",
        f'  brainbridge{flag} remember --type learning "the first thing to remember"',
        f"  brainbridge{flag} status",
    ]
    hint = f'To leave --brain out: export BRAINBRIDGE_BRAIN={brain}, or write brain = "{brain}" to {config_file()}'
    return lines if default else [*lines, hint]
