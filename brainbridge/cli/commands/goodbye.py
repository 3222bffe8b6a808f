"""goodbye: here for the list and its help only; main.py sends it off before click is loaded."""

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.options import Verb, test_only


@click.command("goodbye", cls=Verb, help=f"{COMMANDS['goodbye'][1]}\n\nThe outcome goes to consolidation.log.")
@test_only
@click.pass_context
def goodbye(ctx: click.Context, *, test_only: bool) -> int:
    from brainbridge.cli.context import Context
    from brainbridge.cli.goodbye import goodbye as send_off

    context = ctx.find_object(Context)
    brain = context.brain if context else None
    return send_off([*([f"--brain={brain}"] if brain else []), *(["--test-only"] if test_only else [])])
