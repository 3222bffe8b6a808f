"""pin, unpin, forget, restore, supersede: what people and agents do to a single memory."""

from typing import TYPE_CHECKING, Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.commands.memories import REF_HELP, lives_on
from brainbridge.cli.context import Context
from brainbridge.cli.options import Verb, allow_secret, test_only
from brainbridge.cli.output import instant

if TYPE_CHECKING:
    from brainbridge.domain.memory import Memory
    from brainbridge.graph.statements.memory import Pinned


@click.command("pin", cls=Verb, help=f"{COMMANDS['pin'][1]} Its energy and tier stay as they are.{REF_HELP}")
@click.argument("ref")
@test_only
@click.pass_obj
def pin(context: Context, *, ref: str, test_only: bool) -> None:
    with context.open_brain(logs=True) as brain:
        memory, done = brain.pin(ref, test=test_only)
    said = "pinned: it no longer fades" if done.changed else "was pinned before"
    _show_pinned(context, "pin/1", memory, done, said, core=True)


@click.command("unpin", cls=Verb, help=f"{COMMANDS['unpin'][1]} It fades from now on.{REF_HELP}")
@click.argument("ref")
@test_only
@click.pass_obj
def unpin(context: Context, *, ref: str, test_only: bool) -> None:
    with context.open_brain(logs=True) as brain:
        memory, done = brain.unpin(ref, test=test_only)
    said = "unpinned: it fades from now on" if done.changed else "was not pinned"
    _show_pinned(context, "unpin/1", memory, done, said, core=False)


def _show_pinned(context: Context, schema: str, memory: "Memory", done: "Pinned", said: str, *, core: bool) -> None:
    data = {"id": done.id, "energy": done.energy, "tier": done.tier, "core": core, "changed": done.changed}
    line = f"{memory.id}  {said}, {done.tier} with energy {done.energy:.3f}"
    context.out.show(schema, data, line, *lives_on(memory.id, done.id))


@click.command("forget", cls=Verb, help=f"{COMMANDS['forget'][1]} Nothing is deleted: restore undoes it.{REF_HELP}")
@click.argument("ref")
@click.option("--reason", metavar="TEXT", help="Why; kept with the memory.")
@test_only
@allow_secret
@click.pass_obj
def forget(context: Context, *, ref: str, reason: str | None, test_only: bool, allow_secret: bool) -> None:
    with context.open_brain(logs=True) as brain:
        memory, done = brain.forget(ref, reason=reason, test=test_only, allow_secret=allow_secret)
    data: dict[str, Any] = {
        "id": memory.id,
        "energy": done.energy,
        "tier": done.tier,
        "core": done.core,
        "forgottenAt": done.at,
    }
    protected = " It was core." if done.core else ""
    flag = " --test-only" if test_only else ""
    back = f"Bring it back with: brainbridge restore {memory.id}{flag}"
    context.out.show("forget/1", data, f"{memory.id}  forgotten.{protected} {back}")


@click.command(
    "restore",
    cls=Verb,
    help=f"{COMMANDS['restore'][1]} It stands where it stood, and fades from now on."
    "\n\nREF is an id or at least 6 characters of its beginning; the text of a forgotten memory is not looked at.",
)
@click.argument("ref")
@test_only
@click.pass_obj
def restore(context: Context, *, ref: str, test_only: bool) -> None:
    with context.open_brain(logs=True) as brain:
        memory, done = brain.restore(ref, test=test_only)
    data = {"id": memory.id, "energy": done.energy, "tier": done.tier}
    context.out.show("restore/1", data, f"{memory.id}  restored, {done.tier} with energy {done.energy:.3f}")


@click.command(
    "supersede",
    cls=Verb,
    help=f"{COMMANDS['supersede'][1]} The old one is archived and leads to the new one.\n\n"
    "OLD and NEW are ids, at least 6 characters of their beginning, or pieces of text that no other memory has.",
)
@click.argument("old")
@click.argument("new")
@click.option("--reason", metavar="TEXT", help="Why; kept with the relation.")
@test_only
@allow_secret
@click.pass_obj
def supersede(context: Context, *, old: str, new: str, reason: str | None, test_only: bool, allow_secret: bool) -> None:
    with context.open_brain(logs=True) as brain:
        before, after, done = brain.supersede(old, new, reason=reason, test=test_only, allow_secret=allow_secret)
    data = {
        "old": before.id,
        "new": after.id,
        "at": done.at,
        "energy": done.energy,
        "tier": done.tier,
        "reason": reason,
    }
    context.out.show("supersede/1", data, f"{before.id}  superseded by {after.id} at {instant(done.at)}")
