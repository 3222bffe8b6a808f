"""link, unlink: what one memory says of another."""

from typing import TYPE_CHECKING, Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Verb, test_only
from brainbridge.cli.output import cell

if TYPE_CHECKING:
    from brainbridge.memory.relate import Linked, Unlinked

_HELP = (
    "\n\nFROM and TO are ids, at least 6 characters of their beginning, or a piece of text that no other memory has. "
    "RELATION is extends, updates, derives or contradicts: the first three strengthen TO, once a day, the last one "
    "weakens both."
)


@click.command("link", cls=Verb, help=COMMANDS["link"][1] + _HELP)
@click.argument("from_ref", metavar="FROM")
@click.argument("relation", metavar="RELATION")
@click.argument("to_ref", metavar="TO")
@click.option("--by", "declared_by", metavar="WHO", default="user", help="Who says so. [default: user]")
@test_only
@click.pass_obj
def link(context: Context, *, from_ref: str, relation: str, to_ref: str, declared_by: str, test_only: bool) -> None:
    with context.open_brain() as brain:
        done = brain.link(from_ref, relation, to_ref, declared_by=declared_by, test=test_only)
    outcome = "created" if done.created else "exists"
    note = "; an end has expired, so it has no effect" if done.inert else ""
    data = _ends(done) | {"outcome": outcome, "inert": done.inert}
    context.out.show("link/1", data, f"{_drawn(done)}  {outcome}{note}")


@click.command("unlink", cls=Verb, help=COMMANDS["unlink"][1] + _HELP)
@click.argument("from_ref", metavar="FROM")
@click.argument("relation", metavar="RELATION")
@click.argument("to_ref", metavar="TO")
@test_only
@click.pass_obj
def unlink(context: Context, *, from_ref: str, relation: str, to_ref: str, test_only: bool) -> None:
    with context.open_brain() as brain:
        done = brain.unlink(from_ref, relation, to_ref, test=test_only)
    outcome = "removed" if done.removed else "absent"
    context.out.show("unlink/1", _ends(done) | {"outcome": outcome}, f"{_drawn(done)}  {outcome}")


def _ends(done: "Linked | Unlinked") -> dict[str, Any]:
    return {"from": done.source.id, "relation": done.relation, "to": done.target.id}


def _drawn(done: "Linked | Unlinked") -> str:
    return f"{cell(done.source.id)} {done.relation} {cell(done.target.id)}"
