"""brains: which are registered in the database, and one more."""

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Branch, Verb
from brainbridge.cli.output import Column, Grid


@click.group("brains", cls=Branch, invoke_without_command=True, help=COMMANDS["brains"][1])
@click.pass_context
def brains(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_)


@brains.command("list", cls=Verb)
@click.pass_obj
def list_(context: Context) -> None:
    """List the registered brains."""
    from brainbridge.app import list_brains

    default = context.settings.brain
    with context.open_graph() as graph:
        names = list_brains(graph)
    rows = [(name, "default" if name == default else "") for name in names]
    nothing = "no brains yet. Make one with: brainbridge init NAME"
    blocks: list[str | Grid] = [Grid((Column("brain"), Column("")), rows)] if names else [nothing]
    context.out.show("brains/1", {"brains": names, "default": default}, *blocks)


@brains.command("add", cls=Verb)
@click.argument("name")
@click.pass_obj
def add(context: Context, *, name: str) -> None:
    """Register a brain in the database and give it the default constants."""
    from brainbridge.app import initialise
    from brainbridge.domain.scope import checked_brain

    context.brain = checked_brain(name)  # its profile, if it has one, says which database
    with context.open_graph() as graph:
        created = initialise(graph, name)
    said = f"brain {name} is registered" if created else f"brain {name} was registered already"
    context.out.show("brains-add/1", {"brain": name, "created": created}, said)
