"""embed: give the memories of a brain the vectors they lack."""

from typing import Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Verb


@click.command(
    "embed",
    cls=Verb,
    help=f"{COMMANDS['embed'][1]}\n\nThe daemon does it too. Can be ended and begun again at any point; recall goes by "
    "words, or by the model before, until every memory has its vector.",
)
@click.pass_obj
def embed(context: Context) -> None:
    with context.open_brain() as brain, context.out.counting("memories embedded") as progress:
        filled = brain.embed(progress=progress)
    data: dict[str, Any] = {"model": None, "embedded": 0, "complete": True, "switched": False}
    if filled is None:
        context.out.show("embed/1", data, "recall.embedder is none: recall goes by words alone, and needs no vectors")
        return
    data = {
        "model": filled.model,
        "embedded": filled.embedded,
        "complete": filled.complete,
        "switched": filled.switched,
    }
    lines = [f"{filled.embedded:,} memories embedded with {filled.model}"]
    if filled.switched:
        lines.append(f"brain {brain.name} recalls with it from now on")
    context.out.show("embed/1", data, *lines)
